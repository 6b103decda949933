using System.Text.Json.Nodes;
using LatencyTuner.Core.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

/// <summary>An interval says nothing without the number of values behind it.</summary>
public sealed class IntervalCounts
{
    private static readonly string[] Counts = ["n", "count"];

    public static TheoryData<string> Names => new(SampleReports.All.Keys);

    [Theory]
    [MemberData(nameof(Names))]
    public void EveryInterval_StandsBesideTheNumberOfItsValues(string name)
    {
        JsonNode document = JsonNode.Parse(ReportJson.SerializeAny(SampleReports.All[name]))!;

        Assert.Empty(Bare(document, counted: false));
    }

    /// <summary>The intervals with no count in their object, nor in one that holds it. What a load adds is the difference of two that have one.</summary>
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

        bool known = counted || here.GetPath() == "$.added"
            || (here.Parent is not null && here.Any(p => Counts.Contains(p.Key) && p.Value is JsonValue));
        string[] own = !known && here["intervals"] is JsonObject { Count: > 0 } intervals ? [intervals.GetPath()] : [];
        return own.Concat(here.SelectMany(p => Bare(p.Value, known)));
    }
}
