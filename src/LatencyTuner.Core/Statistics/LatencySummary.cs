using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Statistics;

/// <summary>The figures of one latency distribution for a report. Every interval takes the dependence of successive values into account.</summary>
internal sealed record LatencySummary
{
    private static readonly double[] Percentiles = [10, 50, 90, 99, 99.9, 99.99];

    /// <summary>Number of values.</summary>
    public required long Count { get; init; }

    /// <summary>Number of independent values that they are worth for the mean, at most <see cref="Count"/>.</summary>
    public required double EffectiveCount { get; init; }

    /// <summary>Smallest value, nanoseconds; 0 when there is none.</summary>
    public required long MinNs { get; init; }

    /// <summary>10th percentile.</summary>
    public required PercentileEstimate P10 { get; init; }

    /// <summary>Median.</summary>
    public required PercentileEstimate P50 { get; init; }

    /// <summary>Arithmetic mean.</summary>
    public required MeanEstimate Mean { get; init; }

    /// <summary>90th percentile.</summary>
    public required PercentileEstimate P90 { get; init; }

    /// <summary>99th percentile.</summary>
    public required PercentileEstimate P99 { get; init; }

    /// <summary>99.9th percentile.</summary>
    public required PercentileEstimate P999 { get; init; }

    /// <summary>99.99th percentile.</summary>
    public required PercentileEstimate P9999 { get; init; }

    /// <summary>Largest value, nanoseconds; 0 when there is none.</summary>
    public required long MaxNs { get; init; }

    /// <summary>Population standard deviation, nanoseconds.</summary>
    public required double StandardDeviationNs { get; init; }

    /// <summary>
    /// Summarises a run. The dependence comes from the raw values if all of them are available, otherwise from the blocks, otherwise from the
    /// available raw values. With neither, the values count as independent.
    /// </summary>
    /// <param name="total">All values.</param>
    /// <param name="blocks">The same values in time blocks.</param>
    /// <param name="firstSamples">The first raw values in time order, nanoseconds, up to 4096 of them.</param>
    /// <param name="alpha">One minus the confidence, above 0 and below 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">Alpha is out of range.</exception>
    public static LatencySummary From(
        LatencyHistogram total, LatencyBlockList? blocks, ReadOnlySpan<long> firstSamples, double alpha = 0.05)
    {
        ArgumentNullException.ThrowIfNull(total);
        if (!(alpha > 0 && alpha < 1))
        {
            throw new ArgumentOutOfRangeException(nameof(alpha), alpha, "Alpha must be above 0 and below 1.");
        }

        long n = total.Count;
        long[] limits = new long[Percentiles.Length];
        double[] effective = new double[Percentiles.Length];
        for (int i = 0; i < limits.Length; i++)
        {
            limits[i] = total.ValueAtPercentile(Percentiles[i]);
        }

        bool useBlocks = firstSamples.Length < n && blocks is { Count: > 1 };
        double effectiveForMean;
        double degrees;
        if (useBlocks)
        {
            degrees = FromBlocks(total, blocks!, limits, effective, out effectiveForMean);
        }
        else
        {
            FromSeries(n, firstSamples, limits, effective, out effectiveForMean);
            degrees = effectiveForMean - 1;
        }

        PercentileEstimate Estimate(int i) => EstimateOf(total, Percentiles[i], limits[i], effective[i], alpha);
        return new LatencySummary
        {
            Count = n,
            EffectiveCount = effectiveForMean,
            MinNs = total.MinNs,
            P10 = Estimate(0),
            P50 = Estimate(1),
            Mean = MeanOf(total, effectiveForMean, degrees, alpha),
            P90 = Estimate(2),
            P99 = Estimate(3),
            P999 = Estimate(4),
            P9999 = Estimate(5),
            MaxNs = total.MaxNs,
            StandardDeviationNs = total.StandardDeviationNs,
        };
    }

    private static PercentileEstimate EstimateOf(LatencyHistogram total, double percentile, long value, double effective, double alpha)
    {
        QuantileInterval ranks = QuantileInterval.Of(percentile / 100, total.Count, effective, alpha);
        long? high = ranks.HighRank is { } h ? total.ValueAtRank(h) : null;
        // Of few values a low percentile has an upper end only; nothing below the smallest value was seen.
        long low = ranks.LowRank is { } l ? total.LowValueAtRank(l) : high is null ? 0 : total.MinNs;
        // Enough values give an estimate, but when they are too dependent its interval still has no upper end.
        bool enough = high is not null || total.Count >= QuantileInterval.MinimumSamples(percentile / 100, alpha);
        return enough
            ? new(percentile, value, low, high, null)
            : new(percentile, null, low, null, total.Count == 0 ? null : total.MaxNs);
    }

    private static MeanEstimate MeanOf(LatencyHistogram total, double effective, double degrees, double alpha)
    {
        double mean = total.MeanNs;
        if (effective < 2 || degrees < 1)
        {
            return new(mean, total.MinNs, null);
        }

        double unbiased = total.StandardDeviationNs * Math.Sqrt(total.Count / (total.Count - 1.0));
        double half = Distributions.StudentQuantile(1 - (alpha / 2), degrees) * unbiased / Math.Sqrt(effective);
        return new(mean, Math.Max(total.MinNs, mean - half), mean + half);
    }

    private static void FromSeries(
        long n, ReadOnlySpan<long> samples, long[] limits, double[] effective, out double effectiveForMean)
    {
        if (samples.Length < 3)
        {
            Array.Fill(effective, n);
            effectiveForMean = n;
            return;
        }
        double[] series = new double[samples.Length];
        double scale = (double)n / samples.Length;
        for (int i = 0; i < series.Length; i++)
        {
            series[i] = samples[i];
        }

        effectiveForMean = EffectiveSampleSize.FromSeries(series) * scale;
        for (int q = 0; q < limits.Length; q++)
        {
            for (int i = 0; i < series.Length; i++)
            {
                series[i] = samples[i] <= limits[q] ? 1 : 0;
            }

            effective[q] = EffectiveSampleSize.FromSeries(series) * scale;
        }
    }

    private static double FromBlocks(
        LatencyHistogram total, LatencyBlockList blocks, long[] limits, double[] effective, out double effectiveForMean)
    {
        long[] counts = new long[blocks.Count];
        long[][] below = new long[limits.Length][];
        for (int q = 0; q < limits.Length; q++)
        {
            below[q] = new long[blocks.Count];
        }

        LatencyHistogram block = new();
        double squares = 0;
        int used = 0;
        for (int b = 0; b < counts.Length; b++)
        {
            blocks.Read(b, block);
            counts[b] = block.Count;
            used += block.Count > 0 ? 1 : 0;
            double residual = (block.MeanNs - total.MeanNs) * block.Count;
            squares += residual * residual;
            for (int q = 0; q < limits.Length; q++)
            {
                below[q][b] = block.CountAtOrBelow(limits[q]);
            }
        }
        for (int q = 0; q < limits.Length; q++)
        {
            effective[q] = EffectiveSampleSize.FromBlocks(below[q], counts);
        }

        effectiveForMean = total.Count;
        double variance = total.StandardDeviationNs * total.StandardDeviationNs * total.Count;
        if (used > 1 && variance > 0)
        {
            effectiveForMean = Math.Clamp(total.Count / Math.Max(1, squares * used / (used - 1) / variance), 1, total.Count);
        }

        return used - 1;
    }
}

/// <summary>The arithmetic mean with its confidence interval.</summary>
/// <param name="ValueNs">The mean in nanoseconds; 0 when nothing was recorded.</param>
/// <param name="LowNs">Lower end of the interval in nanoseconds, not below the smallest value.</param>
/// <param name="HighNs">Upper end of the interval in nanoseconds; null with fewer than two effective samples.</param>
internal readonly record struct MeanEstimate(double ValueNs, double LowNs, double? HighNs);

/// <summary>One percentile with its confidence interval.</summary>
/// <param name="Percentile">The percentile from 0 to 100, for example 99.9.</param>
/// <param name="ValueNs">The estimate in nanoseconds; null when there are too few samples.</param>
/// <param name="LowNs">Lower end of the interval in nanoseconds, not below the smallest value; 0 when there are too few samples for any end.</param>
/// <param name="HighNs">Upper end of the interval in nanoseconds; null when there are too few effective samples.</param>
/// <param name="AtLeastNs">The largest measured value in nanoseconds; given only when <paramref name="ValueNs"/> is null and something was recorded.</param>
internal readonly record struct PercentileEstimate(double Percentile, long? ValueNs, long LowNs, long? HighNs, long? AtLeastNs);
