using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Pages;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>Writes a document as text. Lines end in LF. No line is longer than the width, except lines to copy unchanged.</summary>
public static class TextReportWriter
{
    internal const string Indent = "  ";

    /// <summary>Writes a document.</summary>
    /// <param name="document">The document.</param>
    /// <param name="options">Size, characters and colour; null for everything in 80 columns without colour.</param>
    /// <returns>The text.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The width is not from 40 to 500, or the height is under 8.</exception>
    public static string Write(Page document, TextReportOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(document);
        options ??= new TextReportOptions();
        ArgumentOutOfRangeException.ThrowIfLessThan(options.Width, 40, nameof(options));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.Width, 500, nameof(options));

        if (options.Height is { } height)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(height, 8, nameof(options));
            return new TextScreen(options, height).Write(document);
        }

        return Everything(document, options);
    }

    /// <summary>Writes documents together; on a screen they share its rows.</summary>
    /// <param name="documents">The documents.</param>
    /// <param name="options">Size, characters and colour.</param>
    /// <returns>The text.</returns>
    public static string Write(IReadOnlyList<Page> documents, TextReportOptions options)
    {
        ArgumentNullException.ThrowIfNull(documents);
        ArgumentNullException.ThrowIfNull(options);
        return options.Height is { } height && documents.Count > 1 ? TextScreen.Share(documents, options, height)
            : string.Join('\n', documents.Select(d => Write(d, options)));
    }

    internal static string Everything(Page document, TextReportOptions options)
    {
        TextCanvas text = new(options);
        text.Wrapped(document.Verdict.Text, document.Verdict.Word + "  ", Indent, document.Verdict.Tone, bold: true);
        text.Wrapped(document.Title + (document.Subtitle is null ? "" : "; " + document.Subtitle), Indent, Indent, dim: true);
        foreach (PageSection section in document.Sections.Select(InText).Where(s => s.Blocks.Count > 0))
        {
            text.Line("");
            if (section.Heading is { } heading)
            {
                text.Wrapped(heading, "", "", bold: true);
            }

            for (int i = 0; i < section.Blocks.Count; i++)
            {
                if (i > 0 && section.Blocks[i] is TableBlock)
                {
                    text.Line("");
                }

                Block(text, section.Blocks[i], options);
            }
        }

        if (document.NextSteps.Count > 0)
        {
            text.Line("");
            NextStepLines.Heading(text);
            foreach (string step in document.NextSteps)
            {
                NextStepLines.Write(text, step, options.Width);
            }
        }

        return text.ToString();
    }

    /// <summary>A section without the pictures that text does not show.</summary>
    private static PageSection InText(PageSection section) => section.Blocks.Any(b => b is ChartBlock or TextOnlyBlock or PageOnlyBlock)
        ? section with
        {
            Blocks = [.. section.Blocks
                .Select(b => b switch { ChartBlock chart => chart.Text, TextOnlyBlock only => only.Block, PageOnlyBlock => null, _ => b }).OfType<PageBlock>()],
        }
        : section;

    internal static void Block(TextCanvas text, PageBlock block, TextReportOptions options)
    {
        int inner = options.Width - Indent.Length;
        switch (block)
        {
            case ParagraphBlock paragraph:
                text.Wrapped(paragraph.Text, Indent, Indent);
                break;
            case ListBlock list:
                List(text, list);
                break;
            case FactsBlock facts:
                Facts(text, facts);
                break;
            case TableBlock table:
                TextTable.Write(text, table, Indent, options.Width);
                break;
            case CodeBlock code:
                Code(text, code);
                break;
            case HistogramBlock histogram:
                text.Lines(TerminalHistogram.Draw(histogram.Buckets, inner, ascii: options.Ascii), Indent);
                break;
            case CurveBlock curve:
                text.Lines(TerminalCurve.Draw(curve.XLabel, curve.Points, inner, curve.Rows, options.Ascii), Indent);
                break;
            case TimeStripBlock strip:
                text.Lines(TimeStrip.Draw(strip.Label, strip.Intervals, inner, options.Ascii), Indent);
                break;
            default:
                throw new ArgumentException($"{block.GetType().Name} has no text form.", nameof(block));
        }
    }

    private static void Code(TextCanvas text, CodeBlock code)
    {
        if (code.Title is { } title)
        {
            text.Wrapped(title + ":", Indent, Indent, dim: true);
        }

        text.Lines(code.Lines.Select(l => text.Clean(l.Replace("\t", "    ", StringComparison.Ordinal))), code.Title is null ? Indent : Indent + Indent);
    }

    private static void List(TextCanvas text, ListBlock list)
    {
        int shown = list.TextLimit is { } limit && list.Items.Count > limit ? limit : list.Items.Count;
        for (int i = 0; i < shown; i++)
        {
            string mark = list.Ordered ? $"{i + 1}. " : "- ";
            string hanging = Indent + new string(' ', mark.Length);
            text.Wrapped(list.Items[i].Text, Indent + mark, hanging);
            foreach (string detail in list.Items[i].Details)
            {
                text.Wrapped(detail, hanging, hanging + Indent);
            }
        }

        if (shown < list.Items.Count)
        {
            text.Wrapped($"and {list.Items.Count - shown} more: see --format html or json", Indent + "- ", Indent + Indent);
        }
    }

    private static void Facts(TextCanvas text, FactsBlock facts)
    {
        if (facts.Facts.Count == 0)
        {
            return;
        }

        int width = Math.Min(20, facts.Facts.Max(f => f.Name.Length)) + 2;
        foreach (PageFact fact in facts.Facts)
        {
            text.Wrapped(fact.Value, Indent + fact.Name.PadRight(width), Indent + new string(' ', width));
        }
    }
}
