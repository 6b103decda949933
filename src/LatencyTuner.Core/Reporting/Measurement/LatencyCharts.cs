using System.Globalization;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Measurement;

/// <summary>Pictures of latency distributions.</summary>
internal static class LatencyCharts
{
    private const int MostBins = 60;
    private const double LogCounts = 200;
    private static readonly int[] PerDecade = [20, 10, 5, 2, 1];
    private static readonly int[] Round = [1, 2, 5, 10];

    private static readonly (double Quantile, string Name, string Words, Func<LatencyFigures, double?> Value)[] Figures =
    [
        (0.5, "p50Us", "median", f => f.P50Us), (0.9, "p90Us", "90th percentile", f => f.P90Us), (0.99, "p99Us", "99th percentile", f => f.P99Us),
        (0.999, "p99_9Us", "99.9th percentile", f => f.P999Us), (0.9999, "p99_99Us", "99.99th percentile", f => f.P9999Us),
    ];

    /// <summary>How many requests are faster than each time.</summary>
    /// <param name="curves">Distributions with their names; the figures of the first are marked with their intervals.</param>
    /// <param name="caption">What to see.</param>
    /// <returns>Null when nothing was measured.</returns>
    internal static PlotChart? Percentiles(IReadOnlyList<PercentileCurve> curves, string caption)
    {
        PercentileCurve[] drawn = [.. curves.Where(c => c.Histogram.Count > 0)];
        if (drawn.Length == 0)
        {
            return null;
        }

        long most = drawn.Max(c => c.Histogram.Count);
        ChartScale x = ChartScale.Tail(1 - (1.0 / Math.Max(most, 10)));
        List<ChartKey> keys = [];
        List<ChartMark> marks = [];
        List<double> values = [];
        ChartKey? bound = null;
        foreach (PercentileCurve curve in drawn)
        {
            ChartKey? key = keys.Find(k => k.Name == curve.Name);
            if (key is null)
            {
                keys.Add(key = new(curve.Name, ChartStyle.Color(keys.Count), KeyShape.Line));
            }

            List<ChartPoint> points = Points(curve.Histogram);
            values.AddRange([points[0].Y, curve.Histogram.ValueAtPercentile(50) / 1e3, points[^1].Y]);
            double supported = curve.Figures is null ? 1 : Figures.Where(f => f.Value(curve.Figures) is not null).Select(f => f.Quantile).LastOrDefault();
            string title = $"{curve.Name}: {Counted.Of(curve.Histogram.Count, "request")}, median {Format.Us(curve.Histogram.ValueAtPercentile(50) / 1e3)}, "
                + $"largest {Format.Us(curve.Histogram.MaxNs / 1e3)}";
            marks.Add(new LineMark(key, [.. points.Where(p => p.X <= supported)], title, curve.Thin));
            List<ChartPoint> rest = [.. points.SkipWhile((p, i) => i + 1 < points.Count && points[i + 1].X <= supported)];
            if (supported < points[^1].X && rest.Count > 1)
            {
                bound ??= new("too few requests: at least", key.Color, KeyShape.DashedLine);
                marks.Add(new LineMark(bound with { Color = key.Color }, rest));
                marks.Add(new DotMark(
                    key, points[^1].X, points[^1].Y, $"largest of {Count(curve.Histogram.Count)}: {Format.Us(points[^1].Y)}; what is rarer is slower",
                        More: 1));
            }
        }

        if (drawn.FirstOrDefault(c => c.Figures is not null) is { } lead)
        {
            ChartKey key = keys.Find(k => k.Name == lead.Name)! with { Shape = KeyShape.Dot };
            ChartKey interval = new("95 % interval", key.Color, KeyShape.Whisker);
            IReadOnlyList<ChartMark> figures = [.. FigureMarks(lead.Figures!, key, interval)];
            values.AddRange(figures.OfType<WhiskerMark>().Select(w => w.High ?? w.Low));
            marks.AddRange(figures);
            if (figures.OfType<WhiskerMark>().Any())
            {
                keys.Add(interval);
            }
        }

        if (bound is not null)
        {
            keys.Add(bound);
        }

        return new PlotChart
        {
            Name = "percentiles",
            Caption = caption,
            Alternative = "Percentile curve. " + string.Join(". ", drawn.Where(c => !c.Thin).Select(c =>
                $"{c.Name}: median {Format.Us(c.Histogram.ValueAtPercentile(50) / 1e3)}, 90th percentile {Format.Us(c.Histogram.ValueAtPercentile(90) / 1e3)}, "
                + $"largest of {Count(c.Histogram.Count)} {Format.Us(c.Histogram.MaxNs / 1e3)}")) + ".",
            X = new("requests that are faster (tail logarithmic)", x, ChartScale.PercentileText),
            Y = new("time of a request", ChartScale.Of(values), ChartText.Us),
            Keys = keys,
            Marks = marks,
        };
    }

    /// <summary>How many requests took how long; null when all took the same.</summary>
    internal static PlotChart? Distribution(IReadOnlyList<HistogramBar> buckets, string caption)
    {
        IReadOnlyList<HistogramBar> bars = Bins(buckets);
        if (bars.Count == 0)
        {
            return null;
        }

        ChartKey key = new("requests", 1, KeyShape.Bar);
        long total = bars.Sum(b => b.Count);
        double[] counts = [.. bars.Where(b => b.Count > 0).Select(b => (double)b.Count)];
        ChartScale y = counts.Max() > LogCounts * counts.Min() ? ChartScale.Log(Math.Max(0.5, counts.Min() / 2), counts.Max())
            : ChartScale.Linear(0, counts.Max());
        (double low, double high) = (bars[0].LowUs, bars[^1].HighUs);
        ChartScale x = high > 10 * low && low > 0 ? ChartScale.Log(low, high) : ChartScale.Linear(low, high);
        HistogramBar peak = bars.MaxBy(b => b.Count);
        return new PlotChart
        {
            Name = "distribution",
            Caption = caption,
            Alternative = $"Histogram of {Counted.Of((long)total, "request")} from {Format.Us(low)} to {Format.Us(high)}. Most, {Count(peak.Count)}, took "
                + $"{Format.Range(peak.LowUs, peak.HighUs)}.",
            X = new("time of a request", x, ChartText.Us),
            Y = new("requests in each bar", y, v => v < 1 ? "" : Format.Compact(v)),
            Marks =
            [
                .. bars.Where(b => b.Count > 0).Select(b => new BarMark(
                    key, b.LowUs, b.HighUs, y.Low, b.Count,
                    $"{Format.Range(b.LowUs, b.HighUs)}: {Counted.Of((long)b.Count, "request")} ({Format.Share(b.Count / (double)total)})")),
            ],
        };
    }

    /// <summary>Bins of equal width, or of equal ratio where the times lie far apart. A bucket of the histogram counts where its middle is.</summary>
    internal static IReadOnlyList<HistogramBar> Bins(IReadOnlyList<HistogramBar> buckets)
    {
        HistogramBar[] filled = [.. buckets.Where(b => b.Count > 0 && double.IsFinite(b.HighUs) && b.HighUs > 0)];
        if (filled.Length == 0)
        {
            return [];
        }

        (double low, double high) = (Math.Max(filled[0].LowUs, 0), filled[^1].HighUs);
        double widest = filled.Max(b => b.HighUs - b.LowUs);
        bool log = high > 10 * low && low > 0;
        double[] bounds;
        if (log)
        {
            int perDecade = PerDecade.First(n => Math.Log10(high / low) * n <= MostBins || n == 1);
            int first = (int)Math.Floor((Math.Log10(low) * perDecade) + 1e-9);
            int last = (int)Math.Ceiling((Math.Log10(high) * perDecade) - 1e-9);
            bounds = [.. Enumerable.Range(first, Math.Max(last - first, 1) + 1).Select(i => Math.Pow(10, i / (double)perDecade))];
        }
        else
        {
            double least = Math.Max((high - low) / MostBins, widest);
            double power = Math.Pow(10, Math.Floor(Math.Log10(least)));
            double step = Round.First(f => f * power >= least * 0.9999) * power;
            long first = (long)Math.Floor((low / step) + 1e-9);
            bounds = [.. Enumerable.Range(0, (int)Math.Ceiling((high / step) - 1e-9) - (int)first + 1).Select(i => (first + i) * step)];
        }

        long[] counts = new long[bounds.Length - 1];
        foreach (HistogramBar bucket in filled)
        {
            double middle = log ? Math.Sqrt(Math.Max(bucket.LowUs, low) * bucket.HighUs) : (bucket.LowUs + bucket.HighUs) / 2;
            int at = Array.BinarySearch(bounds, middle);
            counts[Math.Clamp(at >= 0 ? at : ~at - 1, 0, counts.Length - 1)] += bucket.Count;
        }

        return [.. counts.Select((n, i) => new HistogramBar(bounds[i], bounds[i + 1], n))];
    }

    /// <summary>The order statistics of a histogram: the k-th of n stands at (k - 1) / n.</summary>
    internal static List<ChartPoint> Points(LatencyHistogram histogram)
    {
        List<ChartPoint> points = [];
        long before = 0;
        double n = histogram.Count;
        foreach (HistogramBucket bucket in histogram)
        {
            double us = Math.Clamp(bucket.HighNs, histogram.MinNs, histogram.MaxNs) / 1e3;
            points.Add(new(before / n, us));
            before += bucket.Count;
            if (bucket.Count > 1)
            {
                points.Add(new((before - 1) / n, us));
            }
        }

        return points;
    }

    private static IEnumerable<ChartMark> FigureMarks(LatencyFigures figures, ChartKey key, ChartKey intervalKey)
    {
        foreach ((double quantile, string name, string words, Func<LatencyFigures, double?> value) in Figures)
        {
            if (value(figures) is not { } us)
            {
                continue;
            }

            IntervalFigures? interval = figures.Intervals.GetValueOrDefault(name);
            if (interval is not null)
            {
                yield return new WhiskerMark(
                    intervalKey, quantile, interval.LowUs, interval.HighUs, $"95 % interval of the {words}: {IntervalText.Alone(interval)}");
            }

            yield return new DotMark(key, quantile, us, $"{words}: {Format.Us(us)} ({IntervalText.Alone(interval)}, 95 %; n = {Count(figures.Count)})");
        }
    }

    private static string Count(long count) => count.ToString("N0", CultureInfo.InvariantCulture);
}

/// <summary>A distribution as a curve.</summary>
/// <param name="Name">What was measured.</param>
/// <param name="Histogram">Its times.</param>
/// <param name="Figures">Its figures, which say how far the samples reach; null for a part of a measurement.</param>
/// <param name="Thin">True for one of several parts.</param>
internal sealed record PercentileCurve(string Name, LatencyHistogram Histogram, LatencyFigures? Figures, bool Thin = false);
