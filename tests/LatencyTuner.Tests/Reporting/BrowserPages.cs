using System.Xml;
using System.Xml.Linq;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

/// <summary>The pages that tests/pages opens in a browser.</summary>
public sealed class BrowserPages
{
    public static TheoryData<string> Names => new(SamplePages.All.Keys);

    [Theory]
    [MemberData(nameof(Names))]
    public void Page_IsWellFormed_AndWritten(string name)
    {
        string html = SamplePages.All[name];
        using XmlReader reader = XmlReader.Create(new StringReader(html), new XmlReaderSettings { DtdProcessing = DtdProcessing.Ignore });
        XDocument page = XDocument.Load(reader);

        List<XElement> elements = [.. page.Descendants()];
        Assert.Equal(name == "interactive" ? 2 : 0, elements.Count(e => e.Name.LocalName == "script"));
        Assert.DoesNotContain(elements, e => e.Name.LocalName is "link" or "img" or "iframe" or "b");
        Assert.All(elements.Where(e => e.Name.LocalName == "svg"), svg => Assert.NotEmpty(svg.Attribute("aria-label")!.Value));
        Assert.InRange(html.Length, 1000, 1_000_000);
        List<string> ids = [.. elements.Attributes("id").Select(a => a.Value)];
        Assert.Equal(ids.Distinct(), ids);
        if (Environment.GetEnvironmentVariable("LATENCYTUNER_PAGES") is { Length: > 0 } folder)
        {
            File.WriteAllText(Path.Combine(folder, name + ".html"), html);
        }
    }
}
