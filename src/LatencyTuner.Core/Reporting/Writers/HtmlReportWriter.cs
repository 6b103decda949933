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
    private const int MostInputs = 50;

    /// <summary>Writes one document.</summary>
    /// <param name="document">The document.</param>
    /// <returns>The page.</returns>
    public static string Write(Page document) => Write([document]);

    /// <summary>Writes documents, several hosts together, one after the other with a list of contents.</summary>
    /// <param name="documents">The documents, at least one.</param>
    /// <param name="options">The files that they were read from, and whether the page has a script; null for neither.</param>
    /// <returns>The page.</returns>
    /// <exception cref="ArgumentException">There is no document.</exception>
    public static string Write(IReadOnlyList<Page> documents, HtmlReportOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(documents);
        if (documents.Count == 0)
        {
            throw new ArgumentException("A page needs a document.", nameof(documents));
        }

        options ??= new();
        HtmlScript? script = options.Interactive ? HtmlScript.Of(documents) : null;
        string title = documents.Count == 1 ? documents[0].Title : $"{documents.Count} reports";
        StringBuilder html = new();
        html.Append(CultureInfo.InvariantCulture, $"""
            <!DOCTYPE html>
            <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
            <head>
            <meta charset="utf-8"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'{script?.Policy}"/>
            <title>latencytuner: {Markup.Escape(title)}</title>
            <style>
            {HtmlStyle.Sheet}{script?.Sheet}
            </style>
            </head>
            <body>
            <main>

            """);
        if (documents.Count > 1)
        {
            Contents(html, documents, options.Inputs);
        }

        for (int i = 0; i < documents.Count; i++)
        {
            Document(html, documents[i], i + 1, documents.Count == 1 ? options.Inputs : []);
        }

        return html.Append("</main>\n").Append(script?.Elements).Append("</body>\n</html>\n").Replace("\r\n", "\n").ToString();
    }

    private static void Contents(StringBuilder html, IReadOnlyList<Page> documents, IReadOnlyList<PageInput> inputs)
    {
        html.Append("<nav aria-label=\"Reports\">\n<h1>Reports</h1>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Reports\"><table>\n"
            + "<thead><tr><th scope=\"col\">report</th><th scope=\"col\">hosts</th><th scope=\"col\">time</th><th scope=\"col\">verdict</th></tr></thead>\n"
            + "<tbody>\n");
        for (int i = 0; i < documents.Count; i++)
        {
            Verdict verdict = documents[i].Verdict;
            PageHeader header = documents[i].Header ?? new();
            html.Append(
                CultureInfo.InvariantCulture,
                $"<tr><td><a href=\"#r{i + 1}\">{Markup.Escape(documents[i].Title)}</a></td><td>{Markup.Escape(header.Hosts ?? "")}</td>"
                + $"<td>{(header.StartedUtc is { } at ? Format.Utc(at) : "")}</td>"
                + $"<td><strong class=\"{Class(verdict.Tone)}\">{Markup.Escape(verdict.Word)}</strong></td></tr>\n");
        }

        html.Append("</tbody></table></div>\n");
        if (inputs.Count > 0)
        {
            string files = Counted.Of(inputs.Count, "file");
            html.Append(CultureInfo.InvariantCulture, $"<details><summary>{files} that this page was made from</summary>\n<dl class=\"ticket\">\n");
            Inputs(html, inputs);
            html.Append("</dl>\n</details>\n");
        }

        html.Append("</nav>\n");
    }

    private static void Document(StringBuilder html, Page document, int number, IReadOnlyList<PageInput> inputs)
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
        Ticket(html, document.Header ?? new(), inputs);
        // Pictures first: who looks for ten seconds sees the verdict and them.
        foreach (PageSection section in document.Sections.Where(HasPicture).Concat(document.Sections.Where(s => !HasPicture(s))))
        {
            Section(html, section, number);
        }

        if (document.NextSteps.Count > 0)
        {
            html.Append("<section>\n<h2>Next</h2>\n");
            List(html, ListBlock.Of(document.NextSteps));
            html.Append("</section>\n");
        }

        html.Append("</article>\n");
    }

    private static bool HasPicture(PageSection section) => section.Blocks.Any(b => b is ChartBlock);

    private static void Ticket(StringBuilder html, PageHeader header, IReadOnlyList<PageInput> inputs)
    {
        (string Name, string? Value)[] facts =
        [
            ("Ticket", header.Ticket), ("Note", header.Note), ("Hosts", header.Hosts), ("Operator", header.Operator),
            ("Date", header.StartedUtc is { } at ? Format.Utc(at) : null), ("Command", header.CommandLine), ("Tool", header.Tool),
        ];
        IReadOnlyList<PageInput> files = [.. header.Inputs, .. inputs];
        if (facts.All(f => f.Value is null) && files.Count == 0)
        {
            return;
        }

        html.Append("<dl class=\"ticket\">\n");
        foreach ((string name, string value) in facts.Where(f => f.Value is not null).Select(f => (f.Name, f.Value!)))
        {
            string text = Markup.Escape(value);
            html.Append(CultureInfo.InvariantCulture, $"<dt>{name}</dt><dd>{(name == "Command" ? $"<code>{text}</code>" : text)}</dd>\n");
        }

        Inputs(html, files);
        html.Append("</dl>\n");
    }

    private static void Inputs(StringBuilder html, IReadOnlyList<PageInput> inputs)
    {
        foreach (PageInput input in inputs.Take(MostInputs))
        {
            html.Append(
                CultureInfo.InvariantCulture,
                $"<dt>File</dt><dd>{Markup.Escape(input.Path)}{(input.Sha256 is { } hash ? $" <code>SHA-256 {Markup.Escape(hash)}</code>" : "")}</dd>\n");
        }

        if (inputs.Count > MostInputs)
        {
            html.Append(CultureInfo.InvariantCulture, $"<dt>File</dt><dd>and {inputs.Count - MostInputs} more</dd>\n");
        }
    }

    private static void Section(StringBuilder html, PageSection section, int number)
    {
        PageBlock[] shown = [.. section.Blocks.Where(b => b is not TextOnlyBlock)];
        if (shown.Length == 0)
        {
            return;
        }

        html.Append(section.IsFolded ? "<details>\n" : "<section>\n");
        string? heading = shown.OfType<ChartBlock>().FirstOrDefault()?.Heading ?? section.Heading;
        if (heading is not null)
        {
            string title = $"<h2>{Markup.Escape(heading)}</h2>";
            html.Append(CultureInfo.InvariantCulture, $"{(section.IsFolded ? $"<summary>{title}</summary>" : title)}\n");
        }

        bool folds = HasPicture(section);
        foreach (PageBlock block in shown)
        {
            if (block is ChartBlock { Chart: var chart })
            {
                html.Append(CultureInfo.InvariantCulture, $"<figure id=\"r{number}-{chart.Name}\">\n<figcaption>{Markup.Escape(chart.Caption)}</figcaption>\n");
                foreach ((string size, double width) in new[] { ("wide", SvgChart.Wide), ("narrow", SvgChart.Narrow) })
                {
                    SvgDrawing svg = SvgChart.Draw(chart, width);
                    string scrolls = svg.Width > width ? $" tabindex=\"0\" role=\"group\" aria-label=\"{Markup.Escape(chart.Caption)}\"" : "";
                    html.Append(CultureInfo.InvariantCulture, $"<div class=\"{size} scroll\"{scrolls}>{svg.Write(chart.Alternative)}</div>\n");
                }

                html.Append("</figure>\n");
            }
            else if (folds && block is TableBlock)
            {
                html.Append("<details><summary>The numbers</summary>\n");
                Block(html, block);
                html.Append("</details>\n");
            }
            else
            {
                Block(html, block is PageOnlyBlock only ? only.Block : block);
            }
        }

        html.Append(section.IsFolded ? "</details>\n" : "</section>\n");
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
                    + $"class=\"scroll\" tabindex=\"0\">{string.Join('\n', code.Lines.Select(Markup.Escape))}</pre>\n");
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
