using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Measurement;

/// <summary>The CSV table of <c>measurement</c> documents; a check has the same table.</summary>
internal static class MeasurementCsv
{
    /// <summary>Measurements: one row per measured distribution (response time, service time, send lateness).</summary>
    internal static string Write(IReadOnlyList<MeasurementReport> reports)
    {
        CsvTable table = new(
            "target", "address", "port", "startedUtc", "complete", "pattern", "sizeBytes", "replySizeBytes", "ratePerSecond", "connections", "inFlight",
            "noDelay", "peerNoDelay", "ack", "peerAck", "sent", "received", "errors", "durationMs", "throughputPerSecond", "stalls", "stallShare",
            "stallTotalMs",
            "distribution", "count", "minUs", "meanUs", "stdevUs", "p10Us", "p50Us", "p50LowUs", "p50HighUs", "p90Us", "p99Us", "p99LowUs", "p99HighUs",
            "p99_9Us", "p99_99Us", "maxUs");
        foreach (MeasurementReport report in reports)
        {
            foreach ((string? name, LatencyFigures? figures) in new (string, LatencyFigures?)[]
            {
                ("responseTime", report.ResponseTime), ("serviceTime", report.ServiceTime), ("sendLateness", report.SendLateness),
            })
            {
                if (figures is null)
                {
                    continue;
                }

                (RequestedOptions? asked, EffectiveOptions? effective) = (report.Options.Requested, report.Options.Effective);
                (IntervalFigures? p50, IntervalFigures? p99) = (figures.Intervals.GetValueOrDefault("p50Us"), figures.Intervals.GetValueOrDefault("p99Us"));
                table.Row(
                    report.Target.Name, report.Target.Address, report.Target.Port, report.StartedUtc, report.Complete, report.Pattern, asked.SizeBytes,
                    asked.ReplySizeBytes, asked.RatePerSecond, asked.Connections, asked.InFlight, effective?.Local.NoDelay ?? asked.NoDelay,
                    effective?.Peer.NoDelay ?? asked.PeerNoDelay, effective?.Local.Ack ?? asked.Ack, effective?.Peer.Ack ?? asked.PeerAck, report.Sent,
                    report.Received, report.Errors, report.DurationMs, report.ThroughputPerSecond, report.Stalls.Count, report.Stalls.Share,
                    report.Stalls.TotalMs,
                    name, figures.Count, figures.MinUs, figures.MeanUs, figures.StdevUs, figures.P10Us, figures.P50Us, p50?.LowUs, p50?.HighUs, figures.P90Us,
                    figures.P99Us, p99?.LowUs, p99?.HighUs, figures.P999Us, figures.P9999Us, figures.MaxUs);
            }
        }

        return table.ToString();
    }
}
