using System.Text.Json;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>What is known about a capture that was made on purpose (labels.json).</summary>
internal sealed record TruthLabel(
    string Id, string[] Causes, string[] MustNot, string[] May, string Server, double? TimerMs, string? Truth, string? Drops,
    Dictionary<string, string> Captures)
{
    /// <summary>What kind of capture it is.</summary>
    public required string Scenario { get; init; }

    /// <summary>Whether TCP made nobody wait on any of its connections.</summary>
    public bool Innocent { get; init; }

    /// <summary>What findings cost, in milliseconds, as "ID", "ID+ID" for their sum, or "ID@vantage" where only one end can know.</summary>
    public required IReadOnlyDictionary<string, (double Low, double High)> Costs { get; init; }

    public static IReadOnlyList<TruthLabel> Read(string folder)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(folder, "labels.json")));
        return [.. document.RootElement.EnumerateArray().Select(Of)];
    }

    /// <summary>The same as one end can know it: a cause "x@client" is expected at the client, and may be found at the server.</summary>
    public TruthLabel At(string vantage)
    {
        ILookup<bool, string> known = Causes.ToLookup(c => !c.Contains('@', StringComparison.Ordinal) || c.EndsWith($"@{vantage}", StringComparison.Ordinal));
        return this with
        {
            Causes = [.. known[true].Select(c => c.Split('@')[0])],
            May = [.. May, .. known[false].Select(c => c.Split('@', ':')[0])],
        };
    }

    public override string ToString() => Id;

    private static TruthLabel Of(JsonElement e) => new(
        e.GetProperty("id").GetString()!, Strings(e, "causes"), Strings(e, "must_not_report"), Strings(e, "may_report"),
        e.GetProperty("server").GetString()!, Timer(e),
        e.TryGetProperty("truth", out JsonElement truth) ? truth.GetString() : null, e.GetProperty("id").GetString() + ".emu.json",
        e.GetProperty("captures").EnumerateObject().ToDictionary(p => p.Name, p => p.Value.GetString()!))
    {
        Scenario = e.GetProperty("scenario").GetString()!,
        Innocent = e.TryGetProperty("innocent", out JsonElement innocent) && innocent.GetBoolean(),
        Costs = e.TryGetProperty("costs", out JsonElement costs)
            ? costs.EnumerateObject().ToDictionary(c => c.Name, c => (c.Value[0].GetDouble(), c.Value[1].GetDouble())) : [],
    };

    private static string[] Strings(JsonElement e, string name) =>
        e.TryGetProperty(name, out JsonElement list) ? [.. list.EnumerateArray().Select(x => x.GetString()!)] : [];

    /// <summary>The timer of single segments that was modelled; Linux's own is 40 ms.</summary>
    private static double? Timer(JsonElement e)
    {
        foreach (JsonProperty hold in e.GetProperty("hold").EnumerateObject())
        {
            return hold.Value.TryGetProperty("segments", out _) ? null : hold.Value.GetProperty("timer_ms").GetDouble();
        }

        return e.GetProperty("env").EnumerateObject().Any() ? null : 40;
    }
}
