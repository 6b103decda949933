using System.Text;
using System.Xml;
using System.Xml.Linq;
using System.Xml.Schema;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Writers;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

public sealed class MarkupReports
{
    private const string Hostile = "<script>alert('x')</script>&\"\u0001\u001b[31m\ud800]]>";

    public static TheoryData<string> Names => new(SampleReports.All.Keys);

    private static MeasurementReport HostileReport => SampleReports.Split with
    {
        Target = new() { Name = Hostile },
        Notes = [Hostile],
        Findings = [SampleReports.SplitWrites with { Host = Hostile, Process = Hostile, For = [Hostile], Recommendation = Hostile }],
    };

    [Theory]
    [MemberData(nameof(Names))]
    public void Html_IsWellFormedAndSelfContained(string name)
    {
        XDocument page = Parse(HtmlReportWriter.Write(Judged.PageOf(SampleReports.All[name])));

        List<XElement> elements = page.Descendants().ToList();
        Assert.DoesNotContain(elements, e => e.Name.LocalName is "script" or "link" or "img" or "iframe");
        Assert.DoesNotContain(elements.Attributes(), a => a.Name.LocalName is "src" || (a.Name.LocalName is "href" && !a.Value.StartsWith('#')));
        Assert.DoesNotContain(
            elements.Where(e => e.Name.LocalName == "style"),
            e => e.Value.Contains("url(", StringComparison.Ordinal) || e.Value.Contains("@import", StringComparison.Ordinal));
        Assert.Single(elements, e => e.Name.LocalName == "p" && e.Attribute("class")?.Value.StartsWith("verdict ", StringComparison.Ordinal) == true);
    }

    [Fact]
    public void Html_EscapesEverythingFromOutside()
    {
        string html = HtmlReportWriter.Write(Judged.PageOf(HostileReport));

        Assert.DoesNotContain("<script", html, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain(html, c => char.IsControl(c) && c != '\n');
        string text = Parse(html).Root!.Value;
        Assert.Contains("<script>alert('x')</script>&\"", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Html_ListsSeveralDocuments()
    {
        XDocument page = Parse(HtmlReportWriter.Write([Judged.PageOf(SampleReports.Pass), Judged.PageOf(SampleReports.Fail)]));

        List<string> articles = page.Descendants().Where(e => e.Name.LocalName == "article").Select(e => "#" + e.Attribute("id")!.Value).ToList();
        IEnumerable<string> links = page.Descendants().Where(e => e.Name.LocalName == "a").Select(e => e.Attribute("href")!.Value);
        Assert.Equal(2, articles.Count);
        Assert.Equal(articles, links);
    }

    /// <summary>Pictures come before tables, each with a caption; the tables of its section are folded beneath it.</summary>
    [Fact]
    public void Html_ShowsPicturesWithTheirTablesFolded()
    {
        XDocument page = Parse(SamplePages.All["measure-bad"]);
        List<XElement> sections = [.. page.Descendants().Where(e => e.Name.LocalName == "section")];

        List<bool> pictures = [.. sections.Select(s => s.Descendants().Any(e => e.Name.LocalName == "figure"))];
        Assert.Equal(pictures.OrderDescending(), pictures);
        Assert.All(
            page.Descendants().Where(e => e.Name.LocalName == "figure"),
            f =>
            {
                Assert.EndsWith(".", f.Elements().First(e => e.Name.LocalName == "figcaption").Value, StringComparison.Ordinal);
                Assert.Equal(2, f.Descendants().Count(e => e.Name.LocalName == "svg"));
            });
        Assert.All(
            sections.Where(s => s.Descendants().Any(e => e.Name.LocalName == "figure"))
                .SelectMany(s => s.Descendants().Where(e => e.Name.LocalName == "table")),
            t => Assert.Contains(t.Ancestors(), e => e.Name.LocalName == "details"));
    }

    [Fact]
    public void Html_HasTheHeadOfATicket()
    {
        XElement head = Parse(SamplePages.All["measure-bad"]).Descendants().First(e => e.Name.LocalName == "dl");

        Dictionary<string, string> facts = head.Elements().Where(e => e.Name.LocalName == "dt").Select(e => e.Value)
            .Zip(head.Elements().Where(e => e.Name.LocalName == "dd").Select(e => e.Value)).ToDictionary(p => p.First, p => p.Second);
        Assert.Equal("CHG0012345", facts["Ticket"]);
        Assert.Equal("Before the change of the order service.", facts["Note"]);
        Assert.Equal("J. Doe", facts["Operator"]);
        Assert.StartsWith("app01 to ", facts["Hosts"], StringComparison.Ordinal);
        Assert.EndsWith(" UTC", facts["Date"], StringComparison.Ordinal);
        Assert.StartsWith("latencytuner measure", facts["Command"], StringComparison.Ordinal);
        Assert.StartsWith("latencytuner ", facts["Tool"], StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void JUnit_CountsItsCases(string name)
    {
        foreach (string? failOn in new[] { "none", "info", "error" })
        {
            XElement suite = XDocument.Parse(Judged.JUnitOf(SampleReports.All[name], failOn)).Root!.Element("testsuite")!;
            List<XElement> cases = suite.Elements("testcase").ToList();

            Assert.NotEmpty(cases);
            Assert.Equal(cases.Count, (int)suite.Attribute("tests")!);
            Assert.Equal(cases.Count(c => c.Element("failure") is not null), (int)suite.Attribute("failures")!);
            Assert.Equal(cases.Count(c => c.Element("error") is not null), (int)suite.Attribute("errors")!);
            Assert.Equal(cases.Count(c => c.Element("skipped") is not null), (int)suite.Attribute("skipped")!);
            Assert.All(cases.Elements("failure"), f => Assert.False(string.IsNullOrWhiteSpace((string)f.Attribute("message")!)));
        }
    }

    /// <summary>A build server shows the message, the text of the failure and the output: a sentence stands in one of them.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void JUnit_SaysASentenceOnce(string name)
    {
        foreach (XElement one in XDocument.Parse(Judged.JUnitOf(SampleReports.All[name], "info")).Descendants("testcase"))
        {
            string[] sentences = [.. one.Elements().SelectMany(e => new[] { (string?)e.Attribute("message"), e.Value }).OfType<string>()
                .SelectMany(t => t.Split(". ")).Select(t => t.Trim(' ', '.')).Where(t => t.Length > 0)];
            Assert.Equal(sentences.Distinct(), sentences);
        }
    }

    /// <summary>The shape that Jenkins and Azure DevOps read: elements, their order, and the attributes that each may have and must have.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void JUnit_IsValid(string name)
    {
        XmlSchemaSet schemas = new();
        _ = schemas.Add(null, Path.Combine(Repository.Root, "tests", "LatencyTuner.Tests", "Reporting", "junit.xsd"));
        foreach (string failOn in new[] { "none", "info" })
        {
            XDocument document = XDocument.Parse(Judged.JUnitOf(SampleReports.All[name], failOn));
            document.Validate(schemas, (_, e) => Assert.Fail(e.Message));
        }
    }

    [Fact]
    public void JUnit_OfACheckHasACasePerGate()
    {
        static List<string> Outcomes(CheckReport report) => [.. XDocument.Parse(Judged.JUnitOf(report)).Descendants("testcase").Select(c =>
            $"{c.Attribute("classname")!.Value["latencytuner.check.".Length..]}: {c.Attribute("name")!.Value}: "
            + $"{(c.Element("failure") is not null ? "failed" : c.Element("skipped") is not null ? "skipped" : "passed")}")];

        Assert.Equal(
            [
                "check: verdict: passed", "loopback: measured: passed", "app01:7117: measured: passed", "app01:7117: 99th percentile at most 5.00 ms: passed",
                "app01:7117: stalled requests at most 0 %: passed", "findings: LT101 Nagle + delayed ACK #1: passed",
            ],
            Outcomes(SampleReports.Pass));
        Assert.Equal(
            [
                "loopback: measured: passed", "app01:7117: measured: passed", "app01:7117: 99th percentile at most 5.00 ms: failed",
                "app01:7117: stalled requests at most 0 %: failed", "findings: LT101 Nagle + delayed ACK #1: failed",
                "findings: LT101 Nagle + delayed ACK #2: passed",
            ],
            Outcomes(SampleReports.Fail));
        Assert.Contains("app02:7117: measured: failed", Outcomes(SampleReports.Unreachable));
        Assert.Contains("check: verdict: skipped", Outcomes(SampleReports.CannotTell));
    }

    [Fact]
    public void JUnit_StripsWhatXmlCannotHold()
    {
        string xml = Judged.JUnitOf(HostileReport, "info");

        Assert.DoesNotContain(xml, c => char.IsControl(c) && c != '\n');
        Assert.Contains("<script>", XDocument.Parse(xml).Descendants("failure").Single().Attribute("message")!.Value, StringComparison.Ordinal);
    }

    private static XDocument Parse(string html)
    {
        using XmlReader reader =
            XmlReader.Create(new MemoryStream(Encoding.UTF8.GetBytes(html)), new XmlReaderSettings { DtdProcessing = DtdProcessing.Ignore });
        return XDocument.Load(reader);
    }
}
