using System.Text.Json.Nodes;
using LatencyTuner.Core.Tuning.Dsc;
using NJsonSchema;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>One call of the command resource as DSC makes it: the instance on stdin, JSON lines on stdout, traces on stderr.</summary>
internal sealed record DscExchange(int Code, IReadOnlyList<string> Lines, IReadOnlyList<(string Level, string Text)> Traces, string Error)
{
    private static readonly Lazy<Task<JsonSchema>> Schema = new(() => JsonSchema.FromJsonAsync(DscSchema.Text()));

    /// <summary>The state: the first line, which fits the schema as DSC demands it of what goes in and of what comes out.</summary>
    public JsonObject State => JsonNode.Parse(Lines[0])!.AsObject();

    /// <summary>The second line: the names of the properties that differ.</summary>
    public string[] Differing => [.. JsonNode.Parse(Lines[1])!.AsArray().Select(n => n!.GetValue<string>())];

    /// <summary>The values of the settings, in their order, as JSON.</summary>
    public string[] Values => [.. State["settings"]!.AsArray().Select(s => s!["value"]!.ToJsonString())];

    /// <summary>The errors of the trace; a failure has one.</summary>
    public string Failed(int code)
    {
        Assert.True(code == Code, $"exit code {Code} instead of {code}: {Error}{string.Join('\n', Lines)}");
        Assert.Empty(Lines);
        return Assert.Single(Traces, t => t.Level == "error").Text;
    }

    public DscExchange Done(int lines)
    {
        Assert.True(Code == 0, $"exit code {Code}: {Error}");
        Assert.Equal(lines, Lines.Count);
        return this;
    }

    /// <summary>One call on a machine; without an input, stdin is what DSC inherited: a terminal.</summary>
    public static async Task<DscExchange> Of(TunedMachine machine, string operation, string? input, string? level = "trace", params string[] options)
    {
        CliRun run = machine.Run(input, level, ["dsc", operation, .. options]);

        Assert.All(run.Out + run.Error, c => Assert.True(c is '\n' or (>= ' ' and <= '~'), $"U+{(int)c:X4}"));
        string[] lines = run.Out.Length == 0 ? [] : run.Out.TrimEnd('\n').Split('\n');
        if (operation != "schema")
        {
            JsonSchema schema = await Schema.Value;
            Assert.All(lines.Where(l => l.StartsWith('{')), l => Assert.Empty(schema.Validate(l).Select(e => $"{e} in {l}")));
        }

        return new(run.Code, lines, [.. run.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(Trace)], run.Error);
    }

    private static (string Level, string Text) Trace(string line)
    {
        KeyValuePair<string, JsonNode?> only = Assert.Single(JsonNode.Parse(line)!.AsObject());
        Assert.Contains(only.Key, new[] { "error", "warn", "info", "debug", "trace" });
        return (only.Key, only.Value!.GetValue<string>());
    }
}
