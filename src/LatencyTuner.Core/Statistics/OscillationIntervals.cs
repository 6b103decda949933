using System.Numerics;

namespace LatencyTuner.Core.Statistics;

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
        // Few blocks leave residuals that are too small; Student's t for their number makes up for it.
        double widening = Math.Sqrt(EffectiveSampleSize.Widening(Math.Max(1, n - 3)));
        return new(
            Math.Max(0, -frequencies[low]) * widening, Math.Max(0, frequencies[high]) * widening,
            Math.Max(0, -sizes[low]) * widening, Math.Max(0, sizes[high]) * widening);
    }
}
