namespace LatencyTuner.Core.Statistics;

/// <summary>
/// Predicts the faster of two responses when the second request is sent after a delay d, from series that were measured separately:
/// S(t) = S1(t) before the delay and S1(t) S2(t - d) after it (Dean and Barroso, "The Tail at Scale", 2013; Vulimiri et al., CoNEXT 2013).
/// This assumes independence, which is wrong where both share a client, a path or a cause. The Fréchet bounds hold without it.
/// </summary>
internal static class BestOfTwo
{
    private const int MostDelays = 16;

    /// <summary>Predicts quantiles.</summary>
    /// <param name="first">Response times of the first server alone in the order of measurement, nanoseconds; at least one.</param>
    /// <param name="second">Response times of the second server alone, nanoseconds; at least one.</param>
    /// <param name="delaysNs">
    /// Delays between the first and the second request, nanoseconds, each as frequent as the others; 0 when both are sent at once; at least one.
    /// </param>
    /// <param name="quantiles">The quantiles to predict, each above 0 and below 1.</param>
    /// <param name="seed">Seed of the bootstrap.</param>
    /// <param name="alpha">One minus the confidence.</param>
    /// <param name="resamples">Resamples of the block bootstrap.</param>
    /// <exception cref="ArgumentException">A series is empty.</exception>
    public static IReadOnlyList<BestOfTwoQuantile> Predict(
        IReadOnlyList<long> first, IReadOnlyList<long> second, IReadOnlyList<long> delaysNs, IReadOnlyList<double> quantiles, int seed, double alpha = 0.05,
        int resamples = 400)
    {
        ArgumentNullException.ThrowIfNull(first);
        ArgumentNullException.ThrowIfNull(second);
        ArgumentNullException.ThrowIfNull(quantiles);
        ArgumentNullException.ThrowIfNull(delaysNs);
        if (first.Count == 0 || second.Count == 0 || delaysNs.Count == 0)
        {
            throw new ArgumentException("Both series and the delays need at least one value.");
        }

        long[] delays = Few([.. delaysNs.Order()]);
        long[] a = [.. first.Order()];
        long[] b = [.. second.Order()];
        long[][] drawn = new long[quantiles.Count][];
        for (int q = 0; q < drawn.Length; q++)
        {
            drawn[q] = new long[resamples];
        }

        int r = 0;
        void Take(long[][] both)
        {
            for (int q = 0; q < drawn.Length; q++)
            {
                drawn[q][r] = Quantile(both[0], both[1], delays, quantiles[q], (s1, s2) => s1 * s2);
            }

            r++;
        }
        BlockBootstrap.DrawEach([first, second], BlockBootstrap.ShortBlocks, Take, seed, resamples);
        BestOfTwoQuantile[] found = new BestOfTwoQuantile[quantiles.Count];
        for (int q = 0; q < found.Length; q++)
        {
            Array.Sort(drawn[q]);
            int cut = (int)(alpha / 2 * resamples);
            found[q] = new(
                quantiles[q],
                Quantile(a, b, delays, quantiles[q], (s1, s2) => s1 * s2),
                drawn[q][cut],
                drawn[q][resamples - 1 - cut],
                Quantile(a, b, delays, quantiles[q], (s1, s2) => Math.Max(0, s1 + s2 - 1)),
                Quantile(a, b, delays, quantiles[q], Math.Min));
        }
        return found;
    }

    /// <summary>The smallest value at which the joint survival function is at most one minus the quantile.</summary>
    private static long Quantile(long[] first, long[] second, long[] delays, double quantile, Func<double, double, double> joint)
    {
        // The result is a value of one of the series: search both at once by bisecting the range of times.
        long low = Math.Min(first[0], second[0] + delays[0]);
        long high = first[^1];
        while (low < high)
        {
            long middle = low + ((high - low) / 2);
            // A small tolerance: 1 - q is not exact in floating point.
            if (joint(Survival(first, middle), delays.Average(d => Survival(second, middle - d))) <= 1 - quantile + 1e-12)
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

    /// <summary>Values evenly spaced by rank that stand for all.</summary>
    private static long[] Few(long[] sorted) =>
        sorted[0] == sorted[^1] ? [sorted[0]]
        : sorted.Length <= MostDelays ? sorted
        : [.. Enumerable.Range(0, MostDelays).Select(i => sorted[(int)((i + 0.5) * sorted.Length / MostDelays)])];

    /// <summary>Share (0 to 1) of the values above a time; 1 before the first value.</summary>
    private static double Survival(long[] sorted, long time)
    {
        int low = 0;
        int high = sorted.Length;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (sorted[middle] <= time)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return (sorted.Length - low) / (double)sorted.Length;
    }
}

/// <summary>The predicted quantile of the faster of two responses. Times are in nanoseconds.</summary>
/// <param name="Quantile">The quantile, above 0 and below 1.</param>
/// <param name="Independent">The value when the two response times are independent.</param>
/// <param name="Low">Lower end of the bootstrap interval of <paramref name="Independent"/>.</param>
/// <param name="High">Upper end of the bootstrap interval of <paramref name="Independent"/>.</param>
/// <param name="Best">The value when one is slow only while the other is fast (the lower Fréchet bound).</param>
/// <param name="Worst">The value when both are slow at the same time (the upper Fréchet bound).</param>
internal readonly record struct BestOfTwoQuantile(double Quantile, double Independent, double Low, double High, double Best, double Worst);
