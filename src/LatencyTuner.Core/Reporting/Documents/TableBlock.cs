namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>A table.</summary>
/// <param name="Columns">Its columns.</param>
/// <param name="Rows">Its rows, each with one cell per column, or a single cell that heads a group.</param>
/// <param name="Caption">A line below it that explains its signs; null for none.</param>
public sealed record TableBlock(IReadOnlyList<TableColumn> Columns, IReadOnlyList<IReadOnlyList<TableCell>> Rows, string? Caption = null) : PageBlock
{
    /// <summary>The caption with the legends of the columns that are shown; null when there is none of either.</summary>
    /// <param name="shown">Those columns.</param>
    internal string? CaptionOf(IEnumerable<TableColumn> shown)
    {
        string[] sentences = [.. shown.Select(c => c.Legend).Prepend(Caption).OfType<string>()];
        return sentences.Length == 0 ? null : string.Join(' ', sentences);
    }
}
