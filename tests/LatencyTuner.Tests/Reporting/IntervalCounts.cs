using System.Text.Json.Nodes;
using LatencyTuner.Core.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

/// <summary>An interval says nothing without the number of values behind it.</summary>
public sealed class IntervalCounts
{
    private static readonly string[] Counts =
        ["n", "count", "received", "requests", "samples", "rounds", "cycles", "bins", "binsBefore", "connections", "transactions", "values", "pairs"];

    public static TheoryData<string> Names => new(SampleReports.All.Keys);

    [Theory]
    [MemberData(nameof(Names))]
    public void EveryInterval_StandsBesideTheNumberOfItsValues(string name)
    {
        JsonNode document = JsonNode.Parse(ReportJson.SerializeAny(SampleReports.All[name]))!;

        Assert.Empty(Bare(document, counted: false));
    }

    /// <summary>The intervals with no count in their object, nor in one that holds it, up to the document.</summary>
    private static IEnumerable<string> Bare(JsonNode? node, bool counted)
    {
        if (node is JsonArray array)
        {
            return array.SelectMany(a => Bare(a, counted));
        }

        if (node is not JsonObject here)
        {
            return [];
        }

        bool known = counted || (here.Parent is not null && here.Any(p => Counts.Contains(p.Key) && p.Value is JsonValue));
        IEnumerable<string> own = known ? []
            : here.Where(p => p.Value is not null && (p.Key == "intervals" ? p.Value.AsObject().Count > 0 : IsBound(p.Key) && p.Value is JsonValue))
                .Select(p => p.Value!.GetPath());
        return own.Concat(here.Where(p => p.Key != "intervals").SelectMany(p => Bare(p.Value, known)));
    }

    private static bool IsBound(string key) =>
        key.EndsWith("LowUs", StringComparison.Ordinal) || key.EndsWith("LowMs", StringComparison.Ordinal) || key.EndsWith("Low", StringComparison.Ordinal)
            || key is "low" or "lowUs" or "lowMs";
}
