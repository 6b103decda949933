using System.Numerics;

namespace LatencyTuner.Core.Statistics;

/// <summary>Whether two series oscillate with a constant phase difference.</summary>
internal sealed record SeriesAlignment
{
    private const int Draws = 2000;
    private const double MostP = 0.001;
    private const double MostShareOfOther = 0.25;

    // The 99.9 % point of the normal distribution in units of its 95 % point.
    private const double ErrorsOfOneInThousand = 3.29 / 1.96;

    /// <summary>The result of the comparison.</summary>
    public required AlignmentVerdict Verdict { get; init; }

    /// <summary>The period at which the phases were compared, seconds.</summary>
    public required double PeriodSeconds { get; init; }

    /// <summary>Whether the two periods are the same within their errors (p ≥ 0.001); null when one of the series has no period of its own.</summary>
    public bool? SamePeriod { get; init; }

    /// <summary>Time that both series cover, seconds.</summary>
    public required double CommonSeconds { get; init; }

    /// <summary>How far the second series is behind the first, in periods, −0.5 to 0.5; null when unknown.</summary>
    public double? PhaseDifference { get; init; }

    /// <summary>Lower end of its 95 % interval.</summary>
    public double? PhaseLow { get; init; }

    /// <summary>Upper end of its 95 % interval.</summary>
    public double? PhaseHigh { get; init; }

    /// <summary>The phase difference in seconds: the second series lags by this time, modulo the period.</summary>
    public double? DelaySeconds => PhaseDifference * PeriodSeconds;

    /// <summary>Magnitude-squared coherence at the period, 0 to 1; null when unknown.</summary>
    public double? CoherenceSquared { get; init; }

    /// <summary>Probability of an equally steady phase difference in independent series (Rayleigh test).</summary>
    public double? P { get; init; }

    /// <summary>Difference between the phase differences of the first and the second half, in periods.</summary>
    public double? HalvesDiffer { get; init; }

    /// <summary>
    /// Upper bound (97.5 %) of the amplitude at the period in the series without its own oscillation, in the unit of the values; null when both
    /// series have one or the bound is unknown.
    /// </summary>
    public double? OtherAmplitudeHigh { get; init; }

    /// <summary>Compares two series on a common clock.</summary>
    /// <param name="a">The first series.</param>
    /// <param name="ofA">Oscillation of the first series; null when none was found.</param>
    /// <param name="b">The second series.</param>
    /// <param name="ofB">Oscillation of the second series; null when none was found.</param>
    /// <param name="seed">Seed of the resampling.</param>
    /// <returns>The comparison; null when neither oscillates.</returns>
    public static SeriesAlignment? Of(BinnedSeries a, Oscillation? ofA, BinnedSeries b, Oscillation? ofB, int seed = 1)
    {
        ArgumentNullException.ThrowIfNull(a);
        ArgumentNullException.ThrowIfNull(b);
        if ((ofA ?? ofB) is not { } main)
        {
            return null;
        }

        bool? same = ofA is null || ofB is null ? null
            : Math.Abs(ofA.PeriodSeconds - ofB.PeriodSeconds) <= ErrorsOfOneInThousand * double.Hypot(Half(ofA), Half(ofB));
        double frequency = ofA is null || ofB is null ? 1 / main.PeriodSeconds : 0.5 * ((1 / ofA.PeriodSeconds) + (1 / ofB.PeriodSeconds));
        double from = Math.Max(a.StartSeconds, b.StartSeconds);
        double to = Math.Min(a.StartSeconds + a.SpanSeconds, b.StartSeconds + b.SpanSeconds);
        SeriesAlignment nothing = new()
        {
            // Different periods are different without common time, too.
            Verdict = same == false ? AlignmentVerdict.Independent : AlignmentVerdict.CannotTell,
            PeriodSeconds = 1 / frequency,
            SamePeriod = same,
            CommonSeconds = Math.Max(0, to - from),
        };
        if ((to - from) * frequency < 5 || Demodulated(a, frequency, from, to) is not { } blocksA || Demodulated(b, frequency, from, to) is not { } blocksB)
        {
            return nothing;
        }

        (Complex[] first, Complex[] second) = Common(blocksA, blocksB);
        if (first.Length < 4)
        {
            return nothing;
        }

        SeriesAlignment compared = Compare(nothing, first, second, seed);
        if (same is not null || compared.Verdict == AlignmentVerdict.Locked)
        {
            return compared;
        }

        double scale = (double)blocksA.Counts.Max() / blocksB.Counts.Max();
        double high = ofB is null ? ShareHigh(first, second, seed) * scale : ShareHigh(second, first, seed) / scale;
        return compared with
        {
            OtherAmplitudeHigh = high * main.Amplitude,
            Verdict = high <= MostShareOfOther ? AlignmentVerdict.OnlyOneOscillates : compared.Verdict,
        };
    }

    /// <summary>
    /// Upper bound (97.5 %) of the amplitude of the other series relative to the main one at the same period, by resampling whole blocks. A main
    /// oscillation with a wandering phase makes it larger; at worst, the verdict then stays open.
    /// </summary>
    private static double ShareHigh(Complex[] main, Complex[] other, int seed)
    {
        int n = main.Length;
#pragma warning disable CA5394
        Random random = new(seed);
        double[] shares = new double[Draws];
        for (int i = 0; i < Draws; i++)
        {
            (Complex ofMain, Complex ofOther) = (Complex.Zero, Complex.Zero);
            for (int k = 0; k < n; k++)
            {
                int drawn = random.Next(n);
                ofMain += main[drawn];
                ofOther += other[drawn];
            }
            shares[i] = ofMain.Magnitude > 0 ? ofOther.Magnitude / ofMain.Magnitude : double.PositiveInfinity;
        }
#pragma warning restore CA5394
        Array.Sort(shares);
        return shares[(int)(0.975 * Draws)] * Math.Sqrt(EffectiveSampleSize.Widening(n - 1));
    }

    private static SeriesAlignment Compare(SeriesAlignment nothing, Complex[] a, Complex[] b, int seed)
    {
        int n = a.Length;
        Complex[] cross = [.. a.Select((x, i) => x * Complex.Conjugate(b[i]))];
        Complex sum = Sum(cross, 0, n);
        double power = a.Sum(Squared) * b.Sum(Squared);
        double coherence = power > 0 ? Squared(sum) / power : 0;
        // For the test all blocks have the same weight; for the estimate the weight is their power.
        Complex directions = Sum([.. cross.Select(c => c.Magnitude > 0 ? c / c.Magnitude : Complex.Zero)], 0, n);
        double rayleigh = Math.Min(1, Math.Exp(-Squared(directions) / n));
        double phase = Turns(sum);
        double halves = Wrap(Turns(Sum(cross, 0, n / 2)) - Turns(Sum(cross, n / 2, n)));
#pragma warning disable CA5394
        Random random = new(seed);
        double[] around = new double[Draws];
        for (int i = 0; i < Draws; i++)
        {
            Complex again = Complex.Zero;
            for (int k = 0; k < n; k++)
            {
                again += cross[random.Next(n)];
            }

            around[i] = Wrap(Turns(again) - phase);
        }
#pragma warning restore CA5394
        Array.Sort(around);
        double widening = Math.Sqrt(EffectiveSampleSize.Widening(n - 1));
        double below = -around[(int)(0.025 * Draws)] * widening;
        double above = around[(int)(0.975 * Draws)] * widening;
        // Each half has half the data, so their difference has twice the error.
        bool steady = Math.Abs(halves) <= Math.Max(0.05, 2 * Math.Max(below, above));
        bool locked = rayleigh < MostP && steady && nothing.SamePeriod != false;
        bool runs = nothing.SamePeriod == false || (rayleigh > 0.05 && nothing.SamePeriod == true && n >= 10);
        return nothing with
        {
            Verdict = locked ? AlignmentVerdict.Locked : runs ? AlignmentVerdict.Independent : AlignmentVerdict.CannotTell,
            PhaseDifference = phase,
            PhaseLow = phase - below,
            PhaseHigh = phase + above,
            CoherenceSquared = coherence,
            P = rayleigh,
            HalvesDiffer = halves,
        };
    }

    private static Demodulation? Demodulated(BinnedSeries series, double frequency, double from, double to)
    {
        if (Periodicity.LevelFor(series, 1 / frequency) is not { } level)
        {
            return null;
        }

        int first = Math.Max(0, (int)Math.Ceiling((from - series.StartSeconds) / level.StepSeconds));
        int end = Math.Min(level.Residuals.Length, (int)Math.Floor((to - series.StartSeconds) / level.StepSeconds));
        if (end - first < 16)
        {
            return null;
        }

        double cycles = (to - from) * frequency;
        double block = (cycles < 16 ? 1 : Math.Max(2.618, cycles / 512)) / frequency;
        return Demodulation.Of(level.Residuals[first..end], series.StartSeconds + (first * level.StepSeconds), level.StepSeconds, frequency, 1, block, from);
    }

    /// <summary>The blocks in which both series have at least half of their values.</summary>
    private static (Complex[] A, Complex[] B) Common(Demodulation a, Demodulation b)
    {
        (int fullA, int fullB) = (a.Counts.Max(), b.Counts.Max());
        List<Complex> first = [];
        List<Complex> second = [];
        for (int i = 0; i < a.Counts.Length; i++)
        {
            long j = a.FirstBlock + i - b.FirstBlock;
            if (j >= 0 && j < b.Counts.Length && 2 * a.Counts[i] >= fullA && 2 * b.Counts[j] >= fullB)
            {
                first.Add(a.Sums[0][i]);
                second.Add(b.Sums[0][j]);
            }
        }
        return ([.. first], [.. second]);
    }

    private static Complex Sum(Complex[] values, int from, int to)
    {
        Complex sum = Complex.Zero;
        for (int i = from; i < to; i++)
        {
            sum += values[i];
        }

        return sum;
    }

    private static double Squared(Complex value) => (value.Real * value.Real) + (value.Imaginary * value.Imaginary);

    private static double Turns(Complex value) => value.Phase / (2 * Math.PI);

    private static double Half(Oscillation oscillation) => (oscillation.PeriodHighSeconds - oscillation.PeriodLowSeconds) / 2;

    private static double Wrap(double turns) => turns - Math.Round(turns);
}

/// <summary>The relation of two oscillations.</summary>
internal enum AlignmentVerdict
{
    /// <summary>The periods differ, or the phase difference drifts: the two series do not oscillate together.</summary>
    Independent,

    /// <summary>The period is the same and the phase difference is constant: a common cause is possible, but not proved.</summary>
    Locked,

    /// <summary>Only one series oscillates; the amplitude of the other is less than a quarter of it. What both share is not the cause.</summary>
    OnlyOneOscillates,

    /// <summary>There is too little common time or too much noise for a verdict.</summary>
    CannotTell,
}
