using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Pages;

/// <summary>One piece of a section. The kinds are closed: every writer handles each of them.</summary>
public abstract record PageBlock
{
    private protected PageBlock()
    {
    }
}

/// <summary>A picture. Pages show it with its caption, and the tables of its section folded beneath; text shows what stands for it.</summary>
/// <param name="Chart">The picture.</param>
/// <param name="Text">What text shows in its place; null for nothing, because the tables of the section say it.</param>
/// <param name="Heading">The heading of its section on a page, where that of text names what only text has; null for the same.</param>
internal sealed record ChartBlock(Chart Chart, PageBlock? Text = null, string? Heading = null) : PageBlock
{
    /// <summary>A picture where there is something to show, and none elsewhere.</summary>
    /// <param name="chart">The picture; null for none.</param>
    /// <param name="text">What text shows in its place.</param>
    internal static IEnumerable<PageBlock> Of(Chart? chart, PageBlock? text = null) => chart is null ? [] : [new ChartBlock(chart, text)];
}

/// <summary>Lines to copy unchanged. They are never wrapped, because half a command does not work.</summary>
/// <param name="Lines">The lines, without line ends.</param>
/// <param name="Title">Language or purpose of the lines; null when the section heading names it.</param>
internal sealed record CodeBlock(IReadOnlyList<string> Lines, string? Title = null) : PageBlock;

/// <summary>Figures against a swept dimension, both axes logarithmic.</summary>
/// <param name="XLabel">Name and unit of the dimension.</param>
/// <param name="Points">The points in ascending order.</param>
/// <param name="Rows">Lines of its plot in text.</param>
internal sealed record CurveBlock(string XLabel, IReadOnlyList<CurvePoint> Points, int Rows = 12) : PageBlock;

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
/// <param name="TextLimit">Maximum number of items that the text writer prints, to fit one screen; null for all. HTML always has all.</param>
internal sealed record ListBlock(IReadOnlyList<ListItem> Items, bool Ordered = false, int? TextLimit = null) : PageBlock
{
    /// <summary>Creates a bullet list of plain sentences.</summary>
    /// <param name="items">The sentences.</param>
    /// <param name="textLimit">Maximum number of items that the text writer prints; null for all.</param>
    /// <returns>The list.</returns>
    public static ListBlock Of(IEnumerable<string> items, int? textLimit = null) => new([.. items.Select(i => new ListItem(i))], TextLimit: textLimit);
}

/// <summary>An item of a list.</summary>
/// <param name="Text">The text of the item.</param>
/// <param name="Details">Lines below the text.</param>
internal sealed record ListItem(string Text, params string[] Details);

/// <summary>Running text.</summary>
/// <param name="Text">The text; writers wrap it.</param>
internal sealed record ParagraphBlock(string Text) : PageBlock;

/// <summary>A table.</summary>
/// <param name="Columns">Its columns.</param>
/// <param name="Rows">Its rows, each with one cell per column, or a single cell that heads a group.</param>
/// <param name="Caption">Text below the table that explains its columns and signs; null for none.</param>
internal sealed record TableBlock(IReadOnlyList<TableColumn> Columns, IReadOnlyList<IReadOnlyList<TableCell>> Rows, string? Caption = null) : PageBlock
{
    /// <summary>Rows that a screen counts and does not show.</summary>
    internal int NotListed { get; init; }

    /// <summary>The rows in the order in which a screen with too little room keeps them, by their indexes; null for the first ones.</summary>
    internal IReadOnlyList<int>? Importance { get; init; }

    /// <summary>Some of the rows, in their order: the most important ones, or the first.</summary>
    /// <param name="count">How many.</param>
    internal IReadOnlyList<IReadOnlyList<TableCell>> Foremost(int count) =>
        Importance is null ? [.. Rows.Take(count)] : [.. Importance.Take(count).Order().Select(i => Rows[i])];

    /// <summary>
    /// The table without the columns that have nothing in any row, and with <c>-</c> in the other cells that are empty: whoever reads it need not guess
    /// whether something was forgotten. The first column has names, which may be those of the row above.
    /// </summary>
    internal TableBlock WithoutGaps()
    {
        IReadOnlyList<TableCell>[] full = [.. Rows.Where(r => r.Count == Columns.Count)];
        int[] kept = [.. Enumerable.Range(0, Columns.Count).Where(i => i == 0 || full.Length == 0 || full.Any(r => HasAny(r[i])))];
        return kept.Length == Columns.Count && full.All(r => r.Skip(1).All(HasAny)) ? this : this with
        {
            Columns = [.. kept.Select(i => Columns[i])],
            Rows =
            [
                .. Rows.Select(r => r.Count != Columns.Count ? r
                    : [.. kept.Select(i => i == 0 || HasAny(r[i]) ? r[i] : r[i] with { Text = Format.Unknown })]),
            ],
        };
    }

    private static bool HasAny(TableCell cell) => cell.Text.Length > 0 || cell.Detail is { Length: > 0 };

    /// <summary>The table for a screen: one line per row, without a caption.</summary>
    internal TableBlock InOneLine() => this with
    {
        Columns = [.. Columns.Select(c => c with { SubHeader = null })],
        Rows = [.. Rows.Select(r => (IReadOnlyList<TableCell>)[.. r.Select(c => c with { Detail = null })])],
        Caption = null,
    };

    /// <summary>The caption with the legends of the columns that are shown; null when there is neither.</summary>
    /// <param name="shown">The columns that are shown.</param>
    internal string? CaptionOf(IEnumerable<TableColumn> shown)
    {
        string[] sentences = [.. shown.Select(c => c.Legend).Prepend(Caption).OfType<string>()];
        return sentences.Length == 0 ? null : string.Join(' ', sentences);
    }
}

/// <summary>A cell.</summary>
/// <param name="Text">The figure with its unit, or a word.</param>
/// <param name="Detail">A second line, such as the interval of the figure; null for none.</param>
/// <param name="Tone">Whether the value is good, bad, unsure or neutral.</param>
internal sealed record TableCell(string Text, string? Detail = null, Tone Tone = Tone.Neutral)
{
    /// <summary>Name of its place in a page, for links; null for none. Made by this program, never from a document.</summary>
    internal string? Anchor { get; init; }

    /// <summary>The place in the page that it leads to; null for none.</summary>
    internal string? Link { get; init; }
}

/// <summary>A column.</summary>
/// <param name="Header">Its heading.</param>
/// <param name="Right">True for figures, which are aligned to the right.</param>
/// <param name="SubHeader">What the second line of its cells shows; null for none.</param>
/// <param name="Optional">True when the text writer may leave the column out of a narrow table; HTML always has it.</param>
/// <param name="Legend">What the heading means: a sentence that is added to the caption where the column is shown; null for none.</param>
internal sealed record TableColumn(string Header, bool Right = false, string? SubHeader = null, bool Optional = false, string? Legend = null);

/// <summary>What only text shows, because a picture of the page shows it already.</summary>
/// <param name="Block">What text shows.</param>
internal sealed record TextOnlyBlock(PageBlock Block) : PageBlock;

/// <summary>What only a page shows, because a terminal has no room for it.</summary>
/// <param name="Block">What the page shows.</param>
internal sealed record PageOnlyBlock(PageBlock Block) : PageBlock;

/// <summary>A latency over time, one value per interval.</summary>
/// <param name="Label">What each value is, for example <c>p99 per 100 ms</c>.</param>
/// <param name="Intervals">The intervals in order.</param>
internal sealed record TimeStripBlock(string Label, IReadOnlyList<StripInterval> Intervals) : PageBlock;
