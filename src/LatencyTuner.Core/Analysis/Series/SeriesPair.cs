using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Analysis.Series;

/// <summary>Two series side by side.</summary>
/// <param name="A">Index of the first.</param>
/// <param name="B">Index of the second.</param>
/// <param name="Metric">What was compared.</param>
/// <param name="Alignment">Whether they swing in step; null when neither oscillates.</param>
/// <param name="CommonShifts">Times at which both shifted, Unix seconds.</param>
internal sealed record SeriesPair(int A, int B, SeriesMetric Metric, SeriesAlignment? Alignment, IReadOnlyList<double> CommonShifts)
{
    /// <summary>The most series that are compared with each other.</summary>
    public const int MostSeries = 16;

    /// <summary>Compares every two of the first series.</summary>
    /// <param name="series">The series.</param>
    /// <param name="seed">Seed of the resampling.</param>
    /// <returns>The pairs that have an alignment or a common shift.</returns>
    public static IReadOnlyList<SeriesPair> Of(IReadOnlyList<SeriesAnalysis> series, int seed = 1)
    {
        ArgumentNullException.ThrowIfNull(series);
        List<SeriesPair> pairs = [];
        int count = Math.Min(series.Count, MostSeries);
        for (int a = 0; a < count; a++)
        {
            for (int b = a + 1; b < count; b++)
            {
                foreach (SeriesMetric metric in Enum.GetValues<SeriesMetric>())
                {
                    if (series[a].Of(metric) is { } first && series[b].Of(metric) is { } second && Compare(a, first, b, second, seed) is { } pair)
                    {
                        pairs.Add(pair);
                    }
                }
            }
        }
        return pairs;
    }

    private static SeriesPair? Compare(int a, MetricAnalysis first, int b, MetricAnalysis second, int seed)
    {
        (Oscillation? ofA, Oscillation? ofB) = Matching(first.Oscillations, second.Oscillations);
        SeriesAlignment? alignment = SeriesAlignment.Of(first.Bins, ofA, second.Bins, ofB, seed);
        double step = Math.Max(first.Bins.StepSeconds, second.Bins.StepSeconds);
        double[] common = [.. first.Shifts.Where(s => second.Shifts.Any(o => LevelShiftRule.SameTime(s, o, step))).Select(s => s.TimeSeconds)];
        return alignment is null && common.Length == 0 ? null : new(a, b, first.Metric, alignment, common);
    }

    /// <summary>The oscillations with the same period, else the most certain of each.</summary>
    private static (Oscillation? A, Oscillation? B) Matching(IReadOnlyList<Oscillation> a, IReadOnlyList<Oscillation> b)
    {
        foreach (Oscillation x in a)
        {
            if (b.FirstOrDefault(y => OscillationRule.SamePeriod(x, y)) is { } same)
            {
                return (x, same);
            }
        }
        return (a.Count > 0 ? a[0] : null, b.Count > 0 ? b[0] : null);
    }
}
