using System.Numerics;

namespace LatencyTuner.Core.Statistics;

/// <summary>
/// Peaks that gaps create beside a true one: the measured spectrum is the true spectrum convolved with that of the gap pattern (VanderPlas 2018,
/// section 3). An oscillation of period P with gaps every Q therefore appears at 1/P ± 1/Q as well.
/// </summary>
internal static class GapPattern
{
    private const int Harmonics = 8;
    private const double FullEnough = 0.98;
    private const double LeastLeft = 0.5;

    /// <summary>True when removing the known oscillations removes most of the amplitude at a frequency.</summary>
    /// <param name="level">The series at the resolution at which the frequency was found.</param>
    /// <param name="frequency">The frequency, Hz.</param>
    /// <param name="known">Frequencies of the known oscillations, Hz.</param>
    internal static bool Makes(SpectrumLevel level, double frequency, IEnumerable<double> known)
    {
        if (level.Count > FullEnough * level.Residuals.Length)
        {
            return false;
        }

        double[] rest = (double[])level.Residuals.Clone();
        double before = Amplitude(rest, level.StepSeconds, frequency).Magnitude;
        foreach (double other in known)
        {
            for (int k = 1; k <= Harmonics && k * other * level.StepSeconds < 0.5; k++)
            {
                // The frequency itself can be a multiple of a known one; this is not a gap pattern, so do not subtract it.
                if (Math.Abs((k * other) - frequency) * level.StepSeconds * rest.Length > 1)
                {
                    Subtract(rest, level.StepSeconds, k * other);
                }
            }
        }
        return Amplitude(rest, level.StepSeconds, frequency).Magnitude < LeastLeft * before;
    }

    private static Complex Amplitude(double[] values, double step, double frequency)
    {
        Complex sum = Complex.Zero;
        int count = 0;
        for (int i = 0; i < values.Length; i++)
        {
            if (double.IsNaN(values[i]))
            {
                continue;
            }

            sum += values[i] * Turn(step, frequency, i);
            count++;
        }
        return 2 * sum / Math.Max(1, count);
    }

    private static void Subtract(double[] values, double step, double frequency)
    {
        Complex amplitude = Amplitude(values, step, frequency);
        for (int i = 0; i < values.Length; i++)
        {
            values[i] -= (amplitude * Complex.Conjugate(Turn(step, frequency, i))).Real;
        }
    }

    private static Complex Turn(double step, double frequency, int bin)
    {
        double turns = frequency * (bin + 0.5) * step;
        return Complex.FromPolarCoordinates(1, -2 * Math.PI * (turns - Math.Floor(turns)));
    }
}
