using System.Text.Json.Nodes;
using LatencyTuner.Commands;
using LatencyTuner.Core.Sockets.Linux;
using LatencyTuner.Hosting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>One run of the command line inside the test process, with what it printed.</summary>
internal sealed record CliRun(int Code, string Out, string Error)
{
    /// <summary>Options that make a measurement as short as it can be.</summary>
    public static string[] Short { get; } = ["--duration", "100ms", "--warmup", "0s"];

    public static CliRun Of(params string[] args) => Of(CancellationToken.None, args);

    public static CliRun Of(CancellationToken cancellation, params string[] args) =>
        On(
            (output, error) => new CliHost
            {
                Out = output,
                Error = error,
                Unicode = true,
                LiveSockets = OperatingSystem.IsLinux() ? LinuxHostSockets.Read : null,
            },
            cancellation,
            args);

    /// <summary>A run in a process of another kind, such as one with a terminal.</summary>
    public static CliRun On(Func<TextWriter, TextWriter, CliHost> host, CancellationToken cancellation, params string[] args)
    {
        StringWriter output = new();
        StringWriter error = new();
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        // A run that should have ended by itself ends with 130 instead, which no test of such a run accepts.
        limit.CancelAfter(TimeSpan.FromSeconds(30));
        int code = Cli.RunAsync(args, host(TextWriter.Synchronized(output), TextWriter.Synchronized(error)), limit.Token).GetAwaiter().GetResult();
        return new CliRun(code, output.ToString(), error.ToString());
    }

    /// <summary>A failure: the published code, one sentence on stderr, nothing on stdout; with --format json the same as a document there.</summary>
    public CliRun Failed(int code, params string[] says)
    {
        Assert.True(code == Code, $"exit code {Code} instead of {code}: {Error}{Out}");
        if (Out.Length > 0)
        {
            JsonNode failure = JsonNode.Parse(Out)!;
            Assert.Equal(("latencytuner/failure/2", "failed", code), (
                failure["schema"]!.GetValue<string>(), failure["verdict"]!.GetValue<string>(), failure["exitCode"]!.GetValue<int>()));
            Assert.StartsWith(failure["text"]!.GetValue<string>()[..20], Error, StringComparison.Ordinal);
        }

        Sentence(Error);
        Assert.All(says, text => Assert.Contains(text, Error, StringComparison.Ordinal));
        return this;
    }

    /// <summary>A run that did its work: a report on stdout and nothing on stderr.</summary>
    public CliRun Done(int code = 0)
    {
        Assert.True(code == Code, $"exit code {Code} instead of {code}: {Error}{Out}");
        Assert.Equal("", Error);
        Assert.NotEqual("", Out);
        return this;
    }

    private static void Sentence(string text)
    {
        string line = Assert.Single(text.TrimEnd('\r', '\n').Split('\n'));
        Assert.Matches(@"^.{8,400}[.?]\r?$", line);
        Assert.DoesNotContain("   at ", line, StringComparison.Ordinal);
        Assert.DoesNotContain("Exception", line, StringComparison.Ordinal);
        Assert.DoesNotContain("System.", line, StringComparison.Ordinal);
        Assert.DoesNotContain(".partial", line, StringComparison.Ordinal);
    }
}
