using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;

namespace LatencyTuner.Core.Reporting.Measurement;

/// <summary>The charts of a measurement, from the distributions in its document.</summary>
internal static class MeasurementCharts
{
    private const int MostBars = 16;

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

    /// <summary>Bars of equal logarithmic width over the range that was seen.</summary>
    internal static List<HistogramBar> Bars(LatencyHistogram total)
    {
        if (total.Count == 0 || total.MaxNs <= Math.Max(total.MinNs, 100))
        {
            return [];
        }

        double low = Math.Max(total.MinNs, 100);
        double ratio = Math.Pow((total.MaxNs + 1) / low, 1.0 / MostBars);
        List<HistogramBar> bars = [];
        double from = low;
        long before = 0;
        for (int i = 0; i < MostBars; i++)
        {
            double to = i == MostBars - 1 ? total.MaxNs + 1 : from * ratio;
            long upTo = i == MostBars - 1 ? total.Count : total.CountAtOrBelow((long)to);
            bars.Add(new HistogramBar(from / 1e3, to / 1e3, upTo - before));
            (from, before) = (to, upTo);
        }

        return bars;
    }

    private static TimeStripBlock? Strip(List<(RunFigures Run, LatencyHistogram Histogram)> parts) => parts.Count < 3 ? null : new TimeStripBlock(
        "99th percentile (or the largest) of each part of the run",
        [.. parts.Select(p => new StripInterval(p.Run.StartMs, p.Histogram.Count == 0 ? null : p.Histogram.ValueAtPercentile(99) / 1e3))]);
}
