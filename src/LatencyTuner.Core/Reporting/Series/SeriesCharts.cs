using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Series;

/// <summary>The charts of series: over time with what was found, their distributions, and the course of a cycle.</summary>
internal static class SeriesCharts
{
    // More turns than this would shade the whole picture.
    private const int MostTurns = 80;
    private const int MostGaps = 300;
    private const int MostCurves = 6;

    /// <summary>One series over time; null with fewer than two bins.</summary>
    /// <param name="series">The series.</param>
    /// <param name="number">Its number in the document, from 1.</param>
    internal static PlotChart? OverTime(SeriesFigures series, int number)
    {
        if (series.Bins.Count < 2 || !(series.BinMs > 0))
        {
            return null;
        }

        string[] names = ["median", "99th percentile"];
        ChartKey median = new("median", 1, KeyShape.Line);
        ChartKey tail = new("99th percentile (or the largest)", 4, KeyShape.DashedLine);
        ChartKey gaps = new("no data", 5, KeyShape.Area);
        ChartKey shift = new("level shift", 2, KeyShape.DashedLine);
        ChartKey turns = new("high half of the oscillation", 3, KeyShape.Area);
        double start = series.StartUtc.ToUnixTimeMilliseconds() / 1e3;
        double bin = series.BinMs / 1e3;
        double At(int bins) => start + (bins * bin);
        SeriesBin[] bins = [.. series.Bins.OrderBy(b => b.At)];
        double end = At(bins[^1].At + 1);
        List<ChartMark> marks = [];
        List<ChartPoint> p50 = [];
        List<ChartPoint> p99 = [];
        for (int i = 0; i < bins.Length; i++)
        {
            if (i > 0 && bins[i].At > bins[i - 1].At + 1)
            {
                (double from, double to) = (At(bins[i - 1].At + 1), At(bins[i].At));
                p50.Add(new(from, double.NaN));
                p99.Add(new(from, double.NaN));
                if (marks.Count < MostGaps)
                {
                    marks.Add(new SpanMark(gaps, from, to, $"no data from {ChartText.Moment(from)} for {Format.Span((to - from) * 1e3)}"));
                }
            }

            p50.Add(new(At(bins[i].At) + (bin / 2), bins[i].P50Us));
            p99.Add(new(At(bins[i].At) + (bin / 2), bins[i].TailUs));
        }

        OscillationFigures? swing = series.Oscillations.OrderByDescending(o => o.Metric == SeriesMetric.Median).FirstOrDefault();
        bool shaded = swing is { PeriodS: > 0 } && (end - start) / swing.PeriodS <= MostTurns;
        if (shaded)
        {
            marks.InsertRange(0, Turns(swing!, turns, start, end));
        }

        foreach (LevelShiftFigures found in series.Shifts)
        {
            double at = found.AtUtc.ToUnixTimeMilliseconds() / 1e3;
            string title = $"shift of the {SeriesText.Of(found.Metric)} at {ChartText.Moment(at)}";
            marks.Add(new SpanMark(shift with { Shape = KeyShape.Area }, found.AtLowUtc.ToUnixTimeMilliseconds() / 1e3,
                found.AtHighUtc.ToUnixTimeMilliseconds() / 1e3, title));
            marks.Add(new RuleMark(shift, at, Vertical: true, title));
        }

        List<ChartKey> keys = [median, tail];
        keys.AddRange(new[] { gaps, turns, shift }.Where(k => marks.Any(m => m.Key == k)));
        ChartScale x = ChartScale.Time(start, end, clock: true);
        return new PlotChart
        {
            Name = number == 1 ? "over-time" : $"over-time-{number}",
            Caption = Caption(series, swing, shaded),
            Alternative = $"{series.Name} from {Format.Utc(series.StartUtc)} to {Format.Utc(series.EndUtc)}: medians of {Format.Count(bins.Length)} bins from "
                + $"{Format.Us(bins.Min(b => b.P50Us))} to {Format.Us(bins.Max(b => b.P50Us))}, 99th percentiles up to {Format.Us(bins.Max(b => b.TailUs))}.",
            X = new($"time of day, UTC, from {Format.Utc(series.StartUtc)[..10]}", x, v => ChartText.Clock(v, x)),
            Y = new($"time of a request per {Format.Span(series.BinMs)}", ChartScale.Of(Ends(bins)), ChartText.Us),
            Keys = keys,
            Marks =
            [
                .. marks, new LineMark(tail, p99), new LineMark(median, p50),
                .. bins.Select(b => new ColumnMark(At(b.At), At(b.At + 1), b.N, [b.P50Us, b.TailUs], names)),
            ],
            IsTimeSeries = true,
        };
    }

    /// <summary>The distributions of the series over each other; null when no histogram can be drawn.</summary>
    internal static PlotChart? Percentiles(SeriesReport report) => LatencyCharts.Percentiles(
        [.. report.Series.Take(MostCurves).Select(s => new PercentileCurve(s.Name, StoredHistograms.Decode(s.Histogram), s.Latency))],
        report.Series.Count > 1 ? "The lowest curve belongs to the fastest series; where curves part, rare requests differ."
            : "How slow the rare requests were.");

    /// <summary>The histogram of one series.</summary>
    internal static PlotChart? Distribution(SeriesFigures series, int number) =>
        LatencyCharts.Distribution(
            MeasurementCharts.Bars(StoredHistograms.Decode(series.Histogram)), "Each bar counts the requests that took this long; separate humps have "
            + "separate causes.") is { } chart ? chart with { Name = number == 1 ? chart.Name : $"{chart.Name}-{number}" } : null;

    /// <summary>The mean course of one period.</summary>
    internal static PlotChart Cycle(OscillationFigures swing, string name)
    {
        ChartKey mean = new("mean", 1, KeyShape.Dot);
        ChartKey interval = new("95 % interval", 1, KeyShape.Whisker);
        double X(ProfileFigures p) => p.Phase * swing.PeriodS;
        return new PlotChart
        {
            Name = name,
            Caption = $"What one turn of {SeriesText.Seconds(swing.PeriodS)} looks like: steps point to a timer, a smooth wave to load.",
            Alternative = $"Mean course of a cycle of {SeriesText.Seconds(swing.PeriodS)}, from {Format.Us(swing.Profile.Min(p => p.Mean))} to "
                + $"{Format.Us(swing.Profile.Max(p => p.Mean))}.",
            X = new("time after the highest point", ChartScale.Time(0, swing.PeriodS, clock: false), ChartText.Seconds),
            Y = new($"mean of the {SeriesText.Of(swing.Metric)}", ChartScale.Of(swing.Profile.SelectMany(p => new[] { p.Mean, p.Low, p.High }), false),
                ChartText.Us),
            Keys = [mean, interval],
            Marks =
            [
                .. swing.Profile.Where(p => p.High > p.Low).Select(p => new WhiskerMark(interval, X(p), p.Low, p.High, null)),
                .. swing.Profile.Select(p =>
                    new DotMark(mean, X(p), p.Mean, $"{SeriesText.Seconds(X(p))} after the peak: {Format.Us(p.Mean)}, n = {Format.Count(p.N)}")),
            ],
        };
    }

    private static IEnumerable<double> Ends(SeriesBin[] bins)
    {
        foreach (SeriesBin bin in bins)
        {
            yield return bin.P50Us;
            yield return bin.TailUs;
        }
    }

    private static IEnumerable<SpanMark> Turns(OscillationFigures swing, ChartKey key, double start, double end)
    {
        double peak = swing.PeakUtc.ToUnixTimeMilliseconds() / 1e3;
        double first = peak - (Math.Ceiling((peak - start) / swing.PeriodS) * swing.PeriodS);
        for (double at = first; at < end + swing.PeriodS; at += swing.PeriodS)
        {
            (double from, double to) = (Math.Max(start, at - (swing.PeriodS / 4)), Math.Min(end, at + (swing.PeriodS / 4)));
            if (to > from)
            {
                yield return new SpanMark(key, from, to, $"oscillation of {SeriesText.Seconds(swing.PeriodS)}: highest at {ChartText.Moment(at)}");
            }
        }
    }

    private static string Caption(SeriesFigures series, OscillationFigures? swing, bool shaded)
    {
        List<string> found = [];
        if (swing is not null)
        {
            found.Add($"it swings every {SeriesText.Seconds(swing.PeriodS)}{(shaded ? " (high halves shaded)" : "")}");
        }

        if (series.Shifts.Count > 0)
        {
            found.Add(series.Shifts.Count == 1 ? "its level shifts once (dashed)" : $"its level shifts {series.Shifts.Count} times (dashed)");
        }

        if (series.GapShare > 0)
        {
            found.Add($"{Format.Share(series.GapShare)} of the time has no data (shaded)");
        }

        return found.Count == 0 ? $"{series.Name} over time: no oscillation, level shift or gap was found."
            : $"{series.Name} over time: {string.Join("; ", found)}.";
    }
}
