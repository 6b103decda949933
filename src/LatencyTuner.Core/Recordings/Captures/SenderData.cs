using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Finds what a new segment waited for.</summary>
internal static class SenderData
{
    // A small part of the round trip, by which paths vary: data that misses it by less comes just a round trip after an ACK.
    private const int Exactly = 50;

    private const byte LargestTtlOfLinux = 64;

    // What Windows sends behind one packet of the peer leaves together.
    private const long TogetherNs = 1_000_000;

    /// <summary>Adds one segment.</summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="side">The sender: 0 the client, 1 the server.</param>
    /// <param name="state">The sender's state.</param>
    /// <param name="data">A record with new data.</param>
    public static void Add(ConnectionPass part, int side, ref SenderState state, in PacketRecord data)
    {
        ref SideTiming timing = ref part.Timing[side];
        SideFacts facts = part.State.Facts.Sides[side];
        bool small = data.Length < timing.Mss && !data.Has(PacketTraits.Fin);
        if (!state.Started)
        {
            state.Started = true;
            state.Next = data.Sequence;
            state.Acknowledged = state.AckKnown ? state.Acknowledged : data.Sequence;
        }

        if (BeginsSlowly(part, side, in state, in data))
        {
            state.SlowStart.Begin(data.Sequence);
        }

        SenderAcks.Gap(ref state, in data);
        // Nobody waits for what comes behind the peer's reset.
        bool whole = state.GapNs <= state.SentNs && !state.PeerReset;
        // After so long without an ACK a tail-loss probe may carry new data (RFC 8985 7.3), whatever Nagle's algorithm says. Across bytes that were never
        // captured, an ACK may be missing as well.
        bool probing = data.TimeNs - state.SentNs >= TcpConnection.ShortestRtoNs;
        bool smallOutstanding = state.AnySmall && SequenceNumber.Less(state.Acknowledged, state.SmallEnd) && !probing && whole;
        bool tailProbe = Probes(part, side, in state, in data, timing.Mss);
        bool released = state is { Answered: false, AckPure: true, AckEmptied: false } && data.Has(PacketTraits.Psh)
            && data.TimeNs - state.AckNs - timing.BaseNs <= timing.ReleaseNs
            && (!state.AnySmall || SequenceNumber.LessOrEqual(state.SmallEnd, state.Next - (uint)state.FlightBeforeFirst))
            && state.AckNs - state.SentNs >= LeastWaitNs(part.Timing[0].BaseNs + part.Timing[1].BaseNs);
        if (!data.Has(PacketTraits.HoleFill) && whole)
        {
            AddAnswer(ref state, in timing, in data);
            facts.OwnPauses += !tailProbe && Paused(part, side, in state, in data) ? 1 : 0;
            if (!state.Answered)
            {
                Released(part, side, ref state, in data, small);
            }
        }

        if (!state.PeerReset)
        {
            SenderWindows.Opened(part, side, ref state, in data);
        }

        bool nodelay = smallOutstanding && !EndsBatch(part, side, in state, in data) && !Follows(part, side, in state, in data);
        Sizes(facts, ref state, in data, timing.Mss, small, smallOutstanding, nodelay);
        facts.WireSegments += RepairSigns.SegmentsIn(part, in data);
        (state.Answered, state.PeerSince) = (true, false);
        state.Next = SequenceNumber.Less(state.Next, data.End) ? data.End : state.Next;
        state.SlowStart.Sent(state.Acknowledged);
        (state.SentNs, state.SentFrame, state.SentLength, state.SentBehindSmall) = (data.TimeNs, data.Frame, data.Length, smallOutstanding);
        state.SentAcknowledgement = data.Acknowledgement;
        state.SentEcho = data.Has(PacketTraits.Sack) ? state.SentEcho : data.TimestampValue - data.SackRight;
        bool pushed = data.Has(PacketTraits.Psh);
        (state.Pushes, state.SentMore) = (state.Pushes || pushed, state.Pushes && !pushed && data.Length >= timing.Mss);
        state.SilentNs = tailProbe ? state.SilentNs : data.TimeNs;
        bool behind = SequenceNumber.Less(state.Acknowledged, data.Sequence);
        facts.FullBehindOthers += data.Length >= timing.Mss && behind ? 1 : 0;
        facts.SmallBehindFull += small && behind && released && whole && !smallOutstanding ? 1 : 0;
        if (small)
        {
            (state.AnySmall, state.SmallEnd) = (true, data.End);
        }

        facts.LargestFlight = Math.Max(facts.LargestFlight, SequenceNumber.Beyond(state.Next, state.Acknowledged));
        if (SenderAcks.Room(ref state) < SenderAcks.Least(part, side, ref state))
        {
            state.LimitedNs = state.LimitedNs == 0 ? data.TimeNs : state.LimitedNs;
        }
    }

    /// <summary>
    /// True when the sender continues by itself after a pause: no ACK came, or one that came before released nothing. A sender that waits for ACKs does
    /// not; one that pauses meets an ACK by chance now and then.
    /// </summary>
    private static bool Paused(ConnectionPass part, int side, in SenderState state, in PacketRecord data)
    {
        ref SideTiming timing = ref part.Timing[side];
        long path = part.Timing[0].BaseNs + part.Timing[1].BaseNs;
        long gap = data.TimeNs - state.AckNs - timing.BaseNs;
        return state.SentNs != 0 && state.PeerDataNs <= state.SentNs && data.TimeNs - state.SentNs >= LeastWaitNs(path)
            && (state.Answered || LeftBefore(in timing, in data, state.FirstAckNs)
                || (gap > LongestRelease(in timing, in state) && !FilledSlowStart(part, side, in state, in data, gap) && !Answers(part, in state, in data)));
    }

    /// <summary>Takes over what this is as an answer of the application, if nothing can have held it: all before had been acknowledged.</summary>
    private static void AddAnswer(ref SenderState state, in SideTiming timing, in PacketRecord data)
    {
        long ns = data.TimeNs - state.PeerDataNs - timing.BaseNs;
        if (state is { PeerSince: true, Answered: false, AckEmptied: true } && state.AckNs < state.PeerFirstNs && ns >= 0
            && SequenceNumber.LessOrEqual(state.PeerEnd, data.Acknowledgement))
        {
            (state.LeastAnswerNs, state.FreeAnswers) = (Math.Min(state.LeastAnswerNs, ns), state.FreeAnswers + 1);
        }
    }

    /// <summary>
    /// True for data that left before an ACK can have arrived, and so did not wait for it. A round trip can be a little shorter than the shortest one seen.
    /// </summary>
    private static bool LeftBefore(in SideTiming timing, in PacketRecord data, long ackNs) =>
        !timing.BaseIsBound && data.TimeNs - ackNs < (timing.BaseNs * 9 / 10) - Math.Max(timing.JitterNs, timing.ReactionNs);

    /// <summary>
    /// True for data that echoes a timestamp from before the ACK, and so left before that had arrived. A packet that begins behind what its receiver had
    /// acknowledged is not echoed (RFC 7323 4.3).
    /// </summary>
    private static bool Predates(ConnectionPass part, int side, in SenderState state, in PacketRecord data) =>
        part.Connection.Flow(side).EchoesPureAcks && state.AckTimestamp != 0 && data.TimestampValue != 0 && data.SackRight != 0 && !data.Has(PacketTraits.Sack)
        && SequenceNumber.Less(data.TimestampValue - data.SackRight, state.AckTimestamp)
        && SequenceNumber.LessOrEqual(state.AckSequence, state.SentAcknowledgement);

    /// <summary>
    /// True for data that echoes a later packet than the data before it, and left as soon as that had arrived: by the clocks of both ends, however long it
    /// took from there.
    /// </summary>
    private static bool Answers(ConnectionPass part, in SenderState state, in PacketRecord data)
    {
        uint echoed = data.TimestampValue - data.SackRight;
        return state.AckTimestamp != 0 && SequenceNumber.Less(state.SentEcho, echoed) && SequenceNumber.LessOrEqual(echoed, state.AckTimestamp)
            && RepairSigns.LeftWithin(part, in data, (part.Timing[0].BaseNs + part.Timing[1].BaseNs) / 8);
    }

    /// <summary>
    /// True when this segment came within another round trip of an ACK after just what slow start allowed had been sent. An application does not stop at
    /// just that byte: data waited, and something else was slow.
    /// </summary>
    private static bool FilledSlowStart(ConnectionPass part, int side, in SenderState state, in PacketRecord data, long gapNs) =>
        data.Length >= part.Timing[side].Mss && gapNs <= part.Timing[0].BaseNs + part.Timing[1].BaseNs
        && state.SlowStart.IsFilled(state.Next, part.Timing[side].Mss);

    /// <summary>
    /// True for the one full segment that a sender without room sends after two round trips of silence, to have an ACK (RFC 8985 7.2, 7.3): the silence goes
    /// on behind it.
    /// </summary>
    private static bool Probes(ConnectionPass part, int side, in SenderState state, in PacketRecord data, int mss)
    {
        long silent = data.TimeNs - state.SentNs;
        return state.Answered && data.Length >= mss && silent >= Math.Max(1_000_000, (part.Timing[0].BaseNs + part.Timing[1].BaseNs) * 9 / 5)
            && state.SilentNs == state.SentNs && state.PeerDataNs <= state.SentNs && SequenceNumber.Less(state.Acknowledged, state.Next);
    }

    /// <summary>
    /// True for the small end of a write that leaves together with the full segments before it. Windows hands such a batch to the adapter at once; on Linux,
    /// which begins with a lower time to live, Nagle's algorithm holds the end behind another small segment.
    /// </summary>
    private static bool EndsBatch(ConnectionPass part, int side, in SenderState state, in PacketRecord data)
    {
        const long AtOnceNs = 200_000;
        return part.Connection.Flow(side).Ttl > LargestTtlOfLinux && state.SentLength >= part.Timing[side].Mss && data.Sequence == state.Next
            && data.TimeNs - state.SentNs <= AtOnceNs;
    }

    /// <summary>
    /// How long after an ACK data may leave that it released, nanoseconds. Behind an ACK that was held for far longer, a chance meeting is as rare after a
    /// fiftieth of that.
    /// </summary>
    private static long LongestRelease(in SideTiming timing, in SenderState state) => Math.Max(timing.ReleaseNs + timing.VaryNs, state.AckStretchedNs / 50);

    /// <summary>
    /// True for what leaves right behind a packet of the peer. Stacks of the BSD kind, and Windows, let held data go with an ACK that they send anyway, or
    /// behind the ACK of a part; on Linux, which begins with a lower time to live, it waits on. What leaves later behind the same packet was not held.
    /// </summary>
    private static bool Follows(ConnectionPass part, int side, in SenderState state, in PacketRecord data)
    {
        ref SideTiming timing = ref part.Timing[side];
        bool again = state.Answered && !state.PeerSince;
        bool later = again && (data.TimeNs - state.SentNs > TogetherNs || (state.AckEmptied && data.Acknowledgement == state.SentAcknowledgement));
        return part.Connection.Flow(side).Ttl > LargestTtlOfLinux && !later
            && data.TimeNs - Math.Max(state.AckNs, state.PeerDataNs) - timing.BaseNs <= timing.ReleaseNs;
    }

    private static bool IsJustBehind(in SideTiming timing, in PacketRecord data, long ackNs) =>
        Math.Abs(data.TimeNs - ackNs - timing.BaseNs) <= timing.BaseNs / Exactly;

    /// <summary>What is shorter shows no wait for an ACK, nanoseconds.</summary>
    private static long LeastWaitNs(long path) => Math.Max(1_000_000, path * 3 / 10);

    /// <summary>The first new data after an ACK: did the ACK release it?</summary>
    private static void Released(ConnectionPass part, int side, ref SenderState state, in PacketRecord data, bool small)
    {
        ref SideTiming timing = ref part.Timing[side];
        SideFacts facts = part.State.Facts.Sides[side];
        long gap = Math.Max(0, data.TimeNs - state.AckNs - timing.BaseNs);
        // What this segment does not acknowledge had not reached the sender.
        bool pingPong = state.PeerSince && SequenceNumber.LessOrEqual(state.PeerFirstEnd, data.Acknowledgement);
        if (pingPong && state.AckEmptied)
        {
            // A new message: what was sent before it belongs to the last one.
            (state.Drained, state.DrainedAt) = (true, data.Sequence);
        }

        // Far from its sender: it had not received what the peer sent before all ACKs since its last data, nor those ACKs then.
        bool unheard = timing.ShiftNs > 0 && state.PeerDataNs != 0 && state.PeerDataNs <= state.FirstAckNs && data.Has(PacketTraits.Ack)
            && SequenceNumber.Less(data.Acknowledgement, state.PeerEnd);
        bool released = !unheard
            && (gap <= LongestRelease(in timing, in state) || FilledSlowStart(part, side, in state, in data, gap) || Answers(part, in state, in data))
            && !LeftBefore(in timing, in data, state.FirstAckNs) && (!pingPong || state.SentMore) && (state.AckPure || state.SentMore) && state.SentNs != 0
            && state.SentNs <= state.AckNs + timing.ShiftNs;
        long waited = data.TimeNs - state.SentNs;
        bool room = state.RoomBefore >= data.Length;
        bool before = unheard || LeftBefore(in timing, in data, state.AckNs) || Predates(part, side, in state, in data);
        bool earlier = state.FlightBeforeFirst >= 2 * timing.Mss && data.TimeNs - state.AckNs < timing.BaseNs
            && data.TimeNs - state.FirstAckNs >= timing.BaseNs && data.TimeNs - state.FirstAckNs - timing.BaseNs <= timing.ReleaseNs;
        // Only another small segment holds a small one (Minshall's variation). What passes over earlier ACKs, and leaves on just that one's with more in
        // flight, waited for it.
        bool behindSmall = state.SmallBefore && SequenceNumber.LessOrEqual(state.SmallEnd, state.Acknowledged) && state.FirstAckNs < state.AckNs
            && !state.AckEmptied && facts.MayHold;
        // The least scale that let earlier data in does not keep a message out that is larger.
        bool fits = room || SenderAcks.Unexplained(part, side, ref state, state.RoomBefore);
        bool behindFull = state.SmallBefore && SequenceNumber.LessOrEqual(state.SmallEnd, state.Acknowledged) && !state.AckEmptied && facts.MayHold
            && state.FlightBefore < 3 * timing.Mss && data.Sequence == state.Next;
        // What was sent again held the congestion window as well until it was acknowledged, and its wait is the loss.
        bool nagle = small && !data.Has(PacketTraits.AboveGap) && !earlier && fits && state.RepeatedNs <= state.SentNs
            && (behindSmall || behindFull || (state.AckEmptied && state.FlightBefore > 0 && state.FlightBefore < 2 * timing.Mss));
        // Data of the peer that crossed with this end's own, and did not acknowledge it, may have made the application write; the ACK came later.
        long path = part.Timing[0].BaseNs + part.Timing[1].BaseNs;
        long peerNs = SequenceNumber.LessOrEqual(state.PeerEnd, data.Acknowledgement) ? state.PeerDataNs : state.PeerFirstNs;
        bool crossed = pingPong && state.AckNs - peerNs >= LeastWaitNs(path);
        // What ends inside a message of the peer, by its push flags, is no answer to it.
        bool inside = pingPong && state.PeerPushed && SequenceNumber.Less(data.Acknowledgement, state.PeerMessageEnd);
        bool pure = inside || (state.AckPure && (!pingPong || crossed));
        bool piggybacked = pingPong && !crossed && !state.AckPure && state.AckEmptied;
        bool few = timing.SoonestNs < timing.ShiftNs;
        bool sooner = few ? unheard || Predates(part, side, in state, in data) : before;
        if (nagle && !sooner && (pure || piggybacked) && waited > 0 && state.SentNs != 0)
        {
            long sinceNs = crossed && !inside ? Math.Min(peerNs + timing.BaseNs, data.TimeNs) : state.SentNs;
            NagleChance chance = new(
                few ? Math.Abs(data.TimeNs - state.AckNs - timing.BaseNs) : gap,
                new NagleHold(sinceNs, state.AckNs, data.TimeNs, state.AckDelayNs, state.AckLate, state.SentFrame, state.AckFrame, data.Frame)
                {
                    FirstSequence = data.Sequence - (uint)state.SentLength - part.Connection.Flow(side).Initial,
                    FirstLength = state.SentLength,
                    ReleasedLength = data.Length,
                    IsBehindMore = !state.AckEmptied,
                    Pushed = data.Has(PacketTraits.Psh) || !state.Pushes,
                },
                inside || (behindFull && !behindSmall));
            if (pure)
            {
                part.Chances.Add(chance);
                return;
            }

            part.Piggybacked.Add(chance);
        }

        if (!room || !released)
        {
            // As late as that the ACK may still have been what released it.
            bool slow = room && gap <= path && !pingPong && state.AckPure && state.SentNs != 0 && !before && !state.AckLate && state.AckStretchedNs == 0;
            if (slow && waited >= LeastWaitNs(path) && part.Timing[1 - side].BaseKnown
                && SenderWaits.IsAtWindow(part, side, in state, in data, state.FlightBefore, earlier))
            {
                facts.AddStop(Math.Min(waited, state.AckNs + timing.BaseNs - state.SilentNs));
            }

            return;
        }

        // Without a handshake the largest payload seen may be smaller than a full segment.
        bool full = data.Length >= timing.Mss && part.Connection.KnowsMss;
        facts.FullReleases += full && state.AckEmptied && state.FlightBefore < 2 * timing.Mss && !before ? 1 : 0;
        // The timer holds the ACK of a lone segment. Where nothing was sent after that, the wait is a round trip and the timer.
        bool late = state.AckLate && !before;
        bool lone = waited >= (path + state.AckDelayNs) * 4 / 5;
        if (late && !lone && state.AckEmptied)
        {
            return;
        }

        if (late && lone)
        {
            facts.SendBufferWaits++;
            // What varies by more than the wait does not show that the ACK released it.
            facts.SendBufferRepeats += waited > timing.ReleaseNs && Math.Abs(state.FlightBefore - facts.SendBufferBytes) < timing.Mss ? 1 : 0;
            facts.SendBufferBytes = state.FlightBefore;
            part.Stalls.Add(new Stall(state.AckNs - state.AckDelayNs, state.AckNs, StallKind.SendBuffer, (byte)side));
            return;
        }

        // Whether it waited is judged by the shortest wait that there can have been; the wait costs what it took. Data that comes just a round trip after an
        // ACK shows how long that is.
        bool exact = Answers(part, in state, in data)
            || (!timing.BaseIsBound && (IsJustBehind(in timing, in data, state.AckNs) || IsJustBehind(in timing, in data, state.FirstAckNs)));
        long ackNs = before && (state.AckLate || state.AckStretchedNs > 0) ? state.FirstAckNs : state.AckNs;
        long idle = (exact ? data.TimeNs : ackNs + timing.ShiftNs) - state.SilentNs;
        long answeredNs = Math.Min(data.TimeNs, state.AckNs + timing.BaseNs);
        // Where no data was captured together with its ACK, the path's time is unknown: ACKs that come one after the other may just pace a full path.
        bool waits = idle >= LeastWaitNs(path) && part.Timing[1 - side].BaseKnown;
        // Between two halves of a window a sender that stops again and again stops more briefly.
        const int Several = 3;
        long leastNs = facts.Stops < Several ? LeastWaitNs(path) : Math.Max(1_000_000, path / 4);
        bool stops = idle >= leastNs && part.Timing[1 - side].BaseKnown;
        // On a short path a sender that paces itself continues soon after an ACK too, but not at once each time.
        bool again = SenderWaits.Drained(part, side, ref state, in data, waits || (waited >= path && gap <= waited / 5));
        // When a receiver acknowledges every segment, the ACKs of a round trip come together, and any of them may have released the data.
        int flight = data.TimeNs - state.FirstAckNs - timing.BaseNs <= timing.ReleaseNs + timing.VaryNs ? state.FlightBeforeFirst : state.FlightBefore;
        long heldNs = before ? 0 : Math.Min(state.AckStretchedNs, idle);
        if (heldNs > 0 && state.SilentNs != state.SentNs)
        {
            // The ACK was due before the probe came.
            heldNs = Math.Max(heldNs, Math.Min(state.AckDueNs, idle - path));
        }

        if (heldNs > 0)
        {
            facts.StretchWaits++;
            facts.UnsureStretchWaits += state.AckStretchUnsure ? 1 : 0;
            facts.UnsureLongWaits += state.AckStretchUnsure && state.FlightBefore > 2 * timing.Mss ? 1 : 0;
            part.Stalls.Add(new Stall(state.AckNs - heldNs, state.AckNs, StallKind.DelayedAck, (byte)side));
        }

        if (again)
        {
            // While the path still carries what was sent, larger sends would gain nothing: what it stands idle for is one round trip.
            part.Stalls.Add(new Stall(Math.Max(state.SilentNs, answeredNs - path - heldNs), answeredNs, StallKind.SendBuffer, (byte)side));
        }
        else if (stops && heldNs == 0 && SenderWaits.IsAtWindow(part, side, in state, in data, flight, earlier))
        {
            facts.AddStop(answeredNs - state.SilentNs);
            // While the path still carried what lay before it in a queue, a larger window would only have lengthened the queue.
            long startNs = state.SilentNs + (before || state.AckLate ? 0 : state.AckQueuedNs);
            startNs = SenderWaits.LateBesideReceiver(part, side, in state) ? Math.Max(startNs, answeredNs - path) : startNs;
            if (answeredNs - startNs >= leastNs)
            {
                // What was on its way had reached a tap at the receiver: until the next came, as the path varies, it stood idle.
                bool idled = timing.ShiftNs > 0 && gap <= LongestRelease(in timing, in state);
                part.Stalls.Add(new Stall(startNs, idled ? data.TimeNs : answeredNs, StallKind.CongestionWindow, (byte)side));
            }
        }
    }

    /// <summary>
    /// True for the first data of a connection whose handshake was captured, and for data after idle time: the congestion window is, or falls back to,
    /// its beginning (RFC 5681 4.1).
    /// </summary>
    private static bool BeginsSlowly(ConnectionPass part, int side, in SenderState state, in PacketRecord data)
    {
        ref FlowState flow = ref part.Connection.Flow(side);
        long idleNs = data.TimeNs - Math.Max(state.SentNs, state.AckNs + part.Timing[side].BaseNs);
        return state.SentNs == 0 ? flow.SynSeen && data.Sequence == flow.Initial + 1
            : idleNs >= TcpConnection.ShortestRtoNs && SequenceNumber.LessOrEqual(state.Next, state.Acknowledged);
    }

    private static void Sizes(SideFacts facts, ref SenderState state, in PacketRecord data, int mss, bool small, bool smallOutstanding, bool nodelay)
    {
        facts.DataSegments++;
        facts.DataBytes += data.Length;
        if (small)
        {
            facts.SmallSegments++;
            if (nodelay)
            {
                facts.NodelaySigns++;
                facts.FirstNodelayNs = Math.Min(facts.FirstNodelayNs, data.TimeNs);
            }
        }

        if (small && smallOutstanding && data.Length < mss / 4)
        {
            facts.Tinygrams++;
            facts.TinygramBytes += data.Length;
            facts.LongestTinygramRun = Math.Max(facts.LongestTinygramRun, ++state.TinygramRun);
        }
        else
        {
            state.TinygramRun = 0;
        }
    }
}
