using System.Numerics;

namespace LatencyTuner.Core.Statistics;

/// <summary>
/// Frequencies that a sampled series cannot distinguish: f and k/Δ ± f look the same at even intervals Δ. Uneven samples distinguish them, and
/// so do bins that aggregate many samples.
/// </summary>
internal static class Aliases
{
    private const int Orders = 3;

    internal static (AliasVerdict Verdict, IReadOnlyList<double> PeriodsSeconds) Of(BinnedSeries series, double frequency, PeriodicityOptions options)
    {
        if (options.BinsAreAggregates)
        {
            return (AliasVerdict.Excluded, []);
        }

        IReadOnlyList<(double TimeSeconds, double Value)> samples = options.Samples;
        // With one sample per bin, the sampling interval is the bin length, wherever the sample is in its bin.
        double gap = samples.Count > 2 ? MedianGap(samples) : series.StepSeconds;
        double interval = gap > 1e-9 && gap < 0.5 * series.StepSeconds ? gap : series.StepSeconds;
        double[] images =
            [.. Enumerable.Range(1, Orders).SelectMany(k => new[] { (k / interval) - frequency, (k / interval) + frequency }).Where(f => f > frequency)];
        double[] nearest = [.. images.Take(2).Select(f => 1 / f)];
        // The samples must cover some cycles to be evidence.
        if (samples.Count < 40 || (samples[^1].TimeSeconds - samples[0].TimeSeconds) * frequency < 4)
        {
            return (AliasVerdict.Possible, nearest);
        }

        double own = Power(samples, frequency);
        double best = images.Max(f => Power(samples, f));
        return best > 1.5 * own ? (AliasVerdict.Likelier, nearest)
            : best < 0.5 * own ? (AliasVerdict.Excluded, nearest)
            : (AliasVerdict.Possible, nearest);
    }

    private static double MedianGap(IReadOnlyList<(double TimeSeconds, double Value)> samples) =>
        OrderStatistics.Median([.. Enumerable.Range(1, samples.Count - 1).Select(i => samples[i].TimeSeconds - samples[i - 1].TimeSeconds)]);

    private static double Power(IReadOnlyList<(double TimeSeconds, double Value)> samples, double frequency)
    {
        double[] values = [.. samples.Select(s => s.Value)];
        double centre = OrderStatistics.Median((double[])values.Clone());
        double scale = OrderStatistics.ScaleAroundZero(values.Select(v => v - centre));
        double cap = scale > 0 ? 6 * scale : double.PositiveInfinity;
        Complex sum = Complex.Zero;
        for (int i = 0; i < values.Length; i++)
        {
            sum += Math.Clamp(values[i] - centre, -cap, cap)
                * Complex.FromPolarCoordinates(1, -2 * Math.PI * frequency * (samples[i].TimeSeconds - samples[0].TimeSeconds));
        }

        return sum.Magnitude * sum.Magnitude;
    }
}

/// <summary>Whether an oscillation could be the alias of a faster one that the sampling is too coarse to show.</summary>
internal enum AliasVerdict
{
    /// <summary>The sampling is even: a faster oscillation at an alias period would look the same.</summary>
    Possible,

    /// <summary>The sampling is uneven or much finer, and the aliases fit worse.</summary>
    Excluded,

    /// <summary>An alias fits the single samples better than the period that was found.</summary>
    Likelier,
}
