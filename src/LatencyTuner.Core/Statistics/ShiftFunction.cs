using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Statistics;

/// <summary>
/// Compares two sets of runs quantile by quantile (Doksum 1974; Wilcox, Robust Estimation), so that "same median, worse p99" is found. The
/// run, not the packet, is the independent unit (Kalibera and Jones 2013): runs are resampled, neighbours together where there are many
/// (Künsch 1989), because successive time blocks of one run are similar.
/// </summary>
/// <remarks>With few runs a plain bootstrap interval is too short. It is widened by √(k/(k−1)) and by Student's t against the normal
/// quantile, and a p-value must also hold for Student's t.</remarks>
internal sealed class ShiftFunction
{
    private const int IndependentRuns = 8;
    private static readonly double[] Quantiles = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

    private ShiftFunction(ComparisonVerdict verdict, string reason, IReadOnlyList<QuantileShift> shifts) =>
        (Verdict, Reason, Shifts) = (verdict, reason, shifts);

    /// <summary>The verdict on B compared with A.</summary>
    public ComparisonVerdict Verdict { get; }

    /// <summary>One sentence that names the quantiles on which the verdict is based.</summary>
    public string Reason { get; }

    /// <summary>The compared quantiles from low to high; those with too few samples on one side are left out.</summary>
    public IReadOnlyList<QuantileShift> Shifts { get; }

    /// <summary>Compares two sets of runs.</summary>
    /// <param name="a">Runs before, in time order; empty ones are left out. If there is only one run, pass its time blocks.</param>
    /// <param name="b">Runs after; interleaving them with the runs of A is best.</param>
    /// <param name="options">Limits, confidence and seed.</param>
    /// <exception cref="ArgumentOutOfRangeException">An option is out of range.</exception>
    public static ShiftFunction Compare(IReadOnlyList<LatencyHistogram> a, IReadOnlyList<LatencyHistogram> b, ShiftOptions options)
    {
        ArgumentNullException.ThrowIfNull(a);
        ArgumentNullException.ThrowIfNull(b);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.Resamples, 100);
        if (!(options.Alpha > 0 && options.Alpha < 1))
        {
            throw new ArgumentOutOfRangeException(nameof(options), options.Alpha, "Alpha must be above 0 and below 1.");
        }

        LatencyHistogram[] before = [.. a.Where(r => r.Count > 0)];
        LatencyHistogram[] after = [.. b.Where(r => r.Count > 0)];
        if (before.Length < 2 || after.Length < 2)
        {
            return new(
                ComparisonVerdict.CannotTell,
                $"A comparison needs at least 2 runs with values on each side; there are {before.Length} before and {after.Length} after.",
                []);
        }
        long fewest = Math.Min(before.Sum(r => r.Count), after.Sum(r => r.Count));
        double[] judged = [.. Quantiles.Where(q => fewest >= QuantileInterval.MinimumSamples(Math.Max(q, 1 - q), options.Alpha))];
        if (judged.Length == 0)
        {
            return new(ComparisonVerdict.CannotTell, $"There are too few values for a comparison: {fewest} on one side.", []);
        }

        QuantileShift[] shifts = Judge(new(before), before.Length, new(after), after.Length, judged, options);
        (ComparisonVerdict verdict, string reason) = Conclude(shifts);
        return new(verdict, reason, shifts);
    }

    private static QuantileShift[] Judge(
        RunQuantiles a, int runsA, RunQuantiles b, int runsB, double[] judged, ShiftOptions options)
    {
        double[][] deltas = Resample(a, runsA, b, runsB, judged, options);
        double independentA = (double)runsA / BlockLength(runsA);
        double independentB = (double)runsB / BlockLength(runsB);
        double degrees = Math.Max(1, Math.Min(independentA, independentB) - 1);
        double fewest = Math.Min(independentA, independentB);
        double small = Math.Sqrt(fewest / Math.Max(1, fewest - 1));
        double alpha = options.Alpha;
        double widening = small * Distributions.StudentQuantile(1 - (alpha / 2), degrees) / Distributions.NormalQuantile(1 - (alpha / 2));

        QuantileShift[] shifts = new QuantileShift[judged.Length];
        for (int i = 0; i < judged.Length; i++)
        {
            double q = judged[i];
            long before = a.Quantile(q, Ones(runsA));
            long after = b.Quantile(q, Ones(runsB));
            double delta = after - before;
            double[] sorted = deltas[i];
            Array.Sort(sorted);
            double low = delta + ((Math.Min(delta, At(sorted, alpha / 2)) - delta) * widening);
            double high = delta + ((Math.Max(delta, At(sorted, 1 - (alpha / 2))) - delta) * widening);
            double practical = Math.Max(options.PracticalLimitNs, options.PracticalLimitShare * before);
            // A bucket is up to 0.1 % wide: two quantiles in adjacent buckets can be equal.
            double limit = Math.Max(practical, Math.Max(options.TimerResolutionNs, before / 1000.0));
            limit = Math.Max(limit, Math.Max(HalvesDifference(a, runsA, q), HalvesDifference(b, runsB, q)));
            shifts[i] = new(q, before, after, after - before, low, high, PValue(sorted, delta, small, degrees), practical, limit, false);
        }
        Holm(shifts);
        for (int i = 0; i < shifts.Length; i++)
        {
            shifts[i] = shifts[i] with { Differs = shifts[i].P < alpha && Math.Abs(shifts[i].DeltaNs) > shifts[i].LimitNs };
        }

        return shifts;
    }

    private static double[][] Resample(
        RunQuantiles a, int runsA, RunQuantiles b, int runsB, double[] judged, ShiftOptions options)
    {
        // A seeded generator, so that the same measurement always gets the same verdict; it needs no cryptographic randomness.
#pragma warning disable CA5394
        Random random = new(options.Seed);
        double[][] deltas = new double[judged.Length][];
        for (int i = 0; i < deltas.Length; i++)
        {
            deltas[i] = new double[options.Resamples];
        }

        double[] weightsA = new double[runsA];
        double[] weightsB = new double[runsB];
        for (int r = 0; r < options.Resamples; r++)
        {
            Draw(random, weightsA);
            Draw(random, weightsB);
            for (int i = 0; i < judged.Length; i++)
            {
                deltas[i][r] = b.Quantile(judged[i], weightsB) - a.Quantile(judged[i], weightsA);
            }
        }
        return deltas;
    }

    private static void Draw(Random random, double[] weights)
    {
        Array.Clear(weights);
        int length = BlockLength(weights.Length);
        for (int drawn = 0; drawn < weights.Length;)
        {
            int start = random.Next(weights.Length);
            for (int i = 0; i < length && drawn < weights.Length; i++, drawn++)
            {
                weights[(start + i) % weights.Length]++;
            }
        }
    }
#pragma warning restore CA5394

    private static int BlockLength(int runs) => runs <= IndependentRuns ? 1 : (int)Math.Round(Math.Cbrt(runs));

    private static double PValue(double[] sorted, double delta, double small, double degrees)
    {
        double notAbove = 0;
        double notBelow = 0;
        double mean = 0;
        foreach (double value in sorted)
        {
            notAbove += value <= 0 ? 1 : 0;
            notBelow += value >= 0 ? 1 : 0;
            mean += value / sorted.Length;
        }
        double resampled = Math.Min(1, 2 * (Math.Min(notAbove, notBelow) + 1) / (sorted.Length + 1));
        double variance = 0;
        foreach (double value in sorted)
        {
            variance += (value - mean) * (value - mean) / sorted.Length;
        }

        double error = Math.Sqrt(variance) * small;
        double student = error > 0 ? 2 * Distributions.StudentCdf(-Math.Abs(delta) / error, degrees) : delta == 0 ? 1 : 0;
        return Math.Max(resampled, student);
    }

    private static double HalvesDifference(RunQuantiles set, int runs, double q)
    {
        double[] first = new double[runs];
        double[] second = new double[runs];
        first.AsSpan(0, runs / 2).Fill(1);
        second.AsSpan(runs / 2).Fill(1);
        return Math.Abs((double)set.Quantile(q, first) - set.Quantile(q, second));
    }

    private static void Holm(QuantileShift[] shifts)
    {
        int[] order = [.. Enumerable.Range(0, shifts.Length).OrderBy(i => shifts[i].P)];
        double largest = 0;
        for (int rank = 0; rank < order.Length; rank++)
        {
            largest = Math.Max(largest, Math.Min(1, shifts[order[rank]].P * (order.Length - rank)));
            shifts[order[rank]] = shifts[order[rank]] with { P = largest };
        }
    }

    private static (ComparisonVerdict Verdict, string Reason) Conclude(QuantileShift[] shifts)
    {
        QuantileShift[] worse = [.. shifts.Where(s => s is { Differs: true, DeltaNs: > 0 })];
        QuantileShift[] better = [.. shifts.Where(s => s is { Differs: true, DeltaNs: < 0 })];
        if (worse.Length > 0)
        {
            string but = better.Length > 0 ? $", although {Names(better)} {Are(better)} better" : "";
            return (ComparisonVerdict.Worse, $"{Names(worse)} {Are(worse)} worse{but}: {Largest(worse)}.");
        }
        if (better.Length > 0)
        {
            return (ComparisonVerdict.Better, $"{Names(better)} {Are(better)} better and none is worse: {Largest(better)}.");
        }

        QuantileShift[] open = [.. shifts.Where(s => s.LowNs < -s.PracticalLimitNs || s.HighNs > s.PracticalLimitNs)];
        return open.Length == 0
            ? (ComparisonVerdict.Same, $"The change of {Names(shifts)} is below the practical limit.")
            : (ComparisonVerdict.CannotTell, $"Runs of the same side differ too much to judge {Names(open)}.");
    }

    private static string Largest(QuantileShift[] shifts)
    {
        QuantileShift most = shifts.MaxBy(s => Math.Abs(s.DeltaNs) / Math.Max(1.0, s.BeforeNs));
        return $"{Name(most.Quantile)} went from {most.BeforeNs / 1e6:0.###} ms to {most.AfterNs / 1e6:0.###} ms";
    }

    private static string Names(QuantileShift[] shifts)
    {
        string[] names = [.. shifts.Select(s => Name(s.Quantile))];
        return names.Length == 1 ? names[0] : $"{string.Join(", ", names[..^1])} and {names[^1]}";
    }

    private static string Are(QuantileShift[] shifts) => shifts.Length == 1 ? "is" : "are";

    private static string Name(double q) => $"p{Math.Round(q * 100, 3)}";

    private static double At(double[] sorted, double q) => sorted[Math.Clamp((int)Math.Round(q * (sorted.Length - 1)), 0, sorted.Length - 1)];

    private static double[] Ones(int count)
    {
        double[] ones = new double[count];
        Array.Fill(ones, 1);
        return ones;
    }
}

/// <summary>The verdict of a comparison of before (A) with after (B).</summary>
internal enum ComparisonVerdict
{
    /// <summary>At least one compared quantile is lower in B and none is higher.</summary>
    Better,

    /// <summary>All compared quantiles differ by less than the practical limit.</summary>
    Same,

    /// <summary>At least one compared quantile is higher in B, even if others are lower.</summary>
    Worse,

    /// <summary>There is too little data for one of the other verdicts.</summary>
    CannotTell,
}

/// <summary>The difference B − A at one quantile.</summary>
/// <param name="Quantile">The quantile, for example 0.99.</param>
/// <param name="BeforeNs">The quantile in A, nanoseconds.</param>
/// <param name="AfterNs">The quantile in B, nanoseconds.</param>
/// <param name="DeltaNs">B − A in nanoseconds; a positive value means that B is slower.</param>
/// <param name="LowNs">Lower end of the interval of the difference, nanoseconds.</param>
/// <param name="HighNs">Upper end of the interval of the difference, nanoseconds.</param>
/// <param name="P">p-value, Holm-corrected over all compared quantiles.</param>
/// <param name="PracticalLimitNs">Largest difference that does not matter to the user, nanoseconds.</param>
/// <param name="LimitNs">Limit that a difference must exceed, nanoseconds: the largest of the practical limit, the resolution and the difference
/// between the two halves of the same set of runs.</param>
/// <param name="Differs">True when the quantile counts as different.</param>
internal readonly record struct QuantileShift(
    double Quantile,
    long BeforeNs,
    long AfterNs,
    long DeltaNs,
    double LowNs,
    double HighNs,
    double P,
    double PracticalLimitNs,
    double LimitNs,
    bool Differs)
{
    /// <summary>The verdict for this quantile alone.</summary>
    public ComparisonVerdict Verdict =>
        Differs ? (DeltaNs < 0 ? ComparisonVerdict.Better : ComparisonVerdict.Worse)
        : LowNs >= -PracticalLimitNs && HighNs <= PracticalLimitNs ? ComparisonVerdict.Same
        : ComparisonVerdict.CannotTell;
}

/// <summary>Options of a <see cref="ShiftFunction"/>.</summary>
internal sealed record ShiftOptions
{
    /// <summary>Largest difference that does not matter to the user, nanoseconds.</summary>
    public long PracticalLimitNs { get; init; }

    /// <summary>Largest difference that does not matter, as a share (0 to 1) of the quantile in A; the larger of the two limits counts.</summary>
    public double PracticalLimitShare { get; init; } = 0.05;

    /// <summary>The step of the clock, nanoseconds.</summary>
    public long TimerResolutionNs { get; init; }

    /// <summary>One minus the confidence, above 0 and below 1.</summary>
    public double Alpha { get; init; } = 0.05;

    /// <summary>Bootstrap resamples, 100 or more.</summary>
    public int Resamples { get; init; } = 2000;

    /// <summary>Seed of the resampling: the same seed gives the same result.</summary>
    public int Seed { get; init; } = 1;
}
