namespace LatencyTuner.Core.Statistics;

/// <summary>A series folded at a period: the average shape of one cycle.</summary>
internal static class FoldedProfile
{
    private const int Phases = 20;

    /// <summary>Folds the values, each cycle minus its own mean, around the median of the series.</summary>
    internal static IReadOnlyList<ProfilePoint> Of(BinnedSeries series, double frequency, double peakSeconds)
    {
        double[] values = series.Values;
        int phases = (int)Math.Clamp(1 / frequency / series.StepSeconds, 4, Phases);
        double centre = series.Median();
        double[] sums = new double[phases];
        double[] squares = new double[phases];
        int[] counts = new int[phases];
        int from = 0;
        while (from < values.Length)
        {
            double cycle = Math.Floor((series.TimeOf(from) - peakSeconds) * frequency);
            int to = from;
            double sum = 0;
            int held = 0;
            for (; to < values.Length && Math.Floor((series.TimeOf(to) - peakSeconds) * frequency) == cycle; to++)
            {
                if (!double.IsNaN(values[to]))
                {
                    (sum, held) = (sum + values[to], held + 1);
                }
            }
            // A cycle that was only partly measured has a different mean.
            bool whole = held >= 0.75 * (to - from) && (to - from + 1) * series.StepSeconds * frequency >= 0.9;
            for (int i = from; i < to && whole; i++)
            {
                if (double.IsNaN(values[i]))
                {
                    continue;
                }

                double turns = (series.TimeOf(i) - peakSeconds) * frequency;
                int phase = (int)((turns - Math.Floor(turns)) * phases);
                phase = Math.Min(phase, phases - 1);
                double value = values[i] - (sum / held);
                sums[phase] += value;
                squares[phase] += value * value;
                counts[phase]++;
            }
            from = Math.Max(to, from + 1);
        }
        return [.. Enumerable.Range(0, phases).Where(p => counts[p] > 1).Select(p =>
        {
            double mean = sums[p] / counts[p];
            double error = Math.Sqrt(Math.Max(0, squares[p] - (counts[p] * mean * mean)) / (counts[p] - 1.0) / counts[p]);
            double half = error * Distributions.StudentQuantile(0.975, counts[p] - 1);
            return new ProfilePoint((p + 0.5) / phases, centre + mean, centre + mean - half, centre + mean + half, counts[p]);
        })];
    }
}

/// <summary>One phase of a folded series.</summary>
/// <param name="Phase">Middle of the phase bin as a share (0 to 1) of the period; 0 is the highest point of the fundamental.</param>
/// <param name="Mean">Mean of the values in this phase.</param>
/// <param name="Low">Lower end of its 95 % interval.</param>
/// <param name="High">Upper end of its 95 % interval.</param>
/// <param name="Count">Number of bins of the series in this phase.</param>
internal readonly record struct ProfilePoint(double Phase, double Mean, double Low, double High, int Count);
