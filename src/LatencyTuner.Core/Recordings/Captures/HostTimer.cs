using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>A host's delayed-ACK timer as its late ACKs show it.</summary>
/// <param name="Ms">The timer in milliseconds: a known value, or the median when the delays cluster at another value.</param>
/// <param name="Known">The known timer; null when the delays cluster at another value.</param>
/// <param name="Fired">Number of late ACKs that fit the timer.</param>
/// <param name="Total">Number of late ACKs.</param>
internal sealed record HostTimer(double Ms, AckTimer? Known, long Fired, long Total)
{
    private const double Tolerance = 0.2;
    private const double FewestShare = 0.3;
    private const long FewestUnknown = 6;
    private const long TickSpreadNs = 20_000_000;
    private const double ShortestTickMs = 80;
    private const double LongestTickMs = 220;

    // Linux ends its timer of 40 ms up to 4 ms later, Windows up to a tick of 15.6 ms.
    private static readonly (double LowMs, double HighMs)[] KnownTimers = [(10, 10), (40, 56), (50, 50), (100, 100), (200, 200)];

    /// <summary>The shortest delay of a timer that counts ticks, milliseconds.</summary>
    public double LeastMs { get; private init; } = ShortestTickMs;

    /// <summary>Its longest, milliseconds.</summary>
    private double MostMs { get; init; } = LongestTickMs;

    /// <summary>Infers the timer of a host.</summary>
    /// <param name="host">The host.</param>
    /// <param name="holds">A histogram to use for its delays; its content is replaced.</param>
    /// <returns>The timer; null when the host has too few late ACKs, or they do not cluster.</returns>
    public static HostTimer? Of(CapturedHost host, LatencyHistogram holds)
    {
        if (host.LateCount < AckTimerInference.FewestMembers)
        {
            return null;
        }

        host.LateDelays(holds);
        // Of a host with very many, only some are kept.
        long All(long members) => members * host.LateCount / holds.Count;

        // Delays that differ but end at one phase of the clock: no fixed timer does that.
        if (holds.ValueAtPercentile(90) - holds.ValueAtPercentile(10) >= TickSpreadNs && Ticks(host, holds) is { } spread)
        {
            return spread;
        }

        long jitter = host.JitterNs == long.MaxValue ? 0 : host.JitterNs;
        if (AckTimerInference.Infer(holds, jitter) is { } known)
        {
            return new HostTimer(known.ClusterMs, known, All(known.Members), host.LateCount);
        }

        if ((Densest(host, holds, jitter) ?? Peak(host, holds)) is { } dense)
        {
            return dense;
        }

        double median = holds.ValueAtPercentile(50) / 1e6;
        if ((Ticks(host, holds) ?? FineTicks(host, holds) ?? Heartbeat(host, holds)) is { } ticks)
        {
            return ticks;
        }

        double width = (holds.ValueAtPercentile(75) - holds.ValueAtPercentile(25)) / 1e6;
        // A value of no known timer needs more evidence than a few ACKs that happened to be slow.
        double share = (double)host.LateCount / Math.Max(1, host.LateCount + host.Acks[(int)AckClass.Immediate]);
        if (share < FewestShare || holds.Count < FewestUnknown || width > Tolerance * median || median < AckTimer.SmallestHold.TotalMilliseconds)
        {
            return null;
        }

        // All cluster at one value: if it is near a known timer, it is that timer, a little late.
        foreach ((double low, double high) in KnownTimers)
        {
            double tolerance = Math.Max(3, 0.06 * low);
            if (median >= low - tolerance && median <= high + tolerance)
            {
                return new HostTimer(low, new AckTimer(low, AckTimerModel.Fixed, holds.Count, holds.Count), host.LateCount, host.LateCount);
            }
        }

        return new HostTimer(median, null, host.LateCount, host.LateCount);
    }

    /// <summary>The known timer that a single delay fits; null when there is none. Too many delays fit the shortest one by chance.</summary>
    /// <param name="delayNs">The delay beyond the path's own time, nanoseconds.</param>
    public static HostTimer? KnownAt(long delayNs)
    {
        const double Shortest = 40;
        // A timer of ten ticks of 4 ms may end a tick early.
        const double LeastEarlyMs = 4;
        foreach ((double low, double high) in KnownTimers)
        {
            double tolerance = Math.Max(3, 0.06 * low);
            if (low >= Shortest && delayNs / 1e6 >= low - Math.Max(LeastEarlyMs, tolerance) && delayNs / 1e6 <= high + tolerance)
            {
                return new HostTimer(low, new AckTimer(low, AckTimerModel.Fixed, 1, 1), 1, 1);
            }
        }

        return null;
    }

    /// <summary>
    /// A busy machine spreads its delays, and other delays mix in. A timer still stands out when far more delays are near its value than with
    /// delays that are spread evenly.
    /// </summary>
    private static HostTimer? Densest(CapturedHost host, LatencyHistogram holds, long jitterNs)
    {
        double all = holds.Count;
        double range = (holds.ValueAtPercentile(95) - holds.ValueAtPercentile(5)) / 1e6;
        double share = (double)host.LateCount / Math.Max(1, host.LateCount + host.Acks[(int)AckClass.Immediate]);
        if (all < FewestUnknown || range <= 0 || share < FewestShare)
        {
            return null;
        }

        return MostOf(host, holds, (low, high) =>
        {
            double tolerance = Math.Max(3, 0.06 * low) + (jitterNs / 1e6);
            long members = Between(holds, low - tolerance, high + tolerance);
            return members >= FewestShare * all && members >= 2 * all * Math.Min(1, (high - low + (2 * tolerance)) / range) ? members : 0;
        });
    }

    /// <summary>
    /// Among many late ACKs of other reasons, such as a path that varies: those of a timer gather just at its value, with hardly any beside them.
    /// </summary>
    private static HostTimer? Peak(CapturedHost host, LatencyHistogram holds)
    {
        const long Fewest = 10;
        const long Rare = 5;
        const double ShortestMs = 40;
        const double EarlyMs = 3;
        const double LateMs = 6;
        return MostOf(host, holds, (low, _) =>
        {
            (double from, double to, double width) = (low - EarlyMs, low + LateMs, EarlyMs + LateMs);
            long members = Between(holds, from, to);
            return low >= ShortestMs && members >= Fewest && Rare * Between(holds, from - width, from) <= members
                && Rare * Between(holds, to, to + width) <= members ? members : 0;
        });
    }

    /// <summary>The known timer with the most members, by its shortest and longest value in milliseconds; null where none has any.</summary>
    private static HostTimer? MostOf(CapturedHost host, LatencyHistogram holds, Func<double, double, long> membersOf)
    {
        (double low, long members) = KnownTimers.Select(t => (t.LowMs, Members: membersOf(t.LowMs, t.HighMs))).MaxBy(t => t.Members);
        return members == 0 ? null
            : new HostTimer(low, new AckTimer(low, AckTimerModel.Fixed, members, holds.Count), members * host.LateCount / holds.Count, host.LateCount);
    }

    private static long Between(LatencyHistogram holds, double fromMs, double toMs) =>
        holds.CountAtOrBelow((long)(toMs * 1e6)) - holds.CountAtOrBelow((long)(fromMs * 1e6));

    /// <summary>Late ACKs that all come at the same phase of a clock, after delays that differ: the timer counts whole ticks.</summary>
    private static HostTimer? Ticks(CapturedHost host, LatencyHistogram holds)
    {
        const long Fewest = 6;
        const long FewestSpread = 20;
        const long FewestExact = 10;
        const double Strong = 0.8;
        const double Exact = 0.95;
        const double TickMs = CapturedHost.TickNs / 1e6;
        double high = holds.ValueAtPercentile(95) / 1e6;
        // Delays of all lengths that end at one phase: the tick runs whether there is something to acknowledge or not.
        bool all = (holds.Count >= FewestSpread || (holds.Count >= FewestExact && host.TickPhase >= Exact))
            && holds.ValueAtPercentile(90) - holds.ValueAtPercentile(10) >= 2 * TickSpreadNs;
        if (holds.Count < Fewest || host.TickPhase < Strong || (holds.ValueAtPercentile(50) < 0.8 * CapturedHost.TickNs && !all) || high > 2.1 * TickMs)
        {
            return null;
        }

        double ms = TickMs * Math.Ceiling((high / TickMs) - 0.1);
        return new HostTimer(ms, new AckTimer(ms, AckTimerModel.Tick, host.LateCount, host.LateCount), host.LateCount, host.LateCount)
        {
            LeastMs = Math.Min(ShortestTickMs, holds.ValueAtPercentile(5) / 1e6),
        };
    }

    /// <summary>The same with ticks of 10 ms: the delays differ by most of a tick, and by little more.</summary>
    private static HostTimer? FineTicks(CapturedHost host, LatencyHistogram holds)
    {
        const long Fewest = 10;
        const double Exact = 0.95;
        const double TickMs = CapturedHost.FineTickNs / 1e6;
        (double low, double high) = (holds.ValueAtPercentile(10) / 1e6, holds.ValueAtPercentile(90) / 1e6);
        if (holds.Count < Fewest || host.FineTickPhase < Exact || high - low < TickMs / 2 || high - low > 2 * TickMs)
        {
            return null;
        }

        double ms = TickMs * Math.Ceiling((high / TickMs) - 0.1);
        return new HostTimer(ms, new AckTimer(ms, AckTimerModel.Tick, host.LateCount, host.LateCount), host.LateCount, host.LateCount)
        {
            LeastMs = holds.ValueAtPercentile(5) / 1e6,
            MostMs = ms + TickMs,
        };
    }

    /// <summary>
    /// Delays of all lengths up to 200 ms of a host that never acknowledges a lone segment at once: older systems send all ACKs that are due five times a
    /// second, at times that keep to no tick of 100 ms.
    /// </summary>
    private static HostTimer? Heartbeat(CapturedHost host, LatencyHistogram holds)
    {
        const long Fewest = 10;
        const double Ms = 200;
        (double low, double high) = (holds.ValueAtPercentile(10) / 1e6, holds.ValueAtPercentile(90) / 1e6);
        bool spread = high - low >= 2 * TickSpreadNs / 1e6 && high <= LongestTickMs && holds.ValueAtPercentile(100) / 1e6 >= Ms / 2;
        return holds.Count < Fewest || host.Acks[(int)AckClass.Immediate] > 0 || !spread ? null
            : new HostTimer(Ms, new AckTimer(Ms, AckTimerModel.Tick, host.LateCount, host.LateCount), host.LateCount, host.LateCount)
            {
                LeastMs = holds.ValueAtPercentile(5) / 1e6,
            };
    }

    /// <summary>True when a delay is one of this timer's.</summary>
    public bool Fits(long delayNs)
    {
        double ms = delayNs / 1e6;
        double tolerance = Math.Max(5, Tolerance * Ms);
        return Known?.Model == AckTimerModel.Tick ? ms >= LeastMs && ms <= MostMs : ms >= Ms - tolerance && ms <= HighMs + tolerance;
    }

    /// <summary>The upper end of a known timer that is not one value, else <see cref="Ms"/>.</summary>
    private double HighMs => KnownTimers.Where(t => t.LowMs == Ms).Select(t => t.HighMs).DefaultIfEmpty(Ms).First();

    /// <summary>True when a delay is just this timer's value, if that is known and fixed.</summary>
    public bool IsAt(long delayNs) => Known?.Model == AckTimerModel.Fixed && Math.Abs((delayNs / 1e6) - Ms) <= Math.Max(3, 0.06 * Ms);

    /// <summary>The timer in words: "40 ms", "200 ms in coarse ticks" or "20 ms in ticks of 10 ms".</summary>
    public string InWords() =>
        $"{Ms:0.#} ms{(Known?.Model != AckTimerModel.Tick ? "" : MostMs < LongestTickMs ? " in ticks of 10 ms" : " in coarse ticks")}";
}
