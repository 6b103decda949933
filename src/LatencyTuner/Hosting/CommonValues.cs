using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Hosting;

/// <summary>The values of the options of every command that prints a report.</summary>
internal sealed record CommonValues(ReportFormat Format, string? Output, bool Quiet, bool NoColor, bool Details = false)
{
    /// <summary>The words of the command line, for the command lines of next steps.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>What the user says of the run: operator, ticket and note.</summary>
    public DocumentOrigin Said { get; init; } = new();

    /// <summary>The chart to write alone; null for the report.</summary>
    public string? Chart { get; init; }

    /// <summary>True for a page whose time series can be zoomed, with a script in it.</summary>
    public bool Interactive { get; init; }

    /// <summary>The given options that reach a target.</summary>
    public IReadOnlyList<string> PathOptions { get; init; } = [];
}
