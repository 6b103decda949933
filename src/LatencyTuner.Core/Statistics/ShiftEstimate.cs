namespace LatencyTuner.Core.Statistics;

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
            // Recovery of variances (Zou and Donner 2008): each end from the nearer ends of the two intervals.
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
        double median = Order.Median(sorted);
        QuantileInterval ranks = QuantileInterval.Of(0.5, sorted.Length, Math.Max(1, sorted.Length / inflation), 0.05);
        return (median, sorted[(int)((ranks.LowRank ?? 1) - 1)], sorted[(int)((ranks.HighRank ?? sorted.Length) - 1)]);
    }

    private static double Square(double value) => value * value;
}
