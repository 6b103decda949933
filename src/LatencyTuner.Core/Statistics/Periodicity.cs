using System.Numerics;

namespace LatencyTuner.Core.Statistics;

/// <summary>
/// Finds periodic oscillations (Lomb 1976, Scargle 1982) in noise of any colour: octave by octave, each on a suitable grid, with the
/// background of neighbouring frequencies as the null hypothesis (false-alarm probability after Baluev 2008 with the number of
/// independent frequencies of the whole search). A spectral peak must then pass these checks: coherent phase over the cycles, a share of the
/// variance, presence in the undecimated series, no alias. The cost is that of a few Fourier transforms.
/// </summary>
internal static class Periodicity
{
    private const double ShortestPeriodInBins = 2.5;
    private const double MostCoherenceP = 0.01;
    private const double MostMultiple = 12;

    /// <summary>All oscillations, the most certain first.</summary>
    /// <param name="series">At least 40 bins; fewer find nothing.</param>
    /// <param name="options">Options of the search; null for the defaults.</param>
    public static IReadOnlyList<Oscillation> Find(BinnedSeries series, PeriodicityOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(series);
        options ??= PeriodicityOptions.Standard;
        List<Found> accepted = [];
        if (series.Count < 40)
        {
            return [];
        }

        (List<SpectrumLevel> levels, List<SpectralPeak> peaks) = Search(series, options);
        foreach (SpectralPeak peak in peaks.OrderBy(p => p.LogFalseAlarm))
        {
            int related = accepted.FindIndex(a => AreRelated(a.Peak, peak, series.SpanSeconds));
            if (related >= 0 && peak.Frequency > 0.7 * accepted[related].Peak.Frequency)
            {
                continue;
            }

            if (related < 0 && accepted.Count == options.Most)
            {
                continue;
            }

            if (Check(series, levels, peak, [.. accepted.Select(a => a.Peak.Frequency)], options) is not { } oscillation)
            {
                continue;
            }

            if (accepted.Exists(a => Math.Abs((1 / a.Oscillation.PeriodSeconds) - (1 / oscillation.PeriodSeconds)) < 1.5 / series.SpanSeconds))
            {
                continue;
            }

            if (GapPattern.Makes(levels[peak.Level], 1 / oscillation.PeriodSeconds, accepted.Select(a => 1 / a.Oscillation.PeriodSeconds)))
            {
                continue;
            }
            // Of two related frequencies, the lower one is the period and the other one is its harmonic.
            accepted.RemoveAll(a => AreRelated(a.Peak, peak, series.SpanSeconds));
            accepted.Add(new(peak, oscillation));
        }
        return [.. accepted.Select(a => a.Oscillation)];
    }

    /// <summary>The level whose resolution suits a period; null when the series is too short for it.</summary>
    internal static SpectrumLevel? LevelFor(BinnedSeries series, double periodSeconds)
    {
        double[] values = (double[])series.Values.Clone();
        double step = series.StepSeconds;
        while (periodSeconds >= SpectrumLevel.LongestInBins * step && values.Length >= 2)
        {
            SpectrumLevel finer = new(values, step, step > series.StepSeconds);
            values = SpectrumLevel.Halve(finer.Values);
            step *= 2;
        }
        return values.Length >= 16 ? new(values, step, step > series.StepSeconds) : null;
    }

    /// <summary>The factor by which the amplitude of a frequency shrinks from the series to a level.</summary>
    internal static double Response(double frequency, double baseStep, double levelStep)
    {
        double response = 1;
        for (double step = baseStep; step < levelStep * 0.75; step *= 2)
        {
            response *= Math.Pow(Math.Cos(Math.PI * frequency * step), 3);
        }

        return response;
    }

    private static (List<SpectrumLevel> Levels, List<SpectralPeak> Peaks) Search(BinnedSeries series, PeriodicityOptions options)
    {
        List<SpectrumLevel> levels = [];
        List<SpectralPeak> peaks = [];
        double[] values = (double[])series.Values.Clone();
        double step = series.StepSeconds;
        double longest = series.SpanSeconds / options.LeastCycles;
        while (values.Length >= 40)
        {
            SpectrumLevel level = new(values, step, levels.Count > 0);
            double shortest = (levels.Count == 0 ? ShortestPeriodInBins : SpectrumLevel.ShortestInBins) * step;
            if (shortest > longest)
            {
                break;
            }
            // A grid with mostly gaps shows the pattern of the gaps; coarser levels have fewer gaps.
            if (level.Count >= 0.5 * values.Length && level.Count >= 40)
            {
                peaks.AddRange(
                    PeakSearch.In(level, levels.Count, shortest, Math.Min(longest, SpectrumLevel.LongestInBins * step), series.Values.Length / 2.0, options));
            }

            levels.Add(level);
            values = SpectrumLevel.Halve(level.Values);
            step *= 2;
        }
        return (levels, peaks);
    }

    /// <summary>The oscillation of a peak; null when it is none.</summary>
    /// <param name="series">The series.</param>
    /// <param name="levels">Its levels.</param>
    /// <param name="peak">The peak.</param>
    /// <param name="known">The frequencies in Hz of the oscillations that were accepted before.</param>
    /// <param name="options">Options of the search.</param>
    private static Oscillation? Check(
        BinnedSeries series, List<SpectrumLevel> levels, SpectralPeak peak, double[] known, PeriodicityOptions options)
    {
        SpectrumLevel level = levels[peak.Level];
        double period = 1 / peak.Frequency;
        double cycles = series.SpanSeconds / period;
        // Not a multiple of the period: in one block, red noise can have the same phase for a cycle or two.
        double blockSeconds = period * (cycles < 16 ? 1 : Math.Max(2.618, cycles / 256));
        Demodulation blocks =
            Demodulation.Of(level.Residuals, series.StartSeconds, level.StepSeconds, peak.Frequency, peak.Harmonics, blockSeconds, series.StartSeconds);
        double limit = 1 / series.SpanSeconds;
        double offset = blocks.BestOffset(blocks.Sums, limit);
        // This is the slope of a stronger peak beside it, not a peak.
        if (Math.Abs(offset) > 0.95 * limit)
        {
            return null;
        }

        Complex[] amplitudes = [.. Enumerable.Range(0, peak.Harmonics).Select(k => blocks.Amplitude(blocks.Sums, k, offset))];
        double frequency = peak.Frequency + offset;
        double response = Response(frequency, series.StepSeconds, level.StepSeconds);
        // The running median follows a strong oscillation a little, so the amplitude is taken from the values, minus the means of whole cycles.
        Demodulation whole =
            Demodulation.Of(level.Values, series.StartSeconds, level.StepSeconds, frequency, 1, 3 / frequency, series.StartSeconds, removeMeans: true);
        Complex fundamental = whole.Amplitude(whole.Sums, 0, 0);
        double amplitude = fundamental.Magnitude / response;

        // A strong oscillation lends its power to the harmonics of longer "periods", exactly or by leakage. They explain nothing that it does not.
        double explained = Explained(
            level, [.. amplitudes.Where((_, k) => !known.Any(f => Math.Abs(((k + 1) * frequency) - f) < (k == 0 ? 2 : 8) * limit))], frequency);
        double coherence = Coherence.P(blocks, offset, options.Seed);
        if (explained < options.LeastExplained || coherence > MostCoherenceP
            || !InUndecimated(series, levels, frequency, amplitudes[0].Magnitude / response, peak))
        {
            return null;
        }

        (AliasVerdict alias, IReadOnlyList<double> aliases) = Aliases.Of(series, frequency, options);
        OscillationIntervals intervals = OscillationIntervals.Of(blocks, offset, amplitudes, limit, options.Seed);
        (double Low, double High) bounds = (Math.Max(0, amplitude - (intervals.AmplitudeBelow / response)), amplitude + (intervals.AmplitudeAbove / response));
        // Pulses in every cycle are not outliers: where the uncapped values oscillate more in every block, they are used.
        Demodulation uncapped = Demodulation.Of(
            series.Values, series.StartSeconds, series.StepSeconds, frequency, 1, (cycles < 16 ? 1 : 3) / frequency, series.StartSeconds, removeMeans: true);
        Complex[] pulses = [uncapped.Amplitude(uncapped.Sums, 0, 0)];
        OscillationIntervals ofPulses = OscillationIntervals.Of(uncapped, 0, pulses, limit, options.Seed);
        if (pulses[0].Magnitude - ofPulses.AmplitudeBelow > bounds.High)
        {
            (amplitude, bounds) = (pulses[0].Magnitude, (pulses[0].Magnitude - ofPulses.AmplitudeBelow, pulses[0].Magnitude + ofPulses.AmplitudeAbove));
        }

        double peakTurns = -fundamental.Phase / (2 * Math.PI);
        double firstPeak = series.StartSeconds + ((peakTurns - Math.Floor(peakTurns)) / frequency);
        return new Oscillation
        {
            PeriodSeconds = 1 / frequency,
            PeriodLowSeconds = 1 / (frequency + intervals.FrequencyAbove),
            PeriodHighSeconds = 1 / Math.Max(frequency - intervals.FrequencyBelow, 1e-3 * frequency),
            Amplitude = amplitude,
            AmplitudeLow = bounds.Low,
            AmplitudeHigh = bounds.High,
            FirstPeakSeconds = firstPeak,
            FalseAlarmProbability = Math.Exp(Math.Max(peak.LogFalseAlarm, -690)),
            CoherenceP = coherence,
            Cycles = cycles,
            ExplainedShare = explained,
            Harmonics = peak.Harmonics,
            Profile = FoldedProfile.Of(series, frequency, firstPeak),
            Alias = alias,
            AliasPeriodsSeconds = aliases,
        };
    }

    private static double Explained(SpectrumLevel level, Complex[] amplitudes, double frequency)
    {
        double signal = amplitudes.Sum(a => a.Magnitude * a.Magnitude / 2);
        double total = level.Residuals.Where(r => !double.IsNaN(r)).Sum(r => r * r) / Math.Max(1, level.Count);
        double rest = Math.Max(0, total - signal) * Math.Min(1, SpectrumLevel.ShortestInBins * level.StepSeconds * frequency);
        return signal + rest > 0 ? signal / (signal + rest) : 0;
    }

    /// <summary>True when the frequency also exists in the original series; a frequency created by decimation does not.</summary>
    private static bool InUndecimated(BinnedSeries series, List<SpectrumLevel> levels, double frequency, double amplitude, SpectralPeak peak)
    {
        if (peak.Level == 0)
        {
            return true;
        }

        Demodulation whole =
            Demodulation.Of(levels[0].Values, series.StartSeconds, series.StepSeconds, frequency, 1, 3 / frequency, series.StartSeconds, removeMeans: true);
        return whole.Amplitude(whole.Sums, 0, 0).Magnitude > 0.4 * amplitude;
    }

    /// <summary>Whether one frequency is a multiple of the other.</summary>
    private static bool AreRelated(SpectralPeak a, SpectralPeak b, double span)
    {
        (double low, double high) = a.Frequency < b.Frequency ? (a.Frequency, b.Frequency) : (b.Frequency, a.Frequency);
        double multiple = Math.Round(high / low);
        return multiple <= MostMultiple && Math.Abs(high - (multiple * low)) < (0.7 + (0.3 * multiple)) / span;
    }

    private sealed record Found(SpectralPeak Peak, Oscillation Oscillation);
}

/// <summary>Options of the search for oscillations.</summary>
internal sealed record PeriodicityOptions
{
    /// <summary>The default options.</summary>
    public static readonly PeriodicityOptions Standard = new();

    /// <summary>Largest false-alarm probability that is accepted.</summary>
    public double MostFalseAlarm { get; init; } = 0.0004;

    /// <summary>Smallest number of periods in the series.</summary>
    public double LeastCycles { get; init; } = 5;

    /// <summary>Smallest share (0 to 1) of the variance, at a resolution of an eighth of the period.</summary>
    public double LeastExplained { get; init; } = 0.1;

    /// <summary>Largest number of oscillations that are reported.</summary>
    public int Most { get; init; } = 3;

    /// <summary>Seed of the resampling for the intervals.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Some of the single samples of the series, for the alias check; empty when each bin is one sample or an aggregate.</summary>
    public IReadOnlyList<(double TimeSeconds, double Value)> Samples { get; init; } = [];

    /// <summary>True when each bin aggregates many samples, so that oscillations faster than a bin average out.</summary>
    public bool BinsAreAggregates { get; init; }
}
