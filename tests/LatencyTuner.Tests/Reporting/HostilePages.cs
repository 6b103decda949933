using System.Text;
using System.Text.Json.Nodes;
using System.Xml.Linq;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Writers;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

/// <summary>Documents come from other hosts: every text in them may be markup, and stays text on the page of every kind.</summary>
public sealed class HostilePages
{
    public static TheoryData<string> Names => new(SampleReports.All.Keys);

    /// <summary>Every field of text holds markup, but for those whose values are checked when the document is read.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void Page_OfMarkupInEveryField_IsInert(string name)
    {
        JsonNode document = JsonNode.Parse(ReportJson.SerializeAny(Judged.Sealed(SampleReports.All[name])))!;
        List<string> replaced = [.. Fields(document).Distinct().Where(f => TryReplace(ref document, f))];
        Document read = ReportJson.ReadAny(Encoding.UTF8.GetBytes(document.ToJsonString()), "hostile.json");
        string html = HtmlReportWriter.Write(PublishedDocuments.PageOf(read));

        Assert.NotEmpty(replaced);
        XDocument page = XDocument.Parse(html);
        Assert.DoesNotContain(page.Descendants(), e => e.Name.LocalName is "script" or "img" or "b");
        Assert.All(
            page.Descendants().Attributes().Where(a => a.Name.LocalName is "href" or "id" or "class" or "style"),
            a => Assert.DoesNotContain("<", a.Value, StringComparison.Ordinal));
        Assert.DoesNotContain('\u202E', html);
        Assert.Contains("alert(", page.Root!.Value, StringComparison.Ordinal);
    }

    private static IEnumerable<string> Fields(JsonNode? node) => node switch
    {
        JsonObject value => value.SelectMany(
            p => (p.Value is JsonValue leaf && leaf.TryGetValue(out string? _)) || IsTexts(p.Value) ? [p.Key] : Fields(p.Value)),
        JsonArray values => values.SelectMany(Fields),
        _ => [],
    };

    private static bool IsTexts(JsonNode? node) =>
        node is JsonArray { Count: > 0 } values && values.All(v => v is JsonValue leaf && leaf.TryGetValue(out string? _));

    private static bool TryReplace(ref JsonNode document, string field)
    {
        JsonNode changed = document.DeepClone();
        Replace(changed, field);
        try
        {
            _ = ReportJson.ReadAny(Encoding.UTF8.GetBytes(changed.ToJsonString()), "hostile.json");
        }
        catch (ExpectedFailureException)
        {
            return false;
        }

        document = changed;
        return true;
    }

    private static void Replace(JsonNode? node, string field)
    {
        if (node is JsonArray values)
        {
            foreach (JsonNode? value in values)
            {
                Replace(value, field);
            }
        }
        else if (node is JsonObject members)
        {
            foreach ((string key, JsonNode? value) in members.ToArray())
            {
                if (key != field)
                {
                    Replace(value, field);
                }
                else if (IsTexts(value))
                {
                    members[key] = new JsonArray([.. value!.AsArray().Select(_ => (JsonNode)JsonValue.Create(SamplePages.Hostile))]);
                }
                else if (value is JsonValue leaf && leaf.TryGetValue(out string? _))
                {
                    members[key] = SamplePages.Hostile;
                }
            }
        }
    }
}
