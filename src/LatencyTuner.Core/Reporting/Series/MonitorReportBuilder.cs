using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Monitoring;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Series;

/// <summary>Adds the figures that only the run of a monitor has to the document of series.</summary>
public static class MonitorReportBuilder
{
    /// <summary>Maximum number of alerts in a document.</summary>
    public const int MostAlerts = 1000;

    /// <summary>The document with the figures of the run.</summary>
    /// <param name="report">The document of the stored series.</param>
    /// <param name="timing">The delays that the monitor itself added.</param>
    /// <param name="alerts">The first <see cref="MostAlerts"/> alerts.</param>
    /// <param name="alertCount">Number of all alerts.</param>
    public static SeriesReport With(SeriesReport report, MonitorTiming timing, IReadOnlyList<MonitorAlert> alerts, long alertCount)
    {
        ArgumentNullException.ThrowIfNull(report);
        ArgumentNullException.ThrowIfNull(timing);
        ArgumentNullException.ThrowIfNull(alerts);
        return report with
        {
            Monitor = new MonitorFigures
            {
                SendLateness = Of(timing.SendLateness),
                ReceiveLateness = Of(timing.ReceiveLateness),
                Alerts = [.. alerts.Take(MostAlerts).Select(a => new MonitorAlertFigures { Id = a.Id, AtUtc = a.AtUtc, Target = a.Target, Text = a.Text })],
                AlertCount = alertCount,
            },
            Notes = [.. Sentences(timing), .. report.Notes],
        };
    }

    private static LatencyFigures? Of(LatencyHistogram histogram) =>
        histogram.Count == 0 ? null : LatencyFigures.From(LatencySummary.From(histogram, null, []));

    private static IEnumerable<string> Sentences(MonitorTiming timing)
    {
        if (timing.SendLateness.Count > 0)
        {
            yield return $"Requests left {Percentiles(timing.SendLateness)} after their planned time. Response times count from the actual send.";
        }

        if (timing.ReceiveLateness is { Count: > 0, MaxNs: > 0 })
        {
            yield return $"An answer may have waited unread for {Percentiles(timing.ReceiveLateness)} because another target was being served. The "
                + "response times include this wait.";
        }
    }

    private static string Percentiles(LatencyHistogram h) =>
        $"{Format.Us(h.ValueAtPercentile(50) / 1e3)} (median), {Format.Us(h.ValueAtPercentile(99) / 1e3)} (99th percentile) and {Format.Us(h.MaxNs / 1e3)} "
        + $"(largest of {Counted.Of(h.Count, "value")})";
}
