using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Diagnosis;

/// <summary>The CSV table of a <c>diagnosis</c> document.</summary>
internal static class DiagnosisCsv
{
    /// <summary>An experiment: one row per cell.</summary>
    internal static string Write(DiagnosisReport report)
    {
        CsvTable table = new(
            "target", "pattern", "noDelay", "peerNoDelay", "ack", "peerAck", "n", "minUs", "meanUs", "p50Us", "p50LowUs", "p50HighUs", "p99Us", "p99LowUs",
            "p99HighUs",
            "maxUs", "stallShare", "stallMedianMs", "pureAcksPerRequest", "senderSrttUs", "senderMinRttUs", "notMeasuredBecause");
        foreach ((string? name, IReadOnlyList<DiagnosisCell>? cells) in new[] {
            (report.Target.Name, report.Cells), ("loopback", report.Loopback?.Cells ?? []) })
        {
            foreach (DiagnosisCell cell in cells)
            {
                (IntervalFigures? p50, IntervalFigures? p99) = (cell.Intervals.GetValueOrDefault("p50Us"), cell.Intervals.GetValueOrDefault("p99Us"));
                table.Row(
                    name, cell.Pattern, cell.NoDelay, cell.PeerNoDelay, cell.Ack, cell.PeerAck, cell.N, cell.MinUs, cell.MeanUs, cell.P50Us, p50?.LowUs,
                    p50?.HighUs,
                    cell.P99Us, p99?.LowUs, p99?.HighUs, cell.MaxUs, cell.StallShare, cell.StallMedianMs, cell.PureAcksPerRequest, cell.SenderSrttUs,
                    cell.SenderMinRttUs, cell.NotMeasuredBecause);
            }
        }

        return table.ToString();
    }
}
