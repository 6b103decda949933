namespace LatencyTuner.Hosting;

/// <summary>The options every report-printing command has.</summary>
internal sealed record CommonValues(ReportFormat Format, string? Output, bool Quiet, bool NoColor);
