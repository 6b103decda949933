using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;

namespace LatencyTuner.Core.Reporting.Measurement;

/// <summary>The charts of a measurement, from the distributions in its document.</summary>
internal static class MeasurementCharts
{
    /// <summary>The page with its histogram and its time strip.</summary>
    /// <param name="report">A measurement, made here or read from a file.</param>
    /// <exception cref="ExpectedFailureException">A stored histogram is damaged.</exception>
    public static Page PageOf(MeasurementReport report)
    {
        List<(RunFigures Run, LatencyHistogram Histogram)> parts = [.. report.Runs.Select(run => (run, StoredHistograms.Decode(run.Histogram)))];
        LatencyHistogram total = new();
        parts.ForEach(p => total.Add(p.Histogram));
        return MeasurementPage.Of(report, Bars(total), Strip(parts));
    }

    /// <summary>
    /// The buckets of a distribution that hold values, as the histogram counted them; none when all values are the same or below 100 ns, since
    /// one bar is no distribution.
    /// </summary>
    internal static List<HistogramBar> Bars(LatencyHistogram total)
    {
        List<HistogramBar> bars = [];
        if (total.Count == 0 || total.MaxNs <= Math.Max(total.MinNs, 100))
        {
            return bars;
        }

        foreach (HistogramBucket bucket in total)
        {
            // The ends are known exactly; the buckets around them are wider.
            long low = Math.Max(bucket.LowNs, total.MinNs);
            long high = Math.Min(bucket.HighNs, total.MaxNs) + 1;
            bars.Add(new HistogramBar(low / 1e3, high / 1e3, bucket.Count));
        }

        return bars;
    }

    private static TimeStripBlock? Strip(List<(RunFigures Run, LatencyHistogram Histogram)> parts) => parts.Count < 3 ? null : new TimeStripBlock(
        "99th percentile (or the largest) of each part of the run",
        [.. parts.Select(p => new StripInterval(p.Run.StartMs, p.Histogram.Count == 0 ? null : p.Histogram.ValueAtPercentile(99) / 1e3))]);
}
