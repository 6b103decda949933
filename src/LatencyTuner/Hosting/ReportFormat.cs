namespace LatencyTuner.Hosting;

/// <summary>The forms a report can be printed in.</summary>
internal enum ReportFormat
{
    Text,
    Json,
    Csv,
    Junit,
    Html,
    Github,
    Azure,
}
