using LatencyTuner.Core.Measurement;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>A host's delayed-ACK timer as its late ACKs show it.</summary>
/// <param name="Ms">The timer in milliseconds: a known value, or the median when the delays gather at another one.</param>
/// <param name="Known">The known timer; null when the delays gather elsewhere.</param>
/// <param name="Fired">Late ACKs that fit.</param>
/// <param name="Total">Late ACKs.</param>
internal sealed record HostTimer(double Ms, AckTimer? Known, long Fired, long Total)
{
    private const double Tolerance = 0.2;
    private const double FewestShare = 0.3;
    private const long FewestUnknown = 6;

    /// <summary>Infers the timer of a host.</summary>
    /// <returns>Null when it has too few late ACKs, or they do not gather.</returns>
    public static HostTimer? Of(HostFacts host)
    {
        if (host.LateHolds is not { Count: >= AckTimerInference.FewestMembers } holds)
        {
            return null;
        }

        long jitter = host.JitterNs == long.MaxValue ? 0 : host.JitterNs;
        if (AckTimerInference.Infer(holds, jitter) is { } known)
        {
            return new HostTimer(known.ClusterMs, known, known.Members, known.Total);
        }

        double median = holds.ValueAtPercentile(50) / 1e6;
        if (Ticks(host, holds) is { } ticks)
        {
            return ticks;
        }

        double spread = (holds.ValueAtPercentile(75) - holds.ValueAtPercentile(25)) / 1e6;
        // A value that is no known timer's needs more than a few ACKs that happened to be slow.
        double share = (double)holds.Count / Math.Max(1, holds.Count + host.Acks[(int)AckClass.Immediate]);
        return share >= FewestShare && holds.Count >= FewestUnknown && spread <= Tolerance * median && median >= StallAnalysis.SmallestHold.TotalMilliseconds ? new HostTimer(median, null, holds.Count, holds.Count) : null;
    }

    /// <summary>Late ACKs that all come at the same phase of a clock, after delays that differ: the timer counts whole ticks.</summary>
    private static HostTimer? Ticks(HostFacts host, LatencyHistogram holds)
    {
        const long Fewest = 6;
        const double Strong = 0.8;
        const double TickMs = HostFacts.TickNs / 1e6;
        double high = holds.ValueAtPercentile(95) / 1e6;
        if (holds.Count < Fewest || host.TickPhase < Strong || holds.ValueAtPercentile(50) < 0.8 * HostFacts.TickNs || high > 2.1 * TickMs)
        {
            return null;
        }

        double ms = TickMs * Math.Ceiling((high / TickMs) - 0.1);
        return new HostTimer(ms, new AckTimer(ms, AckTimerModel.Tick, holds.Count, holds.Count), holds.Count, holds.Count);
    }

    /// <summary>True when a delay is one of this timer's.</summary>
    public bool Fits(long delayNs)
    {
        double ms = delayNs / 1e6;
        return Known?.Model == AckTimerModel.Tick ? ms is >= 80 and <= 220 : Math.Abs(ms - Ms) <= Math.Max(5, Tolerance * Ms);
    }

    /// <summary>Says it: "40 ms" or "200 ms in ticks".</summary>
    public string Say() => FormattableString.Invariant($"{Ms:0.#} ms{(Known?.Model == AckTimerModel.Tick ? " in coarse ticks" : "")}");
}
