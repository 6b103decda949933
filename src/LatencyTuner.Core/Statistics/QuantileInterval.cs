namespace LatencyTuner.Core.Statistics;

/// <summary>
/// The ranks of the order statistics that enclose a quantile with at least 1−alpha, whatever the distribution (Hahn and Meeker, Statistical
/// Intervals; Le Boudec, Performance Evaluation, ch. 2): with K ~ Binomial(n, q), the last l with P(K ≤ l−1) ≤ alpha/2 and the first u
/// with P(K ≤ u−1) ≥ 1−alpha/2.
/// </summary>
/// <param name="LowRank">Rank of the lower end, 1 is the smallest value; null when there are too few values for a lower end.</param>
/// <param name="HighRank">Rank of the upper end; null when there are too few values for an upper end.</param>
internal readonly record struct QuantileInterval(long? LowRank, long? HighRank)
{
    private const double ExactUpTo = 5000;

    /// <summary>The smallest number of independent values with a finite upper end: ceil(ln(alpha/2) / ln q).</summary>
    /// <param name="q">The quantile, above 0 and below 1, such as 0.99.</param>
    /// <param name="alpha">One minus the confidence, above 0 and below 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">An argument is out of range.</exception>
    public static long MinimumSamples(double q, double alpha)
    {
        Require(q, nameof(q));
        Require(alpha, nameof(alpha));
        return (long)Math.Ceiling(Math.Log(alpha / 2) / Math.Log(q));
    }

    /// <summary>The interval for n values that carry as much information as effectiveN independent ones.</summary>
    /// <param name="q">The quantile, above 0 and below 1.</param>
    /// <param name="n">Number of values, 0 or more.</param>
    /// <param name="effectiveN">From 0 to n; see <see cref="EffectiveSampleSize"/>.</param>
    /// <param name="alpha">One minus the confidence, above 0 and below 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">Out of range.</exception>
    public static QuantileInterval Of(double q, long n, double effectiveN, double alpha)
    {
        Require(q, nameof(q));
        Require(alpha, nameof(alpha));
        ArgumentOutOfRangeException.ThrowIfNegative(n);
        long m = Math.Clamp((long)effectiveN, 0, n);
        if (m == 0)
        {
            return default;
        }

        long low = m * Math.Min(q, 1 - q) > ExactUpTo ? LowByNormal(m, q, alpha) : LowExact(m, q, alpha);
        long high = m < MinimumSamples(q, alpha) ? 0
            : m * Math.Min(q, 1 - q) > ExactUpTo ? HighByNormal(m, q, alpha) : HighExact(m, q, alpha);
        // Order statistic k of m covers the probabilities (k−1)/m to k/m; the ranks among n use the outer end of this range.
        double scale = (double)n / m;
        return new(
            low == 0 ? null : Math.Clamp((long)Math.Floor((low - 1) * scale) + 1, 1, n),
            high == 0 ? null : Math.Clamp((long)Math.Ceiling(high * scale), 1, n));
    }

    private static long LowExact(long m, double q, double alpha)
    {
        long low = 0;
        long high = m;
        while (low < high)
        {
            long middle = low + ((high - low + 1) / 2);
            if (Distributions.BinomialCdf(middle - 1, m, q) <= alpha / 2)
            {
                low = middle;
            }
            else
            {
                high = middle - 1;
            }
        }
        return low;
    }

    private static long HighExact(long m, double q, double alpha)
    {
        long low = 1;
        long high = m;
        while (low < high)
        {
            long middle = low + ((high - low) / 2);
            if (Distributions.BinomialCdf(middle - 1, m, q) >= 1 - (alpha / 2))
            {
                high = middle;
            }
            else
            {
                low = middle + 1;
            }
        }
        return low;
    }

    private static long LowByNormal(long m, double q, double alpha) =>
        Math.Max(1, (long)Math.Floor((m * q) - HalfWidth(m, q, alpha)));

    private static long HighByNormal(long m, double q, double alpha) =>
        Math.Min(m, (long)Math.Ceiling((m * q) + HalfWidth(m, q, alpha)) + 1);

    private static double HalfWidth(long m, double q, double alpha) =>
        Distributions.NormalQuantile(1 - (alpha / 2)) * Math.Sqrt(m * q * (1 - q));

    private static void Require(double value, string name)
    {
        if (!(value > 0 && value < 1))
        {
            throw new ArgumentOutOfRangeException(name, value, "The value must be above 0 and below 1.");
        }
    }
}
