using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Protocols;

/// <summary>The CSV table of a <c>protocols</c> document.</summary>
internal static class ProtocolsCsv
{
    /// <summary>One row for each part of the exchanges with each target.</summary>
    internal static string Write(ProtocolsReport report)
    {
        CsvTable table = new(
            "target", "protocol", "connection", "sent", "errors", "skipped", "phase", "n", "minUs", "p10Us", "p50Us", "p50LowUs", "p50HighUs", "meanUs",
            "p90Us", "p99Us", "p99_9Us", "maxUs");
        foreach (ProtocolTarget target in report.Targets)
        {
            foreach (ProtocolPhase? phase in target.Phases.DefaultIfEmpty(new ProtocolPhase { Name = "", Latency = new LatencyFigures { Count = 0 } }))
            {
                (LatencyFigures? latency, IntervalFigures? p50) = (phase.Latency, phase.Latency.Intervals.GetValueOrDefault("p50Us"));
                table.Row(
                    target.Target.Name, target.Protocol, target.Connection, target.Sent, target.Errors, target.Skipped, phase.Name, latency.Count,
                    latency.MinUs, latency.P10Us,
                    latency.P50Us, p50?.LowUs, p50?.HighUs, latency.MeanUs, latency.P90Us, latency.P99Us, latency.P999Us, latency.MaxUs);
            }
        }

        return table.ToString();
    }
}
