namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>A column.</summary>
/// <param name="Header">Its heading.</param>
/// <param name="Right">True for figures, which are aligned to the right.</param>
/// <param name="SubHeader">What the second line of its cells is; null for none.</param>
/// <param name="Optional">True when text may leave it out for want of width; HTML never does.</param>
/// <param name="Legend">What the heading means, a sentence that joins the caption where the column is shown; null for none.</param>
public sealed record TableColumn(string Header, bool Right = false, string? SubHeader = null, bool Optional = false, string? Legend = null);
