using System.Globalization;
using System.Text;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>
/// Writes documents as one self-contained page: no script, no external resource, light or dark as the reader's browser is set, charts
/// as inline SVG. The page is well-formed XML, and a content security policy in its head forbids it to load anything.
/// </summary>
public static class HtmlReportWriter
{
    /// <summary>Writes one document.</summary>
    /// <param name="document">The document.</param>
    /// <returns>The page.</returns>
    public static string Write(Page document) => Write([document]);

    /// <summary>Writes documents, several hosts together, one after the other with a list of contents.</summary>
    /// <param name="documents">The documents, at least one.</param>
    /// <returns>The page.</returns>
    /// <exception cref="ArgumentException">There is no document.</exception>
    public static string Write(IReadOnlyList<Page> documents)
    {
        ArgumentNullException.ThrowIfNull(documents);
        if (documents.Count == 0)
        {
            throw new ArgumentException("A page needs a document.", nameof(documents));
        }

        string title = documents.Count == 1 ? documents[0].Title : $"{documents.Count} reports";
        StringBuilder html = new();
        html.Append(CultureInfo.InvariantCulture, $"""
            <!DOCTYPE html>
            <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
            <head>
            <meta charset="utf-8"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
            <title>latencytuner: {Markup.Escape(title)}</title>
            <style>
            {HtmlStyle.Sheet}
            </style>
            </head>
            <body>
            <main>

            """);
        if (documents.Count > 1)
        {
            Contents(html, documents);
        }

        for (int i = 0; i < documents.Count; i++)
        {
            Document(html, documents[i], i + 1);
        }

        return html.Append("</main>\n</body>\n</html>\n").Replace("\r\n", "\n").ToString();
    }

    private static void Contents(StringBuilder html, IReadOnlyList<Page> documents)
    {
        html.Append("<nav>\n<h1>Reports</h1>\n<ul>\n");
        for (int i = 0; i < documents.Count; i++)
        {
            html.Append(CultureInfo.InvariantCulture, $"<li><a href=\"#r{i + 1}\">{Markup.Escape(documents[i].Title)}</a>: ");
            html.Append(
                CultureInfo.InvariantCulture,
                $"<strong class=\"{Class(documents[i].Verdict.Tone)}\">{Markup.Escape(documents[i].Verdict.Word)}</strong></li>\n");
        }

        html.Append("</ul>\n</nav>\n");
    }

    private static void Document(StringBuilder html, Page document, int number)
    {
        html.Append(CultureInfo.InvariantCulture, $"<article id=\"r{number}\">\n<h1>{Markup.Escape(document.Title)}</h1>\n");
        if (document.Subtitle is { } subtitle)
        {
            html.Append(CultureInfo.InvariantCulture, $"<p class=\"sub\">{Markup.Escape(subtitle)}</p>\n");
        }

        Verdict verdict = document.Verdict;
        html.Append(
            CultureInfo.InvariantCulture,
            $"<p class=\"verdict {Class(verdict.Tone)}\"><strong>{Markup.Escape(verdict.Word)}</strong> {Markup.Escape(verdict.Text)}</p>\n");
        foreach (PageSection section in document.Sections)
        {
            html.Append("<section>\n");
            if (section.Heading is { } heading)
            {
                html.Append(CultureInfo.InvariantCulture, $"<h2>{Markup.Escape(heading)}</h2>\n");
            }

            foreach (PageBlock block in section.Blocks)
            {
                Block(html, block);
            }

            html.Append("</section>\n");
        }

        if (document.NextSteps.Count > 0)
        {
            html.Append("<section>\n<h2>Next</h2>\n");
            List(html, ListBlock.Of(document.NextSteps));
            html.Append("</section>\n");
        }

        html.Append("</article>\n");
    }

    private static void Block(StringBuilder html, PageBlock block)
    {
        switch (block)
        {
            case ParagraphBlock paragraph:
                html.Append(CultureInfo.InvariantCulture, $"<p>{Markup.Escape(paragraph.Text)}</p>\n");
                break;
            case ListBlock list:
                List(html, list);
                break;
            case CodeBlock code:
                html.Append(
                    CultureInfo.InvariantCulture,
                    $"{(code.Title is { } title ? $"<h3>{Markup.Escape(title)}</h3>\n" : "")}<pre "
                    + $"class=\"scroll\">{string.Join('\n', code.Lines.Select(Markup.Escape))}</pre>\n");
                break;
            case FactsBlock facts:
                html.Append("<table class=\"facts\">\n");
                foreach (PageFact fact in facts.Facts)
                {
                    html.Append(
                        CultureInfo.InvariantCulture, $"<tr><th scope=\"row\">{Markup.Escape(fact.Name)}</th><td>{Markup.Escape(fact.Value)}</td></tr>\n");
                }

                html.Append("</table>\n");
                break;
            case TableBlock table:
                HtmlTable.Write(html, table);
                break;
            case HistogramBlock histogram:
                html.Append(SvgChart.Histogram(histogram.Buckets));
                break;
            case CurveBlock curve:
                html.Append(SvgChart.Curve(curve.XLabel, curve.Points));
                break;
            case TimeStripBlock strip:
                html.Append(SvgChart.Strip(strip.Label, strip.Intervals));
                break;
            default:
                throw new ArgumentException($"{block.GetType().Name} has no HTML form.", nameof(block));
        }
    }

    private static void List(StringBuilder html, ListBlock list)
    {
        string tag = list.Ordered ? "ol" : "ul";
        html.Append(CultureInfo.InvariantCulture, $"<{tag}>\n");
        foreach (ListItem item in list.Items)
        {
            html.Append(CultureInfo.InvariantCulture, $"<li>{Markup.Escape(item.Text)}");
            foreach (string detail in item.Details)
            {
                html.Append(CultureInfo.InvariantCulture, $"<div class=\"detail\">{Markup.Escape(detail)}</div>");
            }

            html.Append("</li>\n");
        }

        html.Append(CultureInfo.InvariantCulture, $"</{tag}>\n");
    }

    internal static string Class(Tone tone) => tone switch
    {
        Tone.Good => "good",
        Tone.Bad => "bad",
        Tone.Unsure => "unsure",
        _ => "neutral",
    };
}
