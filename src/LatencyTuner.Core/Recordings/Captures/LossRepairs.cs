using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>How what was lost was repaired: ACKs asked for it, or a timer ended (RFC 5681, RFC 6298, RFC 6675, RFC 8985); and what that cost.</summary>
internal static class LossRepairs
{
    /// <summary>
    /// Beside a sender, what an ACK asks for leaves much sooner than this and half of a round trip (a quarter with RACK, RFC 8985 6.2): so late it was a
    /// timer, nanoseconds.
    /// </summary>
    public const long AskedNs = 20_000_000;

    /// <summary>A wireless link holds packets for up to about this long now and then, nanoseconds.</summary>
    private const long LongestHoldNs = 80_000_000;

    /// <summary>What speaks for ACKs, and what for a timer.</summary>
    private readonly record struct Signs
    {
        /// <summary>ACKs asked for it that were not captured.</summary>
        public bool AskedUnseen { get; init; }

        /// <summary>ACKs, seen or not, or a router's report let it go.</summary>
        public bool Asked { get; init; }

        /// <summary>A router had reported that the packet was too big.</summary>
        public bool TooBig { get; init; }

        /// <summary>With the repair before it makes one full segment: a small congestion window has let it go in two parts.</summary>
        public bool Rest { get; init; }

        /// <summary>Other data was sent again right behind it.</summary>
        public bool Burst { get; init; }

        /// <summary>Its timestamps show that it left with an ACK that reported the hole.</summary>
        public bool Answers { get; init; }

        /// <summary>The receiver reported the hole, or it is filled in a recovery, and the distance of the sender is unknown.</summary>
        public bool Unplaced { get; init; }

        /// <summary>Far from its sender, the receiver reported the hole less than the shortest timer of a common stack before.</summary>
        public bool Early { get; init; }

        /// <summary>How long after the receiver's report it passed, nanoseconds.</summary>
        public long SinceReportNs { get; init; }
    }

    /// <summary>Adds a repair: how it came about, and what it cost.</summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="index">What was sent again.</param>
    /// <param name="record">The same.</param>
    /// <param name="loss">The state of its sender.</param>
    /// <param name="facts">The facts of its sender.</param>
    /// <returns>True for a loss of its own; false for the rest of one whose end was sent again before.</returns>
    public static bool Add(ConnectionPass part, int index, in PacketRecord record, ref LossState loss, SideFacts facts)
    {
        part.Needed[index] = true;
        facts.FirstRepairNs = Math.Min(facts.FirstRepairNs, record.TimeNs);
        bool beside = IsBeside(part, record.Side);
        long timerNs = Math.Max(TimerNs(part), TcpConnection.ShortestRtoNs + part.Timing[record.Side].BaseNs);
        Signs signs = SignsOf(part, index, in record, ref loss, timerNs, beside);
        // What a probe has sent the end of is still the same loss, and so are the pieces of a packet that a router did not take.
        bool another = !beside || !loss.InRecovery || SequenceNumber.LessOrEqual(record.End, loss.FirstRepair)
            || SequenceNumber.LessOrEqual(loss.FirstRepair, record.Sequence);
        (loss.RepairEnd, loss.RepairBytes) = (record.End, record.Length);
        another &= !signs.Rest && (!loss.Reported || part.Connection.Flow(record.Side).ReportedNs == 0 || signs.TooBig);
        bool timer = Recover(part, index, ref loss, in signs, timerNs, beside);
        Count(part, in record, ref loss, facts, in signs, another);
        RepairSigns.Repeat(part, ref loss, in record);
        Charge(part, index, in record, ref loss, timer, beside);
        return another;
    }

    private static Signs SignsOf(ConnectionPass part, int index, in PacketRecord record, ref LossState loss, long timerNs, bool beside)
    {
        long path = part.Timing[0].BaseNs + part.Timing[1].BaseNs;
        int mss = part.Timing[record.Side].Mss;
        // Where no pure ACK of the peer was captured, duplicate ones are missing too: a hole below later data that is filled within two round trips was
        // filled because of them. No timer ends so soon, and a tail-loss probe repeats the tail (RFC 8985 7.3).
        bool unseen = record.Has(PacketTraits.HoleFill) && record.SinceFirstNs >= 0 && record.SinceFirstNs < Math.Min(TcpConnection.ShortestRtoNs, 2 * path)
            && part.Connection.Flow(1 - record.Side).PureAcks == 0;
        unseen |= RepairSigns.Flowed(part, in record, in loss);
        // Senders lower the limit of three when little is outstanding (RFC 5827): what follows a second one at once was sent because of it.
        long sinceAckNs = record.TimeNs - loss.AckNs;
        bool early = loss.DuplicateAcks == 2 && sinceAckNs <= RepairSigns.ShortestTimerNs + part.Timing[record.Side].BaseNs;
        bool fills = record.Has(PacketTraits.HoleFill);
        long longestNs = (path * 7 / 4) + (fills && !beside ? AskedNs : 0);
        bool asked = unseen || early || loss.DuplicateAcks >= 3 || loss.SackedBytes >= 3 * mss
            || (loss.SackSeen && record.TimeNs - loss.EvidenceNs <= Math.Max(2_000_000, longestNs));
        // No timer ends so soon, and a tail-loss probe does not repeat what is below received data. Where the sender's distance is known, a timer may have
        // run since the data below the hole passed.
        bool reported = fills && (loss.SackSeen || loss.DuplicateAcks > 0);
        long sinceReportNs = record.TimeNs - (loss.EvidenceNs != 0 ? loss.EvidenceNs : loss.AckNs);
        asked |= reported && sinceReportNs < TcpConnection.ShortestRtoNs && !IsLate(part, in record, in loss)
            && (!part.Timing[record.Side].BaseKnown || (loss.BelowGapNs != 0 && record.TimeNs - loss.BelowGapNs < TcpConnection.ShortestRtoNs));
        // A sender that knows of the loss and still sends nothing for so long has waited for its timer (RFC 6298).
        long silence = Math.Min(record.TimeNs - loss.SentNs, unseen ? 0 : record.TimeNs - loss.EvidenceNs);
        bool burst = RepairSigns.IsBurst(part, index, beside && loss.SackSeen && silence < timerNs);
        bool probe = (beside && RepairSigns.IsProbe(part, in record, in loss)) || (!loss.InRecovery && !burst && RepairSigns.IsUntold(part, index, in loss));
        bool answers = !beside && RepairSigns.AnswersReport(part, in record, in loss);
        bool tooBig = record.Has(PacketTraits.TooBig) || (beside && RepairSigns.IsReported(in record, in loss, path));
        // Behind the first missing byte, which a timer repeated, the ACKs of what is repeated let the rest go.
        bool goesOn = loss is { InRecovery: true, ByTimeout: true } && SequenceNumber.Less(loss.FirstRepair, record.Sequence);
        loss.Reported = tooBig || (loss.Reported && loss.InRecovery);
        return new()
        {
            AskedUnseen = unseen,
            Answers = answers,
            Asked = answers || (loss.Reported && silence < timerNs) || (!probe && ((asked && silence < timerNs) || (burst && (asked || beside)))),
            TooBig = tooBig,
            Rest = loss is { InRecovery: true, ByTimeout: false } && part.Connection.KnowsMss && record.Sequence == loss.RepairEnd
                && record.Length < mss && loss.RepairBytes + record.Length == mss,
            Burst = burst,
            Unplaced = (reported || (fills && loss.InRecovery)) && IsUnplaced(part, record.Side),
            SinceReportNs = sinceReportNs,
            Early = reported && !beside && !goesOn && sinceReportNs < TcpConnection.ShortestRtoNs,
        };
    }

    /// <summary>Begins a recovery, or goes on with it.</summary>
    /// <returns>True when a timer ended in a recovery that duplicate ACKs had begun.</returns>
    private static bool Recover(ConnectionPass part, int index, ref LossState loss, in Signs signs, long timerNs, bool beside)
    {
        ref PacketRecord record = ref part.Records[index];
        bool unheard = part.Connection.Flow(1 - record.Side).Packets == 0;
        loss.InRecovery &= !unheard || !RepairSigns.IsNextRecovery(in record, in loss);
        if (!loss.InRecovery)
        {
            (loss.InRecovery, loss.RecoveryEnd, loss.ByTimeout, loss.PieceBytes) = (true, loss.Highest, !signs.Asked, 0);
            (loss.FirstRepair, loss.TimerSinceNs) = (record.Sequence, 0);
            return false;
        }

        if (loss.ByTimeout)
        {
            return false;
        }

        // The timer repairs a retransmission that was also lost, or what no further ACK asked for, from the first missing byte on (RFC 6298 5.4).
        // Seen from afar, its silence may seem a little shorter; so many round trips of a short path are no request.
        const int Many = 8;
        long path = part.Timing[0].BaseNs + part.Timing[1].BaseNs;
        long leastNs = beside ? Math.Max(AskedNs, path / 2) : Math.Min(timerNs, Math.Max(LossPass.HastyNs, Many * path));
        long silentNs = Math.Min(record.TimeNs - loss.SentNs, record.TimeNs - loss.AckNs);
        bool restarts = part.Timing[1 - record.Side].ShiftNs == 0 && loss.AdvancedNs != 0 && record.Sequence == loss.Acknowledged
            && record.TimeNs - loss.AdvancedNs >= timerNs && silentNs >= TcpConnection.ShortestRtoNs;
        bool untold = RepairSigns.Unasked(part, in record, in loss) || (!beside && RepairSigns.IsUntold(part, index, in loss));
        bool timer = !signs.Burst && !signs.Answers && (silentNs >= leastNs || restarts || untold)
            && (!unheard || SequenceNumber.LessOrEqual(record.Sequence, loss.Repeated));
        loss.ByTimeout = timer || (!signs.Asked && record.Covered > 1);
        loss.RecoveryEnd = loss.ByTimeout ? loss.Highest : loss.RecoveryEnd;
        return timer;
    }

    private static void Count(ConnectionPass part, in PacketRecord record, ref LossState loss, SideFacts facts, in Signs signs, bool another)
    {
        ref FlowState peer = ref part.Connection.Flow(1 - record.Side);
        if (loss.ByTimeout && another)
        {
            facts.Timeouts++;
            loss.Wait.Add(record.TimeNs);
        }

        // A capturing host may have joined several: each was lost.
        facts.FastRetransmissions += loss.ByTimeout || signs.Rest || (loss.Reported && !another) ? 0 : RepairSigns.LossesIn(part, in record);
        // What was repaired later than any round trip that the path can have was a timer's.
        long longestNs = part.Timing[record.Side].BaseKnown ? 2 * part.Timing[record.Side].BaseNs : TimingPass.LongestPathNs;
        facts.UnsureTimers += loss.ByTimeout && signs.Unplaced && signs.SinceReportNs < longestNs ? 1 : 0;
        if (loss.ByTimeout && another && signs.Early)
        {
            (facts.EarlyTimers, facts.EarlyTimersNs) = (facts.EarlyTimers + 1, facts.EarlyTimersNs + Math.Max(0, record.SinceFirstNs));
        }

        bool unplaced = signs is { Unplaced: true, AskedUnseen: false, Answers: false, SinceReportNs: >= TcpConnection.ShortestRtoNs };
        facts.UnsureRequests += !loss.ByTimeout && unplaced ? 1 : 0;
        // What never passed here before cannot have arrived.
        bool hasty = loss.ByTimeout && record.Has(PacketTraits.Retransmission) && LossPass.Hasty(in record, in loss);
        facts.HastyRepeats += hasty ? 1 : 0;
        bool again = loss.ByTimeout && another && record.Has(PacketTraits.Retransmission);
        if (again && RepairSigns.IsUnproven(part, in record, in loss))
        {
            (facts.UnprovenLosses, loss.LeastUnprovenNs) = (facts.UnprovenLosses + 1, Math.Min(loss.LeastUnprovenNs ?? long.MaxValue, record.SinceFirstNs));
        }

        facts.SameIds += record.IpId != 0 && record.IpId == loss.SentIpId ? 1 : 0;
        facts.ReportedLosses += signs.TooBig ? 1 : 0;
        if (record.Has(PacketTraits.TooBig))
        {
            ref FlowState sender = ref part.Connection.Flow(record.Side);
            (facts.ReportedMtu, facts.ReportFrame) = (sender.ReportedMtu, sender.ReportFrame);
        }

        facts.LostOpenings += loss.ByTimeout && record.Sequence == part.Connection.Flow(record.Side).Initial + 1 ? 1 : 0;
        facts.SmallerRepairs += RepairSigns.IsSmaller(in record, ref loss) ? 1 : 0;
        facts.UnseenRequests += signs.AskedUnseen && !loss.ByTimeout ? 1 : 0;
        // So soon the receiver's ACK may just be one of those that were not captured.
        facts.UnseenAnswers += loss.PeerUnseen || (hasty && peer.PureAcks == 0) ? 1 : 0;
        loss.Unanswered += loss.PeerUnseen ? 0 : 1;
        loss.UnansweredFast += loss.PeerUnseen || loss.ByTimeout ? 0 : 1;
    }

    private static void Charge(ConnectionPass part, int index, in PacketRecord record, ref LossState loss, bool timer, bool beside)
    {
        // Nothing shows when the last data before a pause was lost. For a response, the time counts from the earliest time at which it could arrive
        // after its request; for a request, from the time at which the loss is known.
        long sinceNs = record.Has(PacketTraits.NewData) && record.Side == 1
            ? record.TimeNs - Math.Max(loss.NewNs, part.State.Losses[1 - record.Side].NewNs + part.Timing[record.Side].BaseNs) : record.SinceFirstNs;
        // The number of an ACK may have shown before that the data is missing, whatever was asked meanwhile.
        sinceNs = record.Has(PacketTraits.HoleFill) ? Math.Max(sinceNs, record.SinceFirstNs) : sinceNs;
        // So may SACK blocks of data that passed before the capture began.
        bool reported = record.Has(PacketTraits.HoleFill) && loss.SackSeen && record.Sequence == loss.Acknowledged;
        sinceNs = reported ? Math.Max(sinceNs, record.TimeNs - loss.EvidenceNs) : sinceNs;
        // Behind a tail-loss probe that opened the hole, all of it had been sent before.
        sinceNs = loss.ProbeNs != 0 && record.TimeNs - record.SinceFirstNs == loss.ProbeNs ? record.TimeNs - loss.BeforeProbeNs : sinceNs;
        // Beside a sender the copy before shows since when its timer ran, whatever else it sent meanwhile.
        long timerSinceNs = beside && record.SinceLastNs >= 0 ? Math.Max(loss.AdvancedNs, record.TimeNs - record.SinceLastNs) : loss.SentNs;
        loss.TimerSinceNs = timer ? Math.Min(timerSinceNs, loss.SentNs) : loss.TimerSinceNs;
        if (loss.ByTimeout && loss.TimerSinceNs != 0 && sinceNs > record.TimeNs - loss.TimerSinceNs)
        {
            // What came before the timer's wait is still the recovery that duplicate ACKs began.
            part.Stalls.Add(new Stall(record.TimeNs - sinceNs, loss.TimerSinceNs, StallKind.LossFastRetransmit, (byte)record.Side));
            sinceNs = record.TimeNs - loss.TimerSinceNs;
        }

        // Once both ends have closed, nobody waits for what is still sent again; nor where one has, and answers that with a RST, or it is a last few bytes.
        bool closed = part.State.Losses[1 - record.Side].Closed;
        bool last = record.Length <= RepairSigns.GoodbyeBytes && record.End == loss.Highest;
        bool over = loss.PeerReset || RepairSigns.IsGoodbye(part, index, in loss) || (closed && (loss.Closed || last || RepairSigns.IsRefused(part, index)));
        if (sinceNs > 0 && !over)
        {
            StallKind kind = loss.ByTimeout ? StallKind.LossRto : StallKind.LossFastRetransmit;
            part.Stalls.Add(new Stall(record.TimeNs - sinceNs, record.TimeNs, kind, (byte)record.Side));
        }
    }

    /// <summary>
    /// True for what a distant sender sends again after three round trips of silence, to fewer reports than make it do so at once: timers of some servers end
    /// much sooner than 200 ms. One that waits for packets in the wrong order waits for one round trip more at most (RFC 8985 6.2).
    /// </summary>
    private static bool IsLate(ConnectionPass part, in PacketRecord record, in LossState loss) =>
        loss.DuplicateAcks < 3 && loss.SackedBytes < 3 * part.Timing[record.Side].Mss && !loss.InRecovery
        && part.Timing[record.Side] is { BaseKnown: true, BaseIsBound: false, BaseNs: var senderNs } && senderNs >= LossPass.ShortestPathNs
        && record.TimeNs - loss.SentNs >= Math.Max(LongestHoldNs, (3 * senderNs) + AskedNs);

    /// <summary>A sender that sends nothing for so long has waited for its retransmission timer, nanoseconds (RFC 6298).</summary>
    /// <param name="part">The part of the connection.</param>
    public static long TimerNs(ConnectionPass part) => Math.Max(TcpConnection.ShortestRtoNs, 2 * (part.Timing[0].BaseNs + part.Timing[1].BaseNs));

    /// <summary>True at a tap that is known to be beside a side of the connection, and not beside the other.</summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="side">The side.</param>
    public static bool IsBeside(ConnectionPass part, int side) => part.Timing[side] is { BaseKnown: true, ShiftNs: 0 } && part.Timing[1 - side].ShiftNs > 0;

    /// <summary>True when the round trip to a sender is unknown, or no shorter than a timer and only known from what it sent by itself.</summary>
    private static bool IsUnplaced(ConnectionPass part, int side) =>
        !part.Timing[side].BaseKnown
        || (part.Timing[side].BaseNs >= TcpConnection.ShortestRtoNs && part.Connection is { FromClient.SynSeen: false, FromServer.SynSeen: false });
}
