namespace LatencyTuner.Core.Statistics;

/// <summary>Finds the peaks of one level that noise does not explain: of the fundamental alone, and of two or four harmonics together.</summary>
internal static class PeakSearch
{
    // Each number of harmonics gets a share of the false alarms; the sum of the shares is 1.
    private static readonly (int Harmonics, double Share)[] Trials = [(1, 0.8), (2, 0.1), (4, 0.1)];
    private const int MostOfALevel = 8;
    private const double ManyCycles = 20;

    // From simulations with white, red, quantised and heavy-tailed noise: series with fewer bins cause up to three times the false alarms.
    private const double ManyBins = 1500;

    // Tests whether the fundamental exists when its multiples do: a test of one frequency, not of all.
    private const double LogOwnP = -11.5;

    /// <summary>Searches one level.</summary>
    /// <param name="level">The level to search.</param>
    /// <param name="index">Index of the level.</param>
    /// <param name="shortest">Shortest period, seconds.</param>
    /// <param name="longest">Longest period, seconds.</param>
    /// <param name="independent">Number of independent frequencies of the whole search.</param>
    /// <param name="options">Limits of the search.</param>
    internal static IEnumerable<SpectralPeak> In(
        SpectrumLevel level, int index, double shortest, double longest, double independent, PeriodicityOptions options)
    {
        double cycle = level.PaddedLength * level.StepSeconds;
        int from = Math.Max(2, (int)Math.Ceiling(cycle / longest));
        int to = Math.Min((level.PaddedLength / 2) - 2, (int)Math.Floor(cycle / shortest));
        int apart = Math.Max(1, 2 * level.PaddedLength / level.Residuals.Length);
        List<(int Grid, SpectralPeak Peak)> found = [];
        for (int g = from; g <= to; g++)
        {
            double own = level.IsPeak(g) ? level.SurpriseOfTop(g) : level.Surprise(g);
            foreach ((int harmonics, double share) in Trials)
            {
                // The sum of harmonics can have its peak beside the peak of the fundamental.
                if ((harmonics == 1 && !level.IsPeak(g)) || harmonics * g > (level.PaddedLength / 2) - 2)
                {
                    continue;
                }

                double log = LogP(level, g, own, harmonics, independent) - Math.Log(share);
                if (log < Math.Log(options.MostFalseAlarm))
                {
                    found.Add((g, new(index, g / cycle, harmonics, log)));
                }
            }
        }
        List<(int Grid, SpectralPeak Peak)> kept = [];
        foreach ((int Grid, SpectralPeak Peak) candidate in found.OrderBy(f => f.Peak.LogFalseAlarm))
        {
            if (kept.Count < MostOfALevel && kept.TrueForAll(k => Math.Abs(k.Grid - candidate.Grid) > apart))
            {
                kept.Add(candidate);
            }
        }
        return kept.Select(k => k.Peak);
    }

    private static double LogP(SpectrumLevel level, int grid, double own, int harmonics, double independent)
    {
        double sum = own;
        Span<double> surprises = stackalloc double[harmonics];
        surprises[0] = own;
        for (int k = 2; k <= harmonics; k++)
        {
            surprises[k - 1] = level.Surprise(k * grid, k / 2);
            sum += surprises[k - 1];
        }
        // If the candidate is a multiple of the true period, all its power is in multiples of its frequency.
        foreach (int divisor in harmonics == 1 ? [] : harmonics == 2 ? (int[])[2] : [2, 3])
        {
            double rest = 0;
            int terms = 0;
            for (int k = 1; k <= harmonics; k++)
            {
                rest += k % divisor == 0 ? 0 : surprises[k - 1];
                terms += k % divisor == 0 ? 0 : 1;
            }
            if (LogGammaTail(rest, terms) > LogOwnP)
            {
                return 0;
            }
        }
        // With few cycles the background comes from few neighbours, and its slope matters more.
        double cycles = grid * (double)level.Residuals.Length / level.PaddedLength;
        double few = Math.Max(1, ManyCycles / cycles);
        double brief = Math.Max(1, ManyBins / (2 * independent));
        double tried = independent * brief * Math.Sqrt(Math.Max(1, sum)) * harmonics * harmonics * few * few;
        return Math.Min(0, Math.Log(tried) + LogGammaTail(sum, harmonics));
    }

    /// <summary>ln P(sum of n exponential variables with mean 1 ≥ x).</summary>
    private static double LogGammaTail(double x, int n)
    {
        double term = 1;
        double sum = 1;
        for (int i = 1; i < n; i++)
        {
            term *= x / i;
            sum += term;
        }
        return Math.Log(sum) - x;
    }
}

/// <summary>A peak that noise does not explain.</summary>
/// <param name="Level">Index of the level on which it was found.</param>
/// <param name="Frequency">Frequency in Hz, on the grid of the level.</param>
/// <param name="Harmonics">Number of harmonics that were summed.</param>
/// <param name="LogFalseAlarm">Natural logarithm of its false-alarm probability over the whole search.</param>
internal readonly record struct SpectralPeak(int Level, double Frequency, int Harmonics, double LogFalseAlarm);
