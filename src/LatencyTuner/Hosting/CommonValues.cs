namespace LatencyTuner.Hosting;

/// <summary>The values of the options of every command that prints a report.</summary>
internal sealed record CommonValues(ReportFormat Format, string? Output, bool Quiet, bool NoColor);
