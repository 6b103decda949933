using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Measurement;

/// <summary>The charts of a measurement, from the distributions in its document.</summary>
internal static class MeasurementCharts
{
    private const int MostRuns = 8;

    /// <summary>The page with its charts.</summary>
    /// <param name="report">A measurement, made here or read from a file.</param>
    /// <exception cref="ExpectedFailureException">A stored histogram is damaged.</exception>
    public static Page PageOf(MeasurementReport report) => MeasurementPage.Of(report, Of(report));

    /// <summary>The charts.</summary>
    /// <param name="report">A measurement.</param>
    /// <exception cref="ExpectedFailureException">A stored histogram is damaged.</exception>
    internal static MeasurementPictures Of(MeasurementReport report)
    {
        List<(RunFigures Run, LatencyHistogram Histogram)> parts = [.. report.Runs.Select(run => (run, StoredHistograms.Decode(run.Histogram)))];
        LatencyHistogram total = new();
        parts.ForEach(p => total.Add(p.Histogram));
        List<HistogramBar> bars = Bars(total);
        List<PercentileCurve> curves = [new("all requests", total, report.ResponseTime)];
        IGrouping<int, (RunFigures Run, LatencyHistogram Histogram)>[] runs = [.. parts.GroupBy(p => p.Run.Run)];
        if (runs.Length > 1)
        {
            curves.InsertRange(0, runs.Take(MostRuns).Select(r => new PercentileCurve("single runs", Sum(r.Select(p => p.Histogram)), null, Thin: true)));
            curves.Reverse();
        }

        return new(
            LatencyCharts.Percentiles(curves, Caption(report, runs.Length)),
            LatencyCharts.Distribution(bars, "Each bar counts the requests that took this long; separate humps have separate causes."),
            bars,
            OverTime(report, parts),
            Strip(parts));
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

    private static string Caption(MeasurementReport report, int runs) =>
        report.ResponseTime.P50Us is { } median
            ? $"Half of the requests took {Format.Us(median)} or less; the curve shows how slow the rare ones were"
                + (runs > 1 ? $", for each of {Math.Min(runs, MostRuns)} runs and for all together." : ".")
            : "Too few requests for percentiles: the curve shows each of them.";

    private static LatencyHistogram Sum(IEnumerable<LatencyHistogram> parts)
    {
        LatencyHistogram sum = new();
        foreach (LatencyHistogram part in parts)
        {
            sum.Add(part);
        }

        return sum;
    }

    private static PlotChart? OverTime(MeasurementReport report, List<(RunFigures Run, LatencyHistogram Histogram)> parts)
    {
        if (parts.Count < 3)
        {
            return null;
        }

        string[] names = ["median", "99th percentile", "largest"];
        ChartKey median = new("median", 1, KeyShape.Line);
        ChartKey tail = new("99th percentile (or the largest)", 4, KeyShape.DashedLine);
        ChartKey largest = new("largest", 2, KeyShape.Dot);
        ChartKey stalls = new("with stalls", 2, KeyShape.Area);
        ChartKey gaps = new("no reply", 5, KeyShape.Area);
        long limit = (long)(report.Stalls.ThresholdMs * 1e6);
        List<ChartMark> marks = [];
        List<ChartPoint> p50 = [];
        List<ChartPoint> p99 = [];
        List<ColumnMark> columns = [];
        List<DotMark> dots = [];
        double end = parts[0].Run.StartMs / 1e3;
        foreach ((RunFigures run, LatencyHistogram histogram) in parts)
        {
            (double from, double to) = (run.StartMs / 1e3, (run.StartMs + run.DurationMs) / 1e3);
            double middle = (from + to) / 2;
            if (histogram.Count == 0)
            {
                marks.Add(new SpanMark(gaps, from, to, $"no reply from {ChartText.Seconds(Math.Round(from, 3))} to {ChartText.Seconds(Math.Round(to, 3))}"));
                p50.Add(new(middle, double.NaN));
                p99.Add(new(middle, double.NaN));
                continue;
            }

            double Us(double percentile) => histogram.ValueAtPercentile(percentile) / 1e3;
            if (report.Stalls.Count > 0 && histogram.CountAbove(limit) is > 0 and var slow)
            {
                marks.Add(new SpanMark(stalls, from, to, $"{Format.Count(slow)} of {Counted.Of(histogram.Count, "request")} stalled"));
            }

            p50.Add(new(middle, Us(50)));
            p99.Add(new(middle, Us(99)));
            dots.Add(new(largest, middle, histogram.MaxNs / 1e3, null));
            columns.Add(new(from, to, histogram.Count, [Us(50), Us(99), histogram.MaxNs / 1e3], names));
            end = Math.Max(end, to);
        }

        if (dots.Count == 0)
        {
            return null;
        }

        List<ChartKey> keys = [median, tail, largest];
        keys.AddRange(new[] { stalls, gaps }.Where(k => marks.Any(m => m.Key == k)));
        ChartScale x = ChartScale.Time(parts[0].Run.StartMs / 1e3, end, clock: false);
        ChartScale y = ChartScale.Of(p50.Concat(p99).Select(p => p.Y).Concat(dots.Select(d => d.Y)));
        return new PlotChart
        {
            Name = "over-time",
            Caption = "Whether the time of a request was steady"
                + (marks.Any(m => m.Key == stalls) ? "; shaded parts have stalled requests." : "; no part has stalled requests."),
            Alternative = $"Median, 99th percentile and largest time of {parts.Count} parts of the run. Medians from {Low(p50)} to {High(p50)}, largest "
                + $"{Format.Us(dots.Max(d => d.Y))}.",
            X = new("time since the first request", x, ChartText.Seconds),
            Y = new("time of a request in each part", y, ChartText.Us),
            Keys = keys,
            Marks = [.. marks, new LineMark(tail, p99), new LineMark(median, p50), .. dots, .. columns],
            IsTimeSeries = true,
        };
    }

    private static string Low(List<ChartPoint> points) => Format.Us(points.Where(p => double.IsFinite(p.Y)).Min(p => p.Y));

    private static string High(List<ChartPoint> points) => Format.Us(points.Where(p => double.IsFinite(p.Y)).Max(p => p.Y));

    private static TimeStripBlock? Strip(List<(RunFigures Run, LatencyHistogram Histogram)> parts) => parts.Count < 3 ? null : new TimeStripBlock(
        "99th percentile (or the largest) of each part of the run",
        [.. parts.Select(p => new StripInterval(p.Run.StartMs, p.Histogram.Count == 0 ? null : p.Histogram.ValueAtPercentile(99) / 1e3))]);
}

/// <summary>The charts of a measurement.</summary>
/// <param name="Percentiles">The percentile curve; null when nothing was measured.</param>
/// <param name="Distribution">The histogram; null when all requests took the same.</param>
/// <param name="Bars">The histogram for text.</param>
/// <param name="OverTime">The times in order; null for a run in fewer than three parts.</param>
/// <param name="Strip">The times in order for text.</param>
internal sealed record MeasurementPictures(
    PlotChart? Percentiles, PlotChart? Distribution, IReadOnlyList<HistogramBar> Bars, PlotChart? OverTime, TimeStripBlock? Strip);
