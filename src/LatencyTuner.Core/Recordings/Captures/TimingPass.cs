using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Measures, from one part's packets, how long each end usually takes to answer, and where the tap is.</summary>
internal static class TimingPass
{
    private const long Millisecond = 1_000_000;

    // RFC 9293 3.7.1: the largest segment that a sender may send when its peer announced no MSS.
    private const int DefaultMss = 536;

    // A small device may take this long to answer a SYN or the first request.
    private const long LongestFirstNs = 2 * Millisecond;

    /// <summary>
    /// A sender repeats what is not acknowledged after this time before it knows the path (RFC 6298 5.7): what comes later follows a beat of its own,
    /// nanoseconds.
    /// </summary>
    internal const long LongestPathNs = 3_000_000_000;

    // Delays of all lengths that a timer makes look like so much jitter.
    private const long LongJitterNs = 5 * Millisecond;

    // When both ends are this near, the capture may have been made at either end, or on one machine.
    private const long LocalNs = 200_000;

    private const int FewestForMode = 10;

    /// <summary>So few packets of a connection seldom show the shortest round trip.</summary>
    private const int FewRecords = 64;

    // What a host itself may take to answer a SYN, and to answer a packet as quickly as it ever does.
    private const long SynReactionNs = 3 * Millisecond / 4;
    private const long ReactionNs = Millisecond / 4;

    // The shortest timers of delayed ACKs are longer.
    private const long LongestVariationNs = 10 * Millisecond;

    public static void Run(ConnectionPass part)
    {
        TcpConnection c = part.Connection;
        for (int side = 0; side < 2; side++)
        {
            part.Clocks[side].Read(part.Records, side);
            ref FlowState own = ref c.Flow(side);
            ref SideTiming timing = ref part.Timing[side];
            timing = default;
            timing.Mss = MssOf(in own, in c.Flow(1 - side));
            timing.Mss = CutsAt(part, side, timing.Mss) ?? timing.Mss;
            if (!c.FromClient.SynSeen && !c.FromServer.SynSeen && own.BaseNs > LocalNs)
            {
                own.BaseNs = Math.Min(own.BaseNs, ReleaseTimes.ShortestOf(part.Records, side, timing.Mss));
            }
            else if (own.BaseNs is > LocalNs and <= LongestFirstNs)
            {
                own.BaseNs = Math.Min(own.BaseNs, ReleaseTimes.ShortestOfScattered(part.Records, side, timing.Mss));
            }

            own.BaseNs = WithoutTheQuickest(part, side) ?? own.BaseNs;
            // A sender that hardly ever receives data shows its round trip better by the timestamps that it echoes.
            long least = Math.Min(own.BaseNs, own.EchoBaseNs);
            if (part.Path?.Of(side) is { } others
                && (least == FlowState.Unknown || (own.HandshakeNs != FlowState.Unknown && part.Records.Length <= FewRecords)))
            {
                least = Math.Min(least, others.LeastNs);
            }

            timing.BaseKnown = least <= LongestPathNs;
            timing.BaseNs = timing.BaseKnown ? Math.Max(least, 0) : 0;
        }

        for (int side = 0; side < 2; side++)
        {
            ref SideTiming own = ref part.Timing[side];
            bool here = own.BaseNs < Nearer(part.Timing[1 - side].BaseNs)
                || (own.BaseNs < LocalNs && part.Timing[1 - side].BaseNs < LocalNs);
            // The shortest of a few samples is longer than the path needs at best. If the peer's packets were taken as seen too late, causes would look
            // like coincidences.
            bool synAlone = own.BaseNs == c.Flow(side).HandshakeNs;
            own.ShiftNs = here ? 0 : synAlone ? Math.Clamp(own.BaseNs - SynReactionNs, own.BaseNs / 5, own.BaseNs * 4 / 5) : own.BaseNs * 4 / 5;
            own.SoonestNs = !here && part.Records.Length <= FewRecords && part.Path?.Of(side) is null ? Math.Min(own.ShiftNs, own.BaseNs * 3 / 5) : own.ShiftNs;
            (own.JitterNs, long modeNs) = Jitter(part, side, here);
            own.ReactionNs = synAlone ? SynReactionNs : ReactionNs;
            own.JitterNs = own.JitterNs < LongJitterNs ? own.JitterNs : Math.Min(own.JitterNs, OfTicks(part, side) ?? own.JitterNs);
            own.GuardNs = Math.Max(2 * Millisecond, Math.Max(4 * own.JitterNs, own.BaseNs / 4));
            ref FlowState flow = ref c.Flow(side);
            // What a sender of small messages echoes shows when its application wrote; full segments are sent as soon as ACKs allow.
            own.BaseIsBound = !here && own.BaseKnown && !c.FromClient.SynSeen && !c.FromServer.SynSeen
                && (flow.EchoBaseNs == FlowState.Unknown || (flow.PureAcks == 0 && flow.LargestPayload < own.Mss));
            if (own.BaseIsBound)
            {
                own.ShiftNs = Math.Min(own.ShiftNs, ReleaseTimes.LeastOf(part.Records, side, own.Mss));
            }

            // A round trip that the handshake took is one that this path takes.
            own.VaryNs = here || flow.HandshakeNs == FlowState.Unknown ? 0 : Math.Clamp(flow.HandshakeNs - own.BaseNs, 0, own.BaseNs / 2);
            // Most answers take longer than the shortest one; what a timer may have made so is no time of the path.
            long mostlyNs = modeNs - own.BaseNs <= Math.Clamp(own.BaseNs / 2, Millisecond, LongestVariationNs) ? Math.Max(0, modeNs - own.BaseNs) : 0;
            long pathVariesNs = part.Records.Length <= FewRecords ? part.Path?.Of(side)?.VaryNs ?? 0 : 0;
            long variesNs = Math.Max(Math.Max(3 * own.JitterNs, mostlyNs + own.JitterNs), pathVariesNs);
            own.ReleaseNs = here ? Millisecond / 2 : Math.Max(Math.Max(Millisecond / 4, own.BaseNs / 10), variesNs);
        }

        FindHeldAnswer(part);
    }

    /// <summary>
    /// An answer to a SYN that left its server, by the clock of its timestamps, before the second SYN passed: it answers the first one, and the path held it.
    /// </summary>
    private static void FindHeldAnswer(ConnectionPass part)
    {
        // It echoes the first SYN.
        if (part.Connection is not { SynRetransmissions: 1, SynsUnanswered: 0, SynsWereHeld: false })
        {
            return;
        }

        foreach (ref PacketRecord record in part.Records)
        {
            if (record.Side == 1 && record.Has(PacketTraits.Syn))
            {
                part.Connection.SynsWereHeld |= part.Clocks[1].LateNs(in record) is > 0 and var lateNs
                    && record.TimeNs - lateNs < part.Connection.FromClient.SynNs;
                return;
            }
        }
    }

    /// <summary>
    /// Below this an end is the one beside the tap, nanoseconds: a tenth of the distance of the other end; where it answers at a machine's own speed, a fifth.
    /// </summary>
    /// <param name="otherNs">The shortest round trip to the other end, nanoseconds.</param>
    private static long Nearer(long otherNs) => Math.Min(Millisecond, Math.Max(otherNs / 10, Math.Min(otherNs / 5, LossPass.BesideNs)));

    /// <summary>Where the tap is, by the shortest round trips to both ends.</summary>
    public static Vantage VantageOf(long clientNs, long serverNs) =>
        clientNs == FlowState.Unknown || serverNs == FlowState.Unknown ? Vantage.Unknown
        : clientNs < LocalNs && serverNs < LocalNs && clientNs * 10 > serverNs && serverNs * 10 > clientNs ? Vantage.Local
        : clientNs < Nearer(serverNs) ? Vantage.Client
        : serverNs < Nearer(clientNs) ? Vantage.Server
        : clientNs < LocalNs && serverNs < LocalNs ? Vantage.Local
        : Vantage.Middle;

    private static int MssOf(in FlowState own, in FlowState peer)
    {
        if (own.Mss > 0 && peer.Mss == 0 && peer.SynSeen && own.LargestPayload <= DefaultMss)
        {
            return DefaultMss;
        }

        int least = own.Mss > 0 && peer.Mss > 0 ? Math.Min(own.Mss, peer.Mss) : Math.Max(own.Mss, peer.Mss);
        return least > 40 ? least - (own.Timestamps && peer.Timestamps ? 12 : 0) : Math.Max(own.LargestPayload, DefaultMss);
    }

    /// <summary>
    /// The payload at which an end cuts its data, bytes, where that is less than the handshake allows: a device beyond the tap lowered the MSS, or a router
    /// reported a smaller one (RFC 1191). Several of its largest segments end without the push flag, so that more data was waiting behind them (RFC 9293
    /// 3.9.1.2), although this end pushes. What was joined before the tap is longer, mostly several of them; a device that joins and pushes all it forwards
    /// (the address translation of a virtual machine's host) shows by that, and by how many are alike, what is cut. Null elsewhere.
    /// </summary>
    private static int? CutsAt(ConnectionPass part, int side, int mss)
    {
        const int Fewest = 3;
        int allowed = Math.Min(mss, SentData.EthernetMss);
        int longest = part.Connection.Flow(side).LargestPayload;
        int largest = longest < DefaultMss || longest == allowed ? allowed : 0;
        for (int i = 0; i < part.Records.Length && largest < allowed; i++)
        {
            ref PacketRecord record = ref part.Records[i];
            largest = record.Side == side && record.Length <= allowed ? Math.Max(largest, record.Length) : largest;
        }

        if (largest < DefaultMss || largest == allowed)
        {
            return null;
        }

        (int all, int more, int pushes, int longer, int several, int total) = (0, 0, 0, 0, 0, 0);
        foreach (ref PacketRecord record in part.Records)
        {
            if (record.Side == side && record.Length > 0)
            {
                bool pushed = record.Has(PacketTraits.Psh);
                pushes += pushed ? 1 : 0;
                total++;
                all += record.Length == largest ? 1 : 0;
                more += record.Length == largest && !pushed ? 1 : 0;
                longer += record.Length > largest ? 1 : 0;
                several += record.Length > largest && record.Length % largest == 0 ? 1 : 0;
            }
        }

        bool goesOn = pushes > 0 && more >= Fewest && 3 * more >= all;
        bool joins = pushes == total && several >= Fewest && 5 * all >= 4 * total;
        return (goesOn || joins) && 2 * several >= longer ? largest : null;
    }

    /// <summary>
    /// The shortest round trip but one, nanoseconds, where that one alone is ten times shorter than the handshake and five times shorter than all others: a
    /// device on the path answered once for this end. At least three others must be about as long as the handshake. Null elsewhere.
    /// </summary>
    private static long? WithoutTheQuickest(ConnectionPass part, int side)
    {
        const int Fewest = 3;
        ref FlowState own = ref part.Connection.Flow(side);
        if (own.HandshakeNs == FlowState.Unknown || own.BaseNs < LocalNs || own.BaseNs > own.HandshakeNs / 10)
        {
            return null;
        }

        (long least, long second, int alike) = (long.MaxValue, own.HandshakeNs, 0);
        foreach (ref PacketRecord record in part.Records)
        {
            if (record.Side == side && IsRoundTrip(in record))
            {
                alike += record.SinceLastNs >= own.HandshakeNs / 2 && record.SinceLastNs <= 2 * own.HandshakeNs ? 1 : 0;
                second = Math.Min(second, Math.Max(least, record.SinceLastNs));
                least = Math.Min(least, record.SinceLastNs);
            }
        }

        return alike >= Fewest && least == own.BaseNs && second >= 5 * least ? second : null;
    }

    private static bool IsRoundTrip(in PacketRecord record) => record.Has(PacketTraits.Advancing)
        && !record.Has(PacketTraits.AmbiguousRtt | PacketTraits.Forced) && record.Covered > 0 && record.SinceLastNs >= 0;

    /// <summary>
    /// Deviation from the mode over the nearest half of the samples, so that delayed ACKs beside prompt ones do not count as jitter. Beside the host, an
    /// answer with data shows the application's time and nothing of the path's.
    /// </summary>
    private static (long JitterNs, long ModeNs) Jitter(ConnectionPass part, int side, bool here)
    {
        Span<PacketRecord> records = part.Records;
        Span<long> samples = part.Scratch;
        int step = Math.Max(1, records.Length / samples.Length);
        int n = 0;
        for (int i = 0; i < records.Length && n < samples.Length; i += step)
        {
            ref PacketRecord record = ref records[i];
            if (record.Side == side && IsRoundTrip(in record) && !(here && record.Length > 0))
            {
                samples[n++] = record.SinceLastNs;
            }
        }

        if (n < 4)
        {
            return (0, 0);
        }

        samples = samples[..n];
        Selection.Sort(samples);
        long mode = HalfSampleMode(samples);
        for (int i = 0; i < n; i++)
        {
            samples[i] = Math.Abs(samples[i] - mode);
        }

        return (2 * Selection.At(samples, n / 4), n < FewestForMode ? 0 : mode);
    }

    /// <summary>
    /// Where the pure ACKs of lone segments take long, and take times that differ, but all come at one phase of a clock, the receiver's timer counts ticks:
    /// how much they deviate from that phase is the path's jitter, nanoseconds. Null where they show no such phase.
    /// </summary>
    private static long? OfTicks(ConnectionPass part, int side)
    {
        const int Fewest = 10;
        const double Strong = 0.95;
        const long LeastSpreadNs = 40 * Millisecond;
        long farthest = part.Timing[side].BaseNs + (2 * Millisecond);
        (double cosines, double sines, int n, long least, long most) = (0, 0, 0, long.MaxValue, 0);
        foreach (ref PacketRecord record in part.Records)
        {
            if (record.Side == side && n < part.Scratch.Length && record.IsPureAck && record.Covered == 1 && record.SinceLastNs > farthest
                && record.Has(PacketTraits.Advancing) && !record.Has(PacketTraits.AmbiguousRtt | PacketTraits.Forced))
            {
                double phase = record.TimeNs % CapturedHost.TickNs * (2 * Math.PI / CapturedHost.TickNs);
                (cosines, sines, n) = (cosines + Math.Cos(phase), sines + Math.Sin(phase), n + 1);
                (least, most) = (Math.Min(least, record.SinceLastNs), Math.Max(most, record.SinceLastNs));
            }
        }

        double strength = Math.Min(1, Math.Sqrt((cosines * cosines) + (sines * sines)) / Math.Max(1, n));
        return n >= Fewest && most - least >= LeastSpreadNs && strength >= Strong
            ? (long)(Math.Sqrt(-2 * Math.Log(strength)) * (CapturedHost.TickNs / (2 * Math.PI))) : null;
    }

    private static long HalfSampleMode(ReadOnlySpan<long> sorted)
    {
        while (sorted.Length > 2)
        {
            int half = (sorted.Length + 1) / 2;
            int best = 0;
            for (int i = 1; i + half <= sorted.Length; i++)
            {
                best = sorted[i + half - 1] - sorted[i] < sorted[best + half - 1] - sorted[best] ? i : best;
            }

            sorted = sorted.Slice(best, half);
        }

        return sorted[0];
    }
}

/// <summary>What the packets of one part show about the time to and from one end.</summary>
internal struct SideTiming
{
    /// <summary>Shortest round trip between the tap and this end, nanoseconds; 0 when unknown.</summary>
    public long BaseNs;

    /// <summary>
    /// After this time a packet may have reached this end: where few packets show its round trip, the shortest of them may be far longer than the path needs,
    /// nanoseconds.
    /// </summary>
    public long SoonestNs;

    /// <summary>False when no round trip to this end was ever seen.</summary>
    public bool BaseKnown;

    /// <summary>
    /// True when the base is only an upper bound of the path's time. Without a handshake, and with the tap elsewhere, an end that acknowledges only
    /// with its next message seems farther away by its processing time.
    /// </summary>
    public bool BaseIsBound;

    /// <summary>Usual deviation of this end's answers from their most frequent delay, nanoseconds.</summary>
    public long JitterNs;

    /// <summary>A pure ACK that is later than the base by at most this is not delayed, nanoseconds.</summary>
    public long GuardNs;

    /// <summary>Data that follows an ACK within this time was released by it, nanoseconds.</summary>
    public long ReleaseNs;

    /// <summary>How much longer than the base the round trip to this end was in the handshake, at most half of the base, nanoseconds.</summary>
    public long VaryNs;

    /// <summary>How much later the peer's packets reach this end than the tap, nanoseconds: 0 with the tap at this end.</summary>
    public long ShiftNs;

    /// <summary>By so much the base may be longer than the path, because the host took its time as well, nanoseconds.</summary>
    public long ReactionNs;

    /// <summary>Largest payload this end puts into one segment on the wire, bytes.</summary>
    public int Mss;
}
