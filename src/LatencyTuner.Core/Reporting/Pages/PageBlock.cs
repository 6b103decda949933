using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Charts;

namespace LatencyTuner.Core.Reporting.Pages;

/// <summary>One piece of a section. The kinds are closed: every writer handles each of them.</summary>
public abstract record PageBlock
{
    private protected PageBlock()
    {
    }
}

/// <summary>Lines to be copied as they are: never wrapped, however long, because half a command is none.</summary>
/// <param name="Lines">The lines, without their ends.</param>
/// <param name="Title">What they are written in, or for; null when the section says so.</param>
internal sealed record CodeBlock(IReadOnlyList<string> Lines, string? Title = null) : PageBlock;

/// <summary>Figures against a swept dimension, both axes logarithmic.</summary>
/// <param name="XLabel">Name and unit of the dimension.</param>
/// <param name="Points">The points in ascending order.</param>
internal sealed record CurveBlock(string XLabel, IReadOnlyList<CurvePoint> Points) : PageBlock;

/// <summary>A name with its value.</summary>
/// <param name="Name">One to three words.</param>
/// <param name="Value">The value with its unit.</param>
internal sealed record PageFact(string Name, string Value);

/// <summary>Names with their values.</summary>
/// <param name="Facts">The pairs in order.</param>
internal sealed record FactsBlock(IReadOnlyList<PageFact> Facts) : PageBlock;

/// <summary>A distribution as bars.</summary>
/// <param name="Buckets">Adjacent buckets in ascending order.</param>
internal sealed record HistogramBlock(IReadOnlyList<HistogramBar> Buckets) : PageBlock;

/// <summary>A list.</summary>
/// <param name="Items">Its items.</param>
/// <param name="Ordered">True to number them.</param>
/// <param name="TextLimit">Most items that the text writer prints, for reports of one screen; null for all. HTML has them all.</param>
internal sealed record ListBlock(IReadOnlyList<ListItem> Items, bool Ordered = false, int? TextLimit = null) : PageBlock
{
    /// <summary>Creates a bullet list of plain sentences.</summary>
    /// <param name="items">The sentences.</param>
    /// <param name="textLimit">Most items that the text writer prints; null for all.</param>
    /// <returns>The list.</returns>
    public static ListBlock Of(IEnumerable<string> items, int? textLimit = null) => new([.. items.Select(i => new ListItem(i))], TextLimit: textLimit);
}

/// <summary>An item of a list.</summary>
/// <param name="Text">The item.</param>
/// <param name="Details">Lines below it.</param>
internal sealed record ListItem(string Text, params string[] Details);

/// <summary>Running text.</summary>
/// <param name="Text">The text; writers wrap it.</param>
internal sealed record ParagraphBlock(string Text) : PageBlock;

/// <summary>A table.</summary>
/// <param name="Columns">Its columns.</param>
/// <param name="Rows">Its rows, each with one cell per column, or a single cell that heads a group.</param>
/// <param name="Caption">A line below it that explains its signs; null for none.</param>
internal sealed record TableBlock(IReadOnlyList<TableColumn> Columns, IReadOnlyList<IReadOnlyList<TableCell>> Rows, string? Caption = null) : PageBlock
{
    /// <summary>The caption with the legends of the columns that are shown; null when there is none of either.</summary>
    /// <param name="shown">Those columns.</param>
    internal string? CaptionOf(IEnumerable<TableColumn> shown)
    {
        string[] sentences = [.. shown.Select(c => c.Legend).Prepend(Caption).OfType<string>()];
        return sentences.Length == 0 ? null : string.Join(' ', sentences);
    }
}

/// <summary>A cell.</summary>
/// <param name="Text">The figure with its unit, or a word.</param>
/// <param name="Detail">A second line, such as the interval of the figure; null for none.</param>
/// <param name="Tone">What it means to the reader.</param>
internal sealed record TableCell(string Text, string? Detail = null, Tone Tone = Tone.Neutral);

/// <summary>A column.</summary>
/// <param name="Header">Its heading.</param>
/// <param name="Right">True for figures, which are aligned to the right.</param>
/// <param name="SubHeader">What the second line of its cells is; null for none.</param>
/// <param name="Optional">True when text may leave it out for want of width; HTML never does.</param>
/// <param name="Legend">What the heading means, a sentence that joins the caption where the column is shown; null for none.</param>
internal sealed record TableColumn(string Header, bool Right = false, string? SubHeader = null, bool Optional = false, string? Legend = null);

/// <summary>A latency over time, one value per interval.</summary>
/// <param name="Label">What each value is, for example <c>p99 per 100 ms</c>.</param>
/// <param name="Intervals">The intervals in order.</param>
internal sealed record TimeStripBlock(string Label, IReadOnlyList<StripInterval> Intervals) : PageBlock;
