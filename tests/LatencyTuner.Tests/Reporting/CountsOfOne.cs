using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Writers;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

/// <summary>Every kind of document with 1 of everything that it counts: no noun behind it is a plural.</summary>
public sealed partial class CountsOfOne
{
    public static TheoryData<string> Names => TextReports.Names;

    [Theory]
    [MemberData(nameof(Names))]
    public void Text_HasNoPluralBehindOne(string name)
    {
        Document sample = SampleReports.All[name];
        JsonNode json = JsonNode.Parse(ReportJson.SerializeAny(sample))!;
        WriteOnes(json);
        Document ones = ReportJson.ReadAny(Encoding.UTF8.GetBytes(json.ToJsonString()), name);

        // The sentences of findings and notes are stored texts, and the sample's.
        HashSet<string> stored = [.. Plurals().Matches(Spaces().Replace(string.Join(' ', Texts(json)), " ")).Select(m => m.Value)];
        foreach (int? height in new int?[] { null, 22 })
        {
            string text = Spaces().Replace(TextReportWriter.Write(Judged.PageOf(ones), new() { Width = 120, Height = height }), " ");
            Assert.DoesNotContain(Plurals().Matches(text).Select(m => m.Value), m => !stored.Contains(m));
        }
    }

    private static void WriteOnes(JsonNode node)
    {
        foreach ((object key, JsonNode? value) in node is JsonObject o ? o.Select(p => ((object)p.Key, p.Value)).ToList()
            : node is JsonArray a ? a.Select((v, i) => ((object)i, v)).ToList() : [])
        {
            if (value is JsonValue number && number.GetValueKind() == JsonValueKind.Number && number.TryGetValue(out long n) && n > 1
                && (key is not string name || IsCount().IsMatch(name)))
            {
                if (key is string property)
                {
                    node[property] = 1;
                }
            }
            else if (value is not null)
            {
                WriteOnes(value);
            }
        }
    }

    private static IEnumerable<string> Texts(JsonNode node) => node switch
    {
        JsonObject o => o.SelectMany(p => p.Value is null ? [] : Texts(p.Value)),
        JsonArray a => a.SelectMany(v => v is null ? [] : Texts(v)),
        JsonValue v when v.GetValueKind() == JsonValueKind.String => [v.GetValue<string>()],
        _ => [],
    };

    [GeneratedRegex("^(n|count|countA|countB|runsA|runsB|requests|sent|received|errors|rounds|connections|packets|segments|transactions|stalls|samples|events|"
        + "buffers|rows|gcCount|retransmittedSegments|resumedRounds|processors|holds|messages|alerts|missed|values|.*Count)$")]
    private static partial Regex IsCount();

    [GeneratedRegex(
        @"(?<![\d.,:/-])1 (?!(s|ms|us|ns|is|was|has|less|gets|makes|costs|loss|process|always|means|keeps|removes|sends|plus|across|minus|this|its|as|"
        + @"does|adds|needs|takes|asks|stands|differs|applies|holds|ACKs?|access|address|class)\b)[a-z]+ ?[a-z]*s\b")]
    private static partial Regex Plurals();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}
