using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Series;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Analysis.Series;

/// <summary>Oscillations and level shifts of one series, of every metric it has.</summary>
internal sealed class SeriesAnalysis
{
    // A timer cannot resolve smaller differences.
    private const double ResolutionMs = 0.001;

    private SeriesAnalysis(ObservedSeries series, IReadOnlyList<MetricAnalysis> metrics) => (Series, Metrics) = (series, metrics);

    /// <summary>The series.</summary>
    public ObservedSeries Series { get; }

    /// <summary>Its metrics; the tail only where it differs from the median.</summary>
    public IReadOnlyList<MetricAnalysis> Metrics { get; }

    /// <summary>Analyses a series.</summary>
    /// <param name="series">The series.</param>
    /// <param name="seed">Seed of the resampling behind the intervals.</param>
    public static SeriesAnalysis Of(ObservedSeries series, int seed = 1)
    {
        ArgumentNullException.ThrowIfNull(series);
        List<MetricAnalysis> metrics = [Analyse(series, SeriesMetric.Median, Milliseconds(series.MedianNs), ResolutionMs, seed)];
        if (!series.TailNs.AsSpan().SequenceEqual(series.MedianNs))
        {
            metrics.Add(Analyse(series, SeriesMetric.Tail, Milliseconds(series.TailNs), ResolutionMs, seed));
        }

        if (series.Slow.Any(s => s > 0))
        {
            metrics.Add(
                Analyse(series, SeriesMetric.SlowRate, [.. series.Slow.Select((s, i) => series.Counts[i] > 0 ? s / series.StepSeconds : double.NaN)], 0, seed));
        }

        return new(series, metrics);
    }

    /// <summary>LT151 and LT152.</summary>
    /// <param name="limits">What makes a finding a warning or an error.</param>
    public IReadOnlyList<Finding> Findings(SeverityLimits limits) => [.. OscillationRule.Evaluate(this, limits), .. LevelShiftRule.Evaluate(this, limits)];

    /// <summary>The metric, or null when the series does not have it.</summary>
    /// <param name="metric">The metric to find.</param>
    public MetricAnalysis? Of(SeriesMetric metric) => Metrics.FirstOrDefault(m => m.Metric == metric);

    private static double[] Milliseconds(double[] ns) => Array.ConvertAll(ns, v => v / 1e6);

    private static MetricAnalysis Analyse(ObservedSeries series, SeriesMetric metric, double[] values, double resolution, int seed)
    {
        BinnedSeries bins = new(series.StartSeconds + series.LateSeconds, series.StepSeconds, values);
        bool single = !series.RowsAreIntervals && metric == SeriesMetric.Median;
        long filled = Math.Max(1, bins.Count);
        IReadOnlyList<Oscillation> oscillations = Periodicity.Find(bins, new PeriodicityOptions
        {
            Seed = seed,
            Samples = single ? [.. series.FirstRows.OrderBy(p => p.TimeSeconds).Select(p => (p.TimeSeconds, p.ValueNs / 1e6))] : [],
            // Eight requests spread over a bin average out what is faster than the bin.
            BinsAreAggregates = !single && series.Distribution.Count >= 8 * filled,
        });
        // A shift is reported at the time of a bin, an oscillation at the times of its rows.
        BinnedSeries steady = new(series.StartSeconds, series.StepSeconds, OscillationRemoval.Of(bins, oscillations).Values);
        IReadOnlyList<LevelShift> shifts = ChangePoints.Find(steady, new ChangePointOptions { LeastDifference = resolution });
        return new(metric, bins, oscillations, shifts);
    }
}

/// <summary>What was found in one metric of a series.</summary>
/// <param name="Metric">The metric that was analysed.</param>
/// <param name="Bins">The metric over time.</param>
/// <param name="Oscillations">Its oscillations, the most certain first.</param>
/// <param name="Shifts">Its level shifts in order of time.</param>
internal sealed record MetricAnalysis(SeriesMetric Metric, BinnedSeries Bins, IReadOnlyList<Oscillation> Oscillations, IReadOnlyList<LevelShift> Shifts);
