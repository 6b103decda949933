namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>A table.</summary>
/// <param name="Columns">Its columns.</param>
/// <param name="Rows">Its rows, each with one cell per column, or a single cell that heads a group.</param>
/// <param name="Caption">A line below it that explains its signs; null for none.</param>
public sealed record TableBlock(IReadOnlyList<TableColumn> Columns, IReadOnlyList<IReadOnlyList<TableCell>> Rows, string? Caption = null) : DocumentBlock;
