namespace LatencyTuner.Core.Statistics;

/// <summary>
/// Finds lasting changes of level: standardised differences of mean normal scores (ranks, so that spikes do not split a series) over a
/// fixed set of overlapping stretches of every scale (seeded intervals: Kovács et al. 2023), the narrowest significant stretch first
/// (Baranowski et al. 2019). The largest difference within a stretch is tested with its asymptotic distribution (Yao and Davis 1986) after
/// division by the effect of autocorrelation: the typical statistic of other stretches of the same length, the variance of long averages,
/// or the upper bound of first-order autocorrelation, whichever is largest. Deterministic; the cost is n·log n.
/// </summary>
internal static class ChangePoints
{
    /// <summary>The median of the largest standardised difference of a stretch of independent values.</summary>
    private const double TypicalOfWhite = 2.3;

    /// <summary>How much more a step must explain than a straight line, in variances of an independent value.</summary>
    private const double DriftMargin = 9;

    /// <summary>Smallest number of stretches of one length for their typical statistic.</summary>
    private const int EnoughStretches = 8;

    /// <summary>Finds all shifts, in time order.</summary>
    /// <param name="series">Any series; with fewer than twice the least number of bins, no shift is found.</param>
    /// <param name="options">Limits; null for the defaults.</param>
    public static IReadOnlyList<LevelShift> Find(BinnedSeries series, ChangePointOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(series);
        options ??= ChangePointOptions.Standard;
        int[] bins = [.. Enumerable.Range(0, series.Values.Length).Where(i => !double.IsNaN(series.Values[i]))];
        if (bins.Length < 2 * options.LeastBins)
        {
            return [];
        }

        double[] values = Array.ConvertAll(bins, b => series.Values[b]);
        ScoreSums sums = new(OrderStatistics.NormalScores(values));
        List<Stretch> stretches = Stretches(sums, options);
        double[] inflations = Inflations(stretches, sums, options);
        List<int> splits = [];
        foreach (Stretch stretch in stretches.OrderBy(s => s.To - s.From))
        {
            if (splits.Exists(s => s > stretch.From && s < stretch.To))
            {
                continue;
            }

            double inflation = Math.Max(inflations[stretch.Scale], sums.Inflation(stretch.From, stretch.At, stretch.To));
            if (MaximumP(Judged(stretch.Z, inflation, stretch.To - stretch.From), stretch.To - stretch.From, options.LeastBins) * stretches.Count
                < options.MostP)
            {
                splits.Add(stretch.At);
            }
        }
        splits.Sort();
        return Settle(series, bins, values, sums, splits, stretches.Count, inflations, options);
    }

    /// <summary>Tests every split again between its neighbours and drops the least certain one until all are significant.</summary>
    private static List<LevelShift> Settle(
        BinnedSeries series, int[] bins, double[] values, ScoreSums sums, List<int> splits, int trials, double[] inflations, ChangePointOptions options)
    {
        while (splits.Count > 0)
        {
            List<LevelShift> shifts = [];
            (int worst, double worstP) = (-1, options.MostP);
            for (int i = 0; i < splits.Count; i++)
            {
                int from = i == 0 ? 0 : splits[i - 1];
                int to = i == splits.Count - 1 ? values.Length : splits[i + 1];
                (int at, double z) = sums.BestSplit(from, to, options.LeastBins);
                if (at < 0)
                {
                    (worst, worstP) = (i, 2);
                    continue;
                }
                splits[i] = at;
                int scale = Math.Clamp((int)Math.Round(Math.Log2((double)values.Length / (to - from))), 0, inflations.Length - 1);
                double inflation = Math.Max(inflations[scale], sums.Inflation(from, at, to));
                double p = Math.Min(1, MaximumP(Judged(z, inflation, to - from), to - from, options.LeastBins) * trials);
                LevelShift shift = ShiftEstimate.Of(series, bins, values, sums, (from, at, to), inflation, p);
                // If a straight line fits better than a step, or not clearly worse, the change is drift.
                bool drifts = sums.RestOfLine(from, to) < (sums.Rest(from, at) + sums.Rest(at, to)) * (1 + (DriftMargin * inflation / (to - from)));
                // Between two constants any step is one; elsewhere it may be too small to matter.
                double share = double.IsInfinity(z) ? 0 : options.LeastShare;
                bool small = Math.Abs(shift.Difference) < Math.Max(share * Math.Abs(shift.Before), options.LeastDifference)
                    || shift.DifferenceLow <= 0 == shift.DifferenceHigh >= 0;
                double judged = drifts || small ? 2 : p;
                if (judged > worstP)
                {
                    (worst, worstP) = (i, judged);
                }

                shifts.Add(shift);
            }
            if (worst < 0 && splits.Count <= options.Most)
            {
                return shifts;
            }

            if (worst < 0)
            {
                worst = shifts.IndexOf(shifts.MinBy(s => Math.Abs(s.Difference))!);
            }

            splits.RemoveAt(worst);
        }
        return [];
    }

    private static List<Stretch> Stretches(ScoreSums sums, ChangePointOptions options)
    {
        List<Stretch> stretches = [];
        int n = sums.Scores.Length;
        int scale = 0;
        for (double length = n; length >= 2 * options.LeastBins; length /= 2, scale++)
        {
            int count = (2 * (int)Math.Ceiling(n / length)) - 1;
            for (int i = 0; i < count; i++)
            {
                int from = count == 1 ? 0 : (int)Math.Floor(i * (n - length) / (count - 1));
                int to = Math.Min(n, (int)Math.Ceiling(from + length));
                (int at, double z) = sums.BestSplit(from, to, options.LeastBins);
                if (at >= 0)
                {
                    stretches.Add(new(from, at, to, scale, z));
                }
            }
        }
        return stretches;
    }

    /// <summary>Squared ratio of the typical statistic of each scale to that of independent values; never smaller at a longer scale.</summary>
    private static double[] Inflations(List<Stretch> stretches, ScoreSums sums, ChangePointOptions options)
    {
        double[] result = new double[stretches.Count == 0 ? 1 : stretches.Max(s => s.Scale) + 1];
        double before = 1;
        for (int scale = result.Length - 1; scale >= 0; scale--)
        {
            // A step without any noise says nothing of how the noise depends on itself.
            double[] statistics = [.. stretches.Where(s => s.Scale == scale && double.IsFinite(s.Z)).Select(s => s.Z)];
            double typical = statistics.Length >= EnoughStretches ? OrderStatistics.Median(statistics) / TypicalOfWhite : 0;
            result[scale] = before = Math.Max(before, typical * typical);
        }
        return result;
    }

    /// <summary>
    /// Converts Student's t to the normal deviate of the same probability: a difference of n values that are worth n/inflation independent ones
    /// follows Student's t distribution, not the normal one.
    /// </summary>
    private static double Judged(double z, double inflation, int n)
    {
        double degrees = Math.Max(1, (n / inflation) - 2);
        double t = z / Math.Sqrt(inflation);
        double p = degrees > 1000 ? 0 : 1 - Distributions.StudentCdf(t, degrees);
        return degrees > 1000 || double.IsInfinity(t) ? t : p < 1e-15 ? Math.Min(t, 8) : -Distributions.NormalQuantile(p);
    }

    /// <summary>The probability that the largest standardised difference within a stretch of independent values exceeds z.</summary>
    internal static double MaximumP(double z, int length, int least)
    {
        if (z < 2)
        {
            return 1;
        }

        if (double.IsPositiveInfinity(z))
        {
            return 0;
        }

        double edge = (double)least / length;
        double range = edge < 0.5 ? 2 * Math.Log((1 - edge) / edge) : 0;
        double tail = z * Math.Exp(-z * z / 2) / Math.Sqrt(2 * Math.PI) * (((1 - (1 / (z * z))) * range) + (4 / (z * z)));
        return Math.Min(1, tail);
    }

    private readonly record struct Stretch(int From, int At, int To, int Scale, double Z);
}

/// <summary>Options of the search for level shifts.</summary>
internal sealed record ChangePointOptions
{
    /// <summary>The default options.</summary>
    public static readonly ChangePointOptions Standard = new();

    /// <summary>Largest accepted p-value, over all searched times and scales.</summary>
    public double MostP { get; init; } = 0.001;

    /// <summary>Smallest number of bins on each side of a shift.</summary>
    public int LeastBins { get; init; } = 20;

    /// <summary>Smallest difference as a share (0 to 1) of the level before.</summary>
    public double LeastShare { get; init; } = 0.05;

    /// <summary>Smallest difference in the unit of the series, for example the resolution of the timer.</summary>
    public double LeastDifference { get; init; }

    /// <summary>Largest number of shifts that are reported; the most certain ones are kept.</summary>
    public int Most { get; init; } = 20;
}

/// <summary>Time, levels and intervals of one shift.</summary>
internal static class ShiftEstimate
{
    /// <summary>97.5 % point of the place where a two-sided Brownian motion with drift −|s|/2 is highest (Bai 1997).</summary>
    private const double HighestPlace = 11.03;

    internal static LevelShift Of(
        BinnedSeries series, int[] bins, double[] values, ScoreSums sums, (int From, int At, int To) split, double inflation, double p)
    {
        (int from, int at, int to) = split;
        double step = sums.Mean(at, to) - sums.Mean(from, at);
        double variance = (sums.Rest(from, at) + sums.Rest(at, to)) / Math.Max(1, to - from - 2) * inflation;
        double half = Math.Ceiling(step == 0 ? to - from : HighestPlace * variance / (step * step));
        int low = (int)Math.Max(from, at - half);
        int high = (int)Math.Min(to - 1, at + half);
        (double before, double beforeLow, double beforeHigh) = Level(values.AsSpan(from..at), inflation);
        (double after, double afterLow, double afterHigh) = Level(values.AsSpan(at..to), inflation);
        double difference = after - before;
        double Edge(int i) => series.TimeOf(bins[i] - 0.5);
        return new LevelShift
        {
            TimeSeconds = Edge(at),
            TimeLowSeconds = Edge(low),
            TimeHighSeconds = Edge(high),
            Before = before,
            After = after,
            // Recovery of variances (Zou and Donner 2008): each end is computed from the nearer ends of the two intervals.
            DifferenceLow = difference - Math.Sqrt(Square(after - afterLow) + Square(beforeHigh - before)),
            DifferenceHigh = difference + Math.Sqrt(Square(afterHigh - after) + Square(before - beforeLow)),
            P = p,
            BinsBefore = at - from,
            BinsAfter = to - at,
        };
    }

    private static (double Median, double Low, double High) Level(ReadOnlySpan<double> values, double inflation)
    {
        double[] sorted = values.ToArray();
        double median = OrderStatistics.Median(sorted);
        QuantileInterval ranks = QuantileInterval.Of(0.5, sorted.Length, Math.Max(1, sorted.Length / inflation), 0.05);
        return (median, sorted[(int)((ranks.LowRank ?? 1) - 1)], sorted[(int)((ranks.HighRank ?? sorted.Length) - 1)]);
    }

    private static double Square(double value) => value * value;
}
