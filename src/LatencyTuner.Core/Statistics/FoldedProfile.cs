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
        // One mean for each phase of each cycle: a pulse is in the means of all cycles, an outlier in that of one.
        List<double>[] folded = [.. Enumerable.Range(0, phases).Select(_ => new List<double>())];
        double[] sums = new double[phases];
        int[] counts = new int[phases];
        int[] bins = new int[phases];
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
                sums[phase] += values[i] - (sum / held);
                counts[phase]++;
            }
            for (int p = 0; p < phases; p++)
            {
                if (counts[p] > 0)
                {
                    folded[p].Add(sums[p] / counts[p]);
                    bins[p] += counts[p];
                    (sums[p], counts[p]) = (0, 0);
                }
            }
            from = Math.Max(to, from + 1);
        }
        return [.. Enumerable.Range(0, phases).Where(p => folded[p].Count > 1).Select(p =>
        {
            double[] capped = Capped(folded[p]);
            double mean = capped.Average();
            double error = Math.Sqrt(capped.Sum(v => (v - mean) * (v - mean)) / (capped.Length - 1.0) / capped.Length);
            double half = error * Distributions.StudentQuantile(0.975, capped.Length - 1);
            return new ProfilePoint((p + 0.5) / phases, centre + mean, centre + mean - half, centre + mean + half, bins[p]);
        })];
    }

    // An outlier also shifts the mean of its own cycle, and with it every other phase of that cycle; the cap takes care of both.
    private static double[] Capped(List<double> values)
    {
        double median = OrderStatistics.Median([.. values]);
        double cap = SpectrumLevel.CapInDeviations * OrderStatistics.ScaleAroundZero(values.Select(v => v - median));
        return cap > 0 ? [.. values.Select(v => Math.Clamp(v, median - cap, median + cap))] : [.. values];
    }
}

/// <summary>One phase of a folded series.</summary>
/// <param name="Phase">Middle of the phase bin as a share (0 to 1) of the period; 0 is the highest point of the fundamental.</param>
/// <param name="Mean">Mean of the values in this phase.</param>
/// <param name="Low">Lower end of its 95 % interval.</param>
/// <param name="High">Upper end of its 95 % interval.</param>
/// <param name="Count">Number of bins of the series in this phase.</param>
internal readonly record struct ProfilePoint(double Phase, double Mean, double Low, double High, int Count);
