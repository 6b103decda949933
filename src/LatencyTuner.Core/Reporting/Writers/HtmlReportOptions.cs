using LatencyTuner.Core.Reporting.Pages;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>How a page is made.</summary>
public sealed record HtmlReportOptions
{
    /// <summary>The files that its documents were read from.</summary>
    public IReadOnlyList<PageInput> Inputs { get; init; } = [];

    /// <summary>True for time series that can be zoomed, by a script in the page; false for a page without scripts.</summary>
    public bool Interactive { get; init; }
}
