using System.Numerics;

namespace LatencyTuner.Core.Statistics;

/// <summary>
/// A series reduced to one complex amplitude for each time block and harmonic of a carrier frequency. Frequency, amplitude, phase and their
/// intervals are then computed from the blocks, not from all values.
/// </summary>
internal sealed class Demodulation
{
    private const int SearchSteps = 20;

    private Demodulation(double frequency, int harmonics, int blocks, long firstBlock)
    {
        Frequency = frequency;
        FirstBlock = firstBlock;
        Sums = [.. Enumerable.Range(0, harmonics).Select(_ => new Complex[blocks])];
        Times = new double[blocks];
        Counts = new int[blocks];
    }

    /// <summary>The carrier frequency in Hz.</summary>
    internal double Frequency { get; }

    /// <summary>Number of the first block, counted from the origin of the clock.</summary>
    internal long FirstBlock { get; }

    /// <summary>Σ y·e^(−2πi·k·f·t) by harmonic (from the first) and block.</summary>
    internal Complex[][] Sums { get; }

    /// <summary>Mean time of the values of each block, seconds after the origin.</summary>
    internal double[] Times { get; }

    /// <summary>Number of values in each block.</summary>
    internal int[] Counts { get; }

    /// <summary>Demodulates a series.</summary>
    /// <param name="values">Values of the series; NaN is a gap.</param>
    /// <param name="start">Start of the first bin, seconds.</param>
    /// <param name="step">Length of a bin, seconds.</param>
    /// <param name="frequency">Carrier frequency in Hz.</param>
    /// <param name="harmonics">Number of harmonics, including the fundamental.</param>
    /// <param name="blockSeconds">Length of a block in seconds.</param>
    /// <param name="origin">Zero point of phases and blocks, seconds on the same clock as the start.</param>
    /// <param name="removeMeans">Whether the mean of each block is subtracted first, for values that were not detrended.</param>
    internal static Demodulation Of(
        double[] values, double start, double step, double frequency, int harmonics, double blockSeconds, double origin, bool removeMeans = false)
    {
        long BlockOf(int i) => (long)Math.Floor((start + ((i + 0.5) * step) - origin) / blockSeconds);
        long first = BlockOf(0);
        Demodulation result = new(frequency, harmonics, (int)(BlockOf(values.Length - 1) - first + 1), first);
        double[] means = new double[result.Counts.Length];
        for (int i = 0; i < values.Length; i++)
        {
            if (double.IsNaN(values[i]))
            {
                continue;
            }

            int block = (int)(BlockOf(i) - first);
            result.Counts[block]++;
            result.Times[block] += start + ((i + 0.5) * step) - origin;
            means[block] += values[i];
        }
        for (int b = 0; b < means.Length; b++)
        {
            means[b] = removeMeans && result.Counts[b] > 0 ? means[b] / result.Counts[b] : 0;
            result.Times[b] = result.Counts[b] > 0 ? result.Times[b] / result.Counts[b] : (first + b + 0.5) * blockSeconds;
        }
        for (int i = 0; i < values.Length; i++)
        {
            if (double.IsNaN(values[i]))
            {
                continue;
            }

            int block = (int)(BlockOf(i) - first);
            double turns = frequency * (start + ((i + 0.5) * step) - origin);
            Complex turn = Complex.FromPolarCoordinates(1, -2 * Math.PI * (turns - Math.Floor(turns)));
            Complex phase = turn;
            foreach (Complex[] sums in result.Sums)
            {
                sums[block] += (values[i] - means[block]) * phase;
                phase *= turn;
            }
        }
        return result;
    }

    /// <summary>The offset from the carrier in Hz, within a limit, at which the harmonics together have the most power.</summary>
    internal double BestOffset(Complex[][] sums, double limit)
    {
        double[] power = new double[(2 * SearchSteps) + 1];
        for (int s = 0; s < power.Length; s++)
        {
            power[s] = PowerAt(sums, limit * (s - SearchSteps) / SearchSteps);
        }

        int best = Array.IndexOf(power, power.Max());
        double centre = limit * (best - SearchSteps) / SearchSteps;
        double width = limit / SearchSteps;
        // Twice the vertex of a parabola through the three best points: the peak is smooth on this scale.
        for (int pass = 0; pass < 3; pass++)
        {
            (double left, double middle, double right) = (PowerAt(sums, centre - width), PowerAt(sums, centre), PowerAt(sums, centre + width));
            double curvature = left - (2 * middle) + right;
            if (!(curvature < 0))
            {
                break;
            }

            centre += Math.Clamp(0.5 * width * (left - right) / curvature, -width, width);
            width /= 8;
        }
        return centre;
    }

    /// <summary>The complex amplitude of one harmonic at an offset from the carrier: y ≈ Re(a·e^(2πi·k·f·t)).</summary>
    internal Complex Amplitude(Complex[][] sums, int harmonic, double offset) =>
        2 * SumAt(sums[harmonic], harmonic + 1, offset) / Math.Max(1, Counts.Sum());

    /// <summary>The residuals of the block sums after subtracting the fitted harmonics.</summary>
    internal Complex[][] Residuals(double offset, Complex[] amplitudes) => [.. Sums.Select((sums, k) =>
        sums.Select((sum, b) => sum - (Counts[b] * amplitudes[k] / 2 * Turn((k + 1) * offset * Times[b]))).ToArray())];

    /// <summary>The block sums rebuilt from the fit and resampled residuals.</summary>
    internal Complex[][] Rebuild(double offset, Complex[] amplitudes, Complex[][] residuals, int[] draw) => [.. residuals.Select((rest, k) =>
        rest.Select((_, b) => rest[draw[b]] + (Counts[b] * amplitudes[k] / 2 * Turn((k + 1) * offset * Times[b]))).ToArray())];

    private double PowerAt(Complex[][] sums, double offset)
    {
        double power = 0;
        for (int k = 0; k < sums.Length; k++)
        {
            Complex sum = SumAt(sums[k], k + 1, offset);
            power += (sum.Real * sum.Real) + (sum.Imaginary * sum.Imaginary);
        }
        return power;
    }

    private Complex SumAt(Complex[] sums, int harmonic, double offset)
    {
        // Blocks follow each other at one distance but for gaps, so a turn follows from the one before; now and then it is computed: errors do not add up.
        const int Computed = 32;
        double rate = -harmonic * offset;
        double distance = Times.Length > 1 ? Times[1] - Times[0] : 0;
        Complex step = Turn(rate * distance);
        Complex turn = Complex.One;
        Complex sum = Complex.Zero;
        for (int b = 0; b < sums.Length; b++)
        {
            bool follows = b % Computed != 0 && Math.Abs((Times[b] - Times[b - 1] - distance) * rate) < 1e-11;
            turn = follows ? turn * step : Turn(rate * Times[b]);
            sum += sums[b] * turn;
        }

        return sum;
    }

    private static Complex Turn(double turns) => Complex.FromPolarCoordinates(1, 2 * Math.PI * turns);
}
