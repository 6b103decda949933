namespace LatencyTuner.Hosting;

/// <summary>The values of the options of every command that prints a report.</summary>
internal sealed record CommonValues(ReportFormat Format, string? Output, bool Quiet, bool NoColor, bool Details = false)
{
    /// <summary>The words of the command line, for the command lines of next steps.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>The given options that reach a target.</summary>
    public IReadOnlyList<string> PathOptions { get; init; } = [];
}
