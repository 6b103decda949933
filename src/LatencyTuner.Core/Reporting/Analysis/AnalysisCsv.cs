using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>The CSV table of an <c>analysis</c> document.</summary>
internal static class AnalysisCsv
{
    /// <summary>An analysis of captures: one row per transaction.</summary>
    internal static string Write(AnalysisReport report)
    {
        CsvTable table = new(
            "connection", "index", "startUtc", "startMs", "durationMs", "serverMs", "serverLowMs", "serverHighMs", "clientMs", "networkMs", "stallMs",
            "stall", "clientAfterMs",
            "requestBytes", "responseBytes", "firstFrame", "lastFrame", "serverPausesMs");
        foreach (AnalysedTransaction t in report.Transactions)
        {
            table.Row(
                t.Connection, t.Index, t.StartUtc, t.StartMs, t.DurationMs, t.ServerMs, t.ServerLowMs, t.ServerHighMs, t.ClientMs, t.NetworkMs, t.StallMs,
                t.Stall, t.ClientAfterMs,
                t.RequestBytes, t.ResponseBytes, t.FirstFrame, t.LastFrame, t.ServerPausesMs);
        }

        return table.ToString();
    }
}
