using System.Numerics;

namespace LatencyTuner.Core.Statistics;

/// <summary>A periodic oscillation of a series. Values are in the unit of the series.</summary>
internal sealed record Oscillation
{
    /// <summary>The period in seconds.</summary>
    public required double PeriodSeconds { get; init; }

    /// <summary>Lower end of its 95 % interval, seconds.</summary>
    public required double PeriodLowSeconds { get; init; }

    /// <summary>Upper end of its 95 % interval, seconds.</summary>
    public required double PeriodHighSeconds { get; init; }

    /// <summary>Amplitude of the fundamental: half of the difference between its highest and its lowest value.</summary>
    public required double Amplitude { get; init; }

    /// <summary>Lower end of its 95 % interval.</summary>
    public required double AmplitudeLow { get; init; }

    /// <summary>Upper end of its 95 % interval.</summary>
    public required double AmplitudeHigh { get; init; }

    /// <summary>The first time at or after the start of the series at which the fundamental is highest, seconds on the clock of the series.</summary>
    public required double FirstPeakSeconds { get; init; }

    /// <summary>False-alarm probability: noise with the same spectrum as the series shows an equal peak anywhere in the searched range.</summary>
    public required double FalseAlarmProbability { get; init; }

    /// <summary>Probability that cycles without a common phase show as much power as these.</summary>
    public required double CoherenceP { get; init; }

    /// <summary>Number of periods in the series.</summary>
    public required double Cycles { get; init; }

    /// <summary>Share (0 to 1) of the variance that the oscillation explains, at a resolution of an eighth of the period.</summary>
    public required double ExplainedShare { get; init; }

    /// <summary>Number of harmonics that were summed to find it, including the fundamental: 1 for a sine, more for pulses and ramps.</summary>
    public required int Harmonics { get; init; }

    /// <summary>The series folded at the period.</summary>
    public required IReadOnlyList<ProfilePoint> Profile { get; init; }

    /// <summary>Difference between the highest and the lowest point of the profile.</summary>
    public double ProfileSwing => Profile.Count == 0 ? 0 : Profile.Max(p => p.Mean) - Profile.Min(p => p.Mean);

    /// <summary>Whether the oscillation could be an alias of a faster one.</summary>
    public AliasVerdict Alias { get; init; }

    /// <summary>The nearest periods that look the same at this sampling, in seconds.</summary>
    public IReadOnlyList<double> AliasPeriodsSeconds { get; init; } = [];
}

/// <summary>Distances from the estimates to the ends of their 95 % intervals, by a bootstrap of the residuals of blocks.</summary>
internal readonly record struct OscillationIntervals(double FrequencyBelow, double FrequencyAbove, double AmplitudeBelow, double AmplitudeAbove)
{
    private const int Draws = 400;

    internal static OscillationIntervals Of(Demodulation blocks, double offset, Complex[] amplitudes, double limit, int seed)
    {
        Complex[][] residuals = blocks.Residuals(offset, amplitudes);
        int n = blocks.Times.Length;
        int[] draw = new int[n];
        double[] frequencies = new double[Draws];
        double[] sizes = new double[Draws];
#pragma warning disable CA5394
        Random random = new(seed);
        for (int i = 0; i < Draws; i++)
        {
            for (int b = 0; b < n; b++)
            {
                draw[b] = random.Next(n);
            }

            Complex[][] again = blocks.Rebuild(offset, amplitudes, residuals, draw);
            double found = blocks.BestOffset(again, limit);
            frequencies[i] = found - offset;
            sizes[i] = blocks.Amplitude(again, 0, found).Magnitude - amplitudes[0].Magnitude;
        }
#pragma warning restore CA5394
        Array.Sort(frequencies);
        Array.Sort(sizes);
        (int low, int high) = ((int)(0.025 * Draws), (int)(0.975 * Draws));
        // With few blocks the residuals are too small; Student's t for the number of blocks corrects this.
        double widening = Math.Sqrt(EffectiveSampleSize.Widening(Math.Max(1, n - 3)));
        return new(
            Math.Max(0, -frequencies[low]) * widening, Math.Max(0, frequencies[high]) * widening,
            Math.Max(0, -sizes[low]) * widening, Math.Max(0, sizes[high]) * widening);
    }
}

/// <summary>Removes the oscillations found in a series, so that slow oscillations are not reported as level shifts.</summary>
internal static class OscillationRemoval
{
    internal static BinnedSeries Of(BinnedSeries series, IReadOnlyList<Oscillation> oscillations)
    {
        if (oscillations.Count == 0)
        {
            return series;
        }

        double[] values = (double[])series.Values.Clone();
        foreach (Oscillation oscillation in oscillations.Where(o => o.Profile.Count > 1))
        {
            double centre = oscillation.Profile.Average(p => p.Mean);
            for (int i = 0; i < values.Length; i++)
            {
                double turns = (series.TimeOf(i) - oscillation.FirstPeakSeconds) / oscillation.PeriodSeconds;
                values[i] -= At(oscillation.Profile, turns - Math.Floor(turns)) - centre;
            }
        }
        return new BinnedSeries(series.StartSeconds, series.StepSeconds, values);
    }

    /// <summary>Interpolates the profile, which repeats after its last point.</summary>
    private static double At(IReadOnlyList<ProfilePoint> profile, double phase)
    {
        int next = 0;
        while (next < profile.Count && profile[next].Phase < phase)
        {
            next++;
        }

        ProfilePoint right = profile[next % profile.Count];
        ProfilePoint left = profile[(next + profile.Count - 1) % profile.Count];
        double width = right.Phase - left.Phase + (right.Phase <= left.Phase ? 1 : 0);
        double from = phase - left.Phase + (phase < left.Phase ? 1 : 0);
        return left.Mean + ((right.Mean - left.Mean) * Math.Clamp(from / width, 0, 1));
    }
}
