using System.Text.Json;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>What is known about a capture that was made on purpose (labels.json).</summary>
internal sealed record TruthLabel(
    string Id, string[] Causes, string[] MustNot, string[] May, string Server, double? TimerMs, string? Truth, string? Drops,
    Dictionary<string, string> Captures)
{
    public static IReadOnlyList<TruthLabel> Read(string folder)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(folder, "labels.json")));
        return [.. document.RootElement.EnumerateArray().Select(Of)];
    }

    public override string ToString() => Id;

    private static TruthLabel Of(JsonElement e) => new(
        e.GetProperty("id").GetString()!, Strings(e, "causes"), Strings(e, "must_not_report"), Strings(e, "may_report"),
        e.GetProperty("server").GetString()!, Timer(e),
        e.TryGetProperty("truth", out JsonElement truth) ? truth.GetString() : null, e.GetProperty("id").GetString() + ".emu.json",
        e.GetProperty("captures").EnumerateObject().ToDictionary(p => p.Name, p => p.Value.GetString()!));

    private static string[] Strings(JsonElement e, string name) =>
        e.TryGetProperty(name, out JsonElement list) ? [.. list.EnumerateArray().Select(x => x.GetString()!)] : [];

    /// <summary>The timer that was modelled; Linux's own is 40 ms.</summary>
    private static double? Timer(JsonElement e)
    {
        foreach (JsonProperty hold in e.GetProperty("hold").EnumerateObject())
        {
            return hold.Value.GetProperty("timer_ms").GetDouble();
        }

        return e.GetProperty("env").EnumerateObject().Any() ? null : 40;
    }
}
