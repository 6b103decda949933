using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Finds requests and responses, and divides the time of each between client, server, path and stalls.</summary>
internal static class TransactionPass
{
    private const long SetBackNs = 100_000_000;

    // A connection that is idle for longer before its first request was opened ahead: nobody waits meanwhile.
    private const long OpenedAheadNs = 5_000_000_000;

    public static void Run(ConnectionPass part, bool last)
    {
        Span<PacketRecord> records = part.Records;
        MessageState state = part.State.Messages;
        for (int i = 0; i < records.Length; i++)
        {
            ref PacketRecord record = ref records[i];
            Active(part, state, in record);
            bool fresh = record.Length > 0 && record.Has(PacketTraits.NewData | PacketTraits.HoleFill);
            if (fresh)
            {
                if (record.Side == 0)
                {
                    FromClient(part, state, in record);
                }
                else
                {
                    FromServer(part, state, in record);
                }
            }
            else if (part.Needed[i])
            {
                Repaired(state, in record);
            }
            else if (state.Phase == MessagePhase.Request && record.Side == 1 && record.IsPureAck && state.Next[0] == record.Acknowledgement
                && (part.Acks[i] is AckClass.Immediate or AckClass.SecondSegment || CameWithTheAnswer(part, i)))
            {
                state.Current.RequestAckNs = record.TimeNs;
            }

            Follow(part, state, in record);
        }

        if (last)
        {
            if (state.Phase == MessagePhase.Response)
            {
                Finish(part, state, 0);
            }
            else if (state.Phase == MessagePhase.Request && state.Answered)
            {
                part.State.Facts.UnansweredNs = Math.Max(0, part.Connection.LastNs - state.Current.RequestEndNs);
            }
        }
        else if (state.Phase != MessagePhase.Idle)
        {
            Carry(part, state);
        }
    }

    /// <summary>
    /// True for an ACK that comes with the response, after any timer should have sent it (Linux and Windows: 40 ms): the path took that long, or what was
    /// captured came in batches.
    /// </summary>
    private static bool CameWithTheAnswer(ConnectionPass part, int i)
    {
        const long TimerNs = 50_000_000;
        return part.Acks[i] == AckClass.Unexplained && part.Records[i].SinceLastNs - part.Timing[1].BaseNs > TimerNs;
    }

    private static void FromClient(ConnectionPass part, MessageState state, in PacketRecord record)
    {
        if (state.OpenedNs != 0 && !state.Started[0])
        {
            part.State.Facts.FirstRequestNs = state.Started[1] ? null : Math.Max(0, record.TimeNs - state.OpenedNs);
            if (!state.Started[1] && record.TimeNs - state.OpenedNs <= OpenedAheadNs)
            {
                part.State.Facts.BeforeFirstNs = Math.Max(0, record.TimeNs - state.OpenedNs);
                part.State.Facts.ActiveNs += state.WaitingNs;
            }

            state.WaitingNs = 0;
        }

        if (state.Phase != MessagePhase.Request)
        {
            if (state.Phase == MessagePhase.Response)
            {
                state.NextLateNs = part.Clocks[0].LateNs(in record);
                Finish(part, state, record.TimeNs);
            }

            Overlap(part, state, in record);
            state.Phase = MessagePhase.Request;
            (state.CarriedNs, state.CarriedRequestNs, state.CarriedServerNs, state.ClientPausedNs) = (0, 0, 0, 0);
            Array.Clear(state.Carried);
            state.Current = new Transaction { RequestStartNs = record.TimeNs, FirstFrame = record.Frame };
        }
        else
        {
            state.ClientPausedNs += Paused(part, state, in record, state.Current.RequestEndNs);
            // Time before further data of an unanswered client may be idle.
            state.WaitingNs = 0;
        }

        state.Current.RequestEndNs = record.TimeNs;
        state.Current.RequestBytes += record.Length;
        state.Current.RequestAckNs = 0;
    }

    private static void FromServer(ConnectionPass part, MessageState state, in PacketRecord record)
    {
        if (state.Phase == MessagePhase.Idle)
        {
            return;
        }

        if (state.Phase == MessagePhase.Request)
        {
            Overlap(part, state, in record);
            state.Phase = MessagePhase.Response;
            state.Answered = true;
            part.State.Facts.ActiveNs += state.WaitingNs;
            state.WaitingNs = 0;
            state.Current.ResponseStartNs = record.TimeNs;
            (state.PausedNs, state.ResponseLateNs) = (0, part.Clocks[1].LateNs(in record));
        }
        else
        {
            state.PausedNs += Paused(part, state, in record, state.Current.ResponseEndNs);
        }

        state.Current.ResponseEndNs = record.TimeNs;
        state.Current.ResponseBytes += record.Length;
        state.Current.LastFrame = record.Frame;
    }

    /// <summary>
    /// The pause of a sender inside its message, nanoseconds: it continues with hardly anything in flight and not because of an ACK, so it had nothing to
    /// send.
    /// </summary>
    private static long Paused(ConnectionPass part, MessageState state, in PacketRecord record, long sentNs)
    {
        int side = record.Side;
        ref SideTiming timing = ref part.Timing[side];
        SideFacts facts = part.State.Facts.Sides[side];
        long gap = record.TimeNs - sentNs;
        // After losses the congestion window can be this small.
        bool lossy = facts.LostBeforeTap + facts.LostBeyondTap + facts.LostDamaged + facts.SpuriousRetransmissions > 0;
        if (lossy || gap <= timing.GuardNs || record.Has(PacketTraits.HoleFill)
            || SequenceNumber.Beyond(state.Next[side], state.Acknowledged[side]) >= 2 * timing.Mss)
        {
            return 0;
        }

        gap -= part.Clocks[side].LateNs(in record);
        long sinceAckNs = record.TimeNs - state.AcknowledgedNs[side] - timing.BaseNs;
        return sinceAckNs > timing.ReleaseNs || sinceAckNs < -timing.BaseNs / 5
            ? Math.Max(0, gap - Math.Max(part.Owners.TimeWithin(sentNs, record.TimeNs), ClosedNs(state, 1 - side, record.TimeNs))) : 0;
    }

    /// <summary>How long a side's window was closed since the other side's last data, nanoseconds: nothing could be sent then.</summary>
    private static long ClosedNs(MessageState state, int side, long untilNs) =>
        state.ClosedForNs[side] + (state.Closed[side] ? Math.Max(0, untilNs - state.ClosedSinceNs[side]) : 0);

    private static void Repaired(MessageState state, in PacketRecord record)
    {
        if (state.Phase == MessagePhase.Request && record.Side == 0)
        {
            (state.Current.RequestEndNs, state.Current.RequestAckNs) = (record.TimeNs, 0);
        }
        else if (state.Phase == MessagePhase.Response && record.Side == 1)
        {
            (state.Current.ResponseEndNs, state.Current.LastFrame) = (record.TimeNs, record.Frame);
        }
    }

    /// <summary>Counts a message that begins before its sender has received the other side's message completely: the two sides do not take turns.</summary>
    private static void Overlap(ConnectionPass part, MessageState state, in PacketRecord record)
    {
        ConnectionFacts facts = part.State.Facts;
        facts.Runs++;
        int other = 1 - record.Side;
        if (state.Started[other] && SequenceNumber.Less(record.Acknowledgement, state.Next[other]))
        {
            facts.OverlappingRuns++;
        }
    }

    private static void Follow(ConnectionPass part, MessageState state, in PacketRecord record)
    {
        int side = record.Side;
        if (record.Length > 0 && (!state.Started[side] || SequenceNumber.Less(state.Next[side], record.End)))
        {
            if (!state.Started[side])
            {
                (state.Started[side], state.Acknowledged[side]) = (true, record.Sequence);
            }

            state.Next[side] = record.End;
            (state.ClosedForNs[1 - side], state.ClosedSinceNs[1 - side]) = (0, record.TimeNs);
        }

        if (record.Has(PacketTraits.Syn) && side == 1)
        {
            // Before a repeated answer the client was still connecting.
            (state.OpenedNs, state.WaitingNs) = (record.TimeNs + part.Timing[0].BaseNs, 0);
        }
        else if (record.Has(PacketTraits.KeepAlive) && side == 0 && state.Phase == MessagePhase.Request && state.Current.RequestBytes <= 1)
        {
            // The first packet of the capture was a keep-alive too.
            state.Phase = MessagePhase.Idle;
        }

        if (record.Has(PacketTraits.Ack))
        {
            Window(state, in record, record.Window == 0 && !record.Has(PacketTraits.Syn | PacketTraits.Rst));
        }

        if (record.Has(PacketTraits.Ack) && state.Started[1 - side] && SequenceNumber.Less(state.Acknowledged[1 - side], record.Acknowledgement))
        {
            (state.Acknowledged[1 - side], state.AcknowledgedNs[1 - side]) = (record.Acknowledgement, record.TimeNs);
            state.ActiveUntilNs = Math.Max(state.ActiveUntilNs, record.TimeNs + part.Timing[1 - side].ShiftNs);
        }
    }

    private static void Window(MessageState state, in PacketRecord record, bool closed)
    {
        int side = record.Side;
        if (closed == state.Closed[side])
        {
            return;
        }

        if (closed)
        {
            state.ClosedSinceNs[side] = record.TimeNs;
        }

        state.ClosedForNs[side] += closed ? 0 : Math.Max(0, record.TimeNs - state.ClosedSinceNs[side]);
        state.Closed[side] = closed;
    }

    /// <summary>Time counts as active while data is outstanding or blocked, or a request waits for its response.</summary>
    private static void Active(ConnectionPass part, MessageState state, in PacketRecord record)
    {
        bool active = (state.Started[0] && SequenceNumber.Less(state.Acknowledged[0], state.Next[0]))
            || (state.Started[1] && SequenceNumber.Less(state.Acknowledged[1], state.Next[1]))
            || state.Closed[0] || state.Closed[1] || (state.Phase == MessagePhase.Request && state.Answered);
        if (record.Has(PacketTraits.ClockAhead))
        {
            (state.ActiveUntilNs, state.WaitingNs, state.OpenedNs) = (0, 0, 0);
            Interrupt(part, state);
        }
        else if (active && state.LastNs != 0)
        {
            part.State.Facts.ActiveNs += Math.Max(0, record.TimeNs - state.LastNs);
        }
        else
        {
            // An ACK that passed the tap has not reached its receiver yet; and data may wait that has not passed the tap.
            long untilNs = Math.Max(state.LastNs, Math.Min(record.TimeNs, state.ActiveUntilNs));
            long counted = untilNs - state.LastNs + (state.LastNs != 0 ? part.Owners.TimeWithin(untilNs, record.TimeNs) : 0);
            part.State.Facts.ActiveNs += counted;
            bool waiting = state.Phase == MessagePhase.Request || (state.OpenedNs != 0 && state.Phase == MessagePhase.Idle && !state.Answered);
            long fromNs = Math.Max(untilNs, state.Phase == MessagePhase.Idle ? state.OpenedNs : untilNs);
            state.WaitingNs += waiting && state.LastNs != 0 ? Math.Max(0, record.TimeNs - state.LastNs - Math.Max(counted, fromNs - state.LastNs)) : 0;
        }

        // Packets that overtook each other count once; after a clock was set back, the time continues from there.
        bool setBack = state.LastNs - record.TimeNs > SetBackNs;
        state.LastNs = setBack ? record.TimeNs : Math.Max(state.LastNs, record.TimeNs);
        state.ActiveUntilNs = setBack ? Math.Min(state.ActiveUntilNs, record.TimeNs) : state.ActiveUntilNs;
    }

    private static void Finish(ConnectionPass part, MessageState state, long nextNs)
    {
        ConnectionFacts facts = part.State.Facts;
        ref Transaction t = ref state.Current;
        t.NextNs = nextNs;
        Span<long> waits = stackalloc long[Stall.Keys];
        state.Carried.CopyTo(waits);
        (long all, long request, long server) = Overlaps(part, in t, waits);
        t.StallNs = all + state.CarriedNs;
        (t.WorstStall, t.WorstStallNs) = t.StallNs > 0 ? Worst(waits) : (-1, 0);
        ref SideTiming atServer = ref part.Timing[1];
        // What was on its way for longer had left its sender sooner.
        long between = t.ResponseStartNs - t.RequestEndNs - server - state.CarriedServerNs - state.ResponseLateNs;
        t.ServerHighNs = Math.Max(0, between - atServer.BaseNs);
        t.ServerLowNs = Math.Max(0, t.ServerHighNs - (2 * atServer.JitterNs) - (state.ResponseLateNs > 0 ? part.Clocks[1].TickNs : 0));
        t.ServerNs = t.ServerHighNs;
        if (t.RequestAckNs > t.RequestEndNs && t.RequestAckNs <= t.ResponseStartNs)
        {
            // The ACK left the server when the request had arrived: the time after it is the server's alone.
            t.ServerNs = Math.Clamp(t.ResponseStartNs - t.RequestAckNs - state.ResponseLateNs, 0, t.ServerHighNs);
            t.ServerLowNs = Math.Min(t.ServerLowNs, t.ServerNs);
        }

        t.ServerInsideNs = Math.Max(0, Math.Min(state.PausedNs, t.DurationNs - t.StallNs - t.ServerNs));
        t.ClientInsideNs = Math.Max(0, Math.Min(state.ClientPausedNs, t.RequestEndNs - t.RequestStartNs - request - state.CarriedRequestNs));
        long betweenOwnedNs = part.Owners.TimeWithin(t.ResponseEndNs, nextNs);
        t.ClientAfterNs = nextNs == 0 ? -1 : Math.Max(0, nextNs - t.ResponseEndNs - part.Timing[0].BaseNs - state.NextLateNs - betweenOwnedNs);
        t.Index = (int)Math.Min(facts.TransactionCount++, int.MaxValue);
        if (facts.Transactions.Count < Math.Min(ConnectionFacts.MostTransactions, part.TransactionsLeft))
        {
            if (t.StallNs > 0)
            {
                KeepWaits(facts, waits);
            }

            facts.Transactions.Add(in t);
        }
        else
        {
            part.Later.Add(facts, in t);
        }

        state.Phase = MessagePhase.Idle;
    }

    /// <summary>Ends an exchange in which the clock jumped ahead: its duration is unknown, unless its response had begun.</summary>
    private static void Interrupt(ConnectionPass part, MessageState state)
    {
        if (state.Phase == MessagePhase.Response)
        {
            Finish(part, state, 0);
        }

        state.Phase = MessagePhase.Idle;
    }

    private static void Carry(ConnectionPass part, MessageState state)
    {
        Transaction open = state.Current;
        open.ResponseEndNs = long.MaxValue;
        open.ResponseStartNs = state.Phase == MessagePhase.Response ? open.ResponseStartNs : long.MaxValue;
        (long all, long request, long server) = Overlaps(part, in open, state.Carried);
        state.CarriedNs += all;
        state.CarriedRequestNs += request;
        state.CarriedServerNs += server;
    }

    /// <summary>The kind of stall that took most of the transaction.</summary>
    private static (int Kind, long Ns) Worst(ReadOnlySpan<long> waits)
    {
        (int worst, long worstNs) = (-1, 0);
        for (int kind = 0; kind < waits.Length / 2; kind++)
        {
            long ns = waits[kind * 2] + waits[(kind * 2) + 1];
            (worst, worstNs) = ns > worstNs ? (kind, ns) : (worst, worstNs);
        }

        return (worst, worstNs);
    }

    private static void KeepWaits(ConnectionFacts facts, ReadOnlySpan<long> waits)
    {
        for (int key = 0; key < waits.Length; key++)
        {
            if (waits[key] > 0)
            {
                facts.Waits.Add(new TransactionWait(facts.Transactions.Count, (byte)key, waits[key]));
            }
        }
    }

    /// <summary>Stall time inside a transaction: in all, within the request, between request and response.</summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="t">The transaction.</param>
    /// <param name="waits">The sums by <see cref="Stall.Key"/>, to which this adds.</param>
    private static (long All, long Request, long Server) Overlaps(ConnectionPass part, in Transaction t, Span<long> waits)
    {
        ref CompactList<Stall> pieces = ref part.Owners.Pieces;
        (long all, long request, long server) = (0, 0, 0);
        for (int at = part.Owners.FirstEndingAfter(t.RequestStartNs); at < pieces.Count && pieces[at].StartNs < t.ResponseEndNs; at++)
        {
            ref Stall piece = ref pieces[at];
            long inside = piece.TimeWithin(t.RequestStartNs, t.ResponseEndNs);
            all += inside;
            request += piece.TimeWithin(t.RequestStartNs, t.RequestEndNs);
            server += piece.TimeWithin(t.RequestEndNs, t.ResponseStartNs);
            waits[piece.Key] += inside;
        }

        return (all, request, server);
    }
}
