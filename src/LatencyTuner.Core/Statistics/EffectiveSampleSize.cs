namespace LatencyTuner.Core.Statistics;

/// <summary>Number of independent values that hold as much information as a series of dependent ones; from 1 to the number of values.</summary>
internal static class EffectiveSampleSize
{
    /// <summary>n / (1 + 2Σρ_k), summed over the lags while the autocorrelation ρ_k stays above 0.</summary>
    /// <param name="series">Values in time order. At most a few thousand: the work grows with n times the last lag.</param>
    /// <returns>From 1 to n; 0 for an empty series; n for a constant one.</returns>
    public static double FromSeries(ReadOnlySpan<double> series)
    {
        int n = series.Length;
        if (n < 3)
        {
            return n;
        }

        double mean = 0;
        foreach (double value in series)
        {
            mean += value / n;
        }

        double[] centred = new double[n];
        double variance = 0;
        for (int i = 0; i < n; i++)
        {
            centred[i] = series[i] - mean;
            variance += centred[i] * centred[i];
        }
        if (!(variance > 0))
        {
            return n;
        }

        double sum = 0;
        for (int lag = 1; lag < n / 2; lag++)
        {
            double product = 0;
            for (int i = lag; i < n; i++)
            {
                product += centred[i] * centred[i - lag];
            }
            // The estimate is biased by about −1/n at each lag; without this correction the sum ends too early in short series.
            double rho = (product / variance) + (1.0 / n);
            if (rho <= 0)
            {
                break;
            }

            sum += rho;
        }
        return Math.Clamp(n / (1 + (2 * sum)), 1, n);
    }

    /// <summary>
    /// Estimate from the share of values at or below a limit in each time block: the observed variance of the shares, divided by that of
    /// independent values, p(1−p)/n_b (the design effect, at least 1). With few blocks, Student's t widens it.
    /// </summary>
    /// <param name="atOrBelow">Number of values at or below the limit in each block.</param>
    /// <param name="counts">Number of values in each block; empty blocks are left out.</param>
    /// <returns>From 1 to n; 0 without values.</returns>
    /// <exception cref="ArgumentException">The two arrays differ in length.</exception>
    public static double FromBlocks(ReadOnlySpan<long> atOrBelow, ReadOnlySpan<long> counts)
    {
        if (atOrBelow.Length != counts.Length)
        {
            throw new ArgumentException($"There are {atOrBelow.Length} shares for {counts.Length} blocks.", nameof(atOrBelow));
        }

        double n = 0;
        double below = 0;
        int blocks = 0;
        for (int i = 0; i < counts.Length; i++)
        {
            n += counts[i];
            below += atOrBelow[i];
            blocks += counts[i] > 0 ? 1 : 0;
        }
        if (n == 0)
        {
            return 0;
        }

        double p = below / n;
        if (blocks < 2 || p <= 0 || p >= 1)
        {
            return n;
        }

        double observed = 0;
        for (int i = 0; i < counts.Length; i++)
        {
            double residual = atOrBelow[i] - (p * counts[i]);
            observed += residual * residual;
        }
        double designEffect = observed * blocks / (blocks - 1) / (n * p * (1 - p)) * Widening(blocks - 1);
        return Math.Clamp(n / Math.Max(1, designEffect), 1, n);
    }

    internal static double Widening(double degrees)
    {
        double ratio = Distributions.StudentQuantile(0.975, degrees) / Distributions.NormalQuantile(0.975);
        return ratio * ratio;
    }
}
