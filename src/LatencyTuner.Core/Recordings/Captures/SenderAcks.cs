using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>What an ACK shows the sender: which data arrived, and how much more it may send.</summary>
internal static class SenderAcks
{
    /// <summary>Takes over a packet of the peer.</summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="state">The sender.</param>
    /// <param name="index">The index of the packet.</param>
    public static void Add(ConnectionPass part, ref SenderState state, int index)
    {
        ref readonly PacketRecord ack = ref part.Records[index];
        AckClass kind = part.Acks[index];
        Gap(ref state, in ack);
        // Data that was lost reaches the sender when it is sent again.
        if (ack.Length > 0 && (ack.Has(PacketTraits.NewData | PacketTraits.HoleFill) || part.Needed[index]))
        {
            (state.PeerFirstNs, state.PeerFirstEnd) = state.PeerSince ? (state.PeerFirstNs, state.PeerFirstEnd) : (ack.TimeNs, ack.End);
            state.PeerMessageEnd = state.PeerSince && state.PeerPushed ? state.PeerMessageEnd : ack.End;
            state.PeerPushed = (state.PeerSince && state.PeerPushed) || ack.Has(PacketTraits.Psh);
            (state.PeerDataNs, state.PeerEnd, state.PeerSince) = (ack.TimeNs, ack.End, true);
        }

        if (!ack.Has(PacketTraits.Ack) || ack.Has(PacketTraits.Rst))
        {
            return;
        }

        int room = Room(ref state);
        if (!state.Started || !state.AckKnown)
        {
            (state.AckKnown, state.Acknowledged) = (true, ack.Acknowledgement);
            state.Next = state.Started ? state.Next : ack.Acknowledgement;
        }
        else if (SequenceNumber.Less(state.Acknowledged, ack.Acknowledgement))
        {
            state.FlightBefore = SequenceNumber.Beyond(state.Next, state.Acknowledged);
            state.SlowStart.Acknowledged(state.FlightBefore);
            if (state.Answered)
            {
                (state.FirstAckNs, state.FlightBeforeFirst) = (ack.TimeNs, state.FlightBefore);
            }

            int bytes = SequenceNumber.Beyond(ack.Acknowledgement, state.Acknowledged);
            Train(part, ref state, in ack);
            state.SmallBefore = state.AnySmall && SequenceNumber.Less(state.Acknowledged, state.SmallEnd);
            state.Acknowledged = ack.Acknowledgement;
            state.AckEmptied = SequenceNumber.LessOrEqual(state.Next, ack.Acknowledgement);
            (state.AckPure, state.AckSequence, state.AckTimestamp) = (ack.IsPureAck, ack.Sequence, ack.TimestampValue);
            state.AckLate = kind == AckClass.Late;
            state.AckDelayNs = ack.IsSentAgain ? 0 : Math.Max(0, ack.SinceFirstNs - part.Timing[ack.Side].BaseNs);
            state.AckQueuedNs = ack.SinceLastNs < 0 || ack.Has(PacketTraits.AmbiguousRtt) ? 0 : Math.Max(0, ack.SinceLastNs - part.Timing[ack.Side].BaseNs);
            state.AckStretchUnsure = kind == AckClass.MaybeStretched;
            (state.AckStretchedNs, state.AckDueNs) = kind is AckClass.Stretched or AckClass.MaybeStretched ? Stretched(part, in state, in ack, bytes) : (0, 0);
            (state.AckNs, state.AckFrame, state.RoomBefore, state.Answered) = (ack.TimeNs, ack.Frame, room, false);
        }
        else if (SequenceNumber.Less(ack.Acknowledgement, state.Acknowledged))
        {
            return;
        }

        Window(part, ref state, in ack);
    }

    /// <summary>
    /// How long the peer held an ACK of several segments, at least 1, and how long ago a prompt ACK of the same burst would have come, nanoseconds. The path
    /// carries a burst while the ACK of its beginning travels, so that with prompt ACKs the sender would have waited for the longer of the two.
    /// </summary>
    private static (long HeldNs, long DueNs) Stretched(ConnectionPass part, in SenderState state, in PacketRecord ack, int bytes)
    {
        long path = part.Timing[0].BaseNs + part.Timing[1].BaseNs;
        long carried = (long)(part.State.Receivers[ack.Side].CarriedNsPerByte * bytes);
        long dueNs = state.AckDelayNs - Math.Max(0, carried - path);
        return (Math.Max(1, Math.Min(ack.SinceLastNs - part.Timing[ack.Side].BaseNs + Math.Min(carried, path), dueNs)), dueNs);
    }

    /// <summary>
    /// Notes how fast the path delivers: ACKs that follow each other within a third of a round trip leave the receiver as the data arrives. Those right behind
    /// one that the receiver held leave together.
    /// </summary>
    private static void Train(ConnectionPass part, ref SenderState state, in PacketRecord ack)
    {
        const int Most = 256;
        long sinceNs = ack.TimeNs - state.AckNs;
        if (sinceNs <= 0 || state.AckLate || state.AckStretchedNs > 0 || 3 * sinceNs > part.Timing[0].BaseNs + part.Timing[1].BaseNs)
        {
            return;
        }

        SideFacts facts = part.State.Facts.Sides[1 - ack.Side];
        if (facts.WindowReleases + facts.SendBufferWaits + facts.Drains > 0 && facts.Delivered.Count < Most)
        {
            int bytes = SequenceNumber.Beyond(ack.Acknowledgement, state.Acknowledged);
            facts.Delivered.Add(((float)sinceNs / bytes, bytes));
        }
    }

    /// <summary>Notes bytes of either end that were never captured before a packet.</summary>
    public static void Gap(ref SenderState state, in PacketRecord record)
    {
        if (record.Has(PacketTraits.AcksUnseen | PacketTraits.CaptureGap))
        {
            state.GapNs = record.TimeNs;
        }
    }

    /// <summary>Bytes that still fit into the peer's window.</summary>
    public static int Room(ref SenderState state) => state.WindowKnown ? SequenceNumber.Beyond(state.WindowRight, state.Next) : int.MaxValue;

    private static void Window(ConnectionPass part, ref SenderState state, in PacketRecord ack)
    {
        state.LargestWindow = Math.Max(state.LargestWindow, ack.Window);
        uint right = ack.Acknowledgement + ack.Window;
        if (ack.Window == 0 && state.ClosedNs == 0 && !ack.Has(PacketTraits.Syn))
        {
            (state.ClosedNs, state.Probed) = (ack.TimeNs, state.OpenedNs != 0 && state.Probed);
            (state.FirstProbeNs, state.ProbesApartNs) = (0, 0);
        }
        else if (ack.Window > 0 && state.ClosedNs != 0)
        {
            (state.ClosedForNs, state.OpenedNs) = (ack.TimeNs - state.ClosedNs, ack.TimeNs);
            state.ClosedNs = 0;
        }

        if (!state.WindowKnown || SequenceNumber.Less(state.WindowRight, right))
        {
            int room = Room(ref state);
            (state.WindowKnown, state.WindowRight) = (true, right);
            // A raise that leaves less than a segment lets nothing go: the wait lasts until the next one.
            if (state.LimitedNs != 0 && (state.RaisedNs == 0 || room < Least(part, 1 - ack.Side, ref state)))
            {
                state.LimitedRoom = room;
                state.RaisedByReader = ack.Has(PacketTraits.WindowUpdate) && ack.Acknowledgement == state.Next && ack.TimeNs - state.AckNs >= LateReadNs(part);
                (state.LimitedStartNs, state.RaisedNs) = (state.LimitedNs, ack.TimeNs + part.Timing[1 - ack.Side].ShiftNs);
            }

            if (Room(ref state) >= Least(part, 1 - ack.Side, ref state))
            {
                state.LimitedNs = 0;
            }
        }
    }

    /// <summary>An application that reads what comes leaves nothing in its buffer for so long, nanoseconds: ten round trips of a short path.</summary>
    /// <param name="part">The part of the connection.</param>
    public static long LateReadNs(ConnectionPass part) => Math.Clamp(10 * (part.Timing[0].BaseNs + part.Timing[1].BaseNs), 2_000_000, 10_000_000);

    /// <summary>
    /// True when a window of unknown scale explains nothing: the data answers what the peer sent, or what had been sent before did not end just where the
    /// window ends. The smallest scale that lets the data in always makes a window look nearly full.
    /// </summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="side">The sender.</param>
    /// <param name="state">The sender's state.</param>
    /// <param name="room">What fitted into the window before the ACK, bytes.</param>
    public static bool Unexplained(ConnectionPass part, int side, ref SenderState state, int room)
    {
        bool scaleKnown = part.Connection.Flow(1 - side).ScaleKnown(in part.Connection.Flow(side));
        return !scaleKnown && (room != 0 || state.PeerDataNs > state.SentNs);
    }

    /// <summary>The smallest segment, in bytes, that a sender sends while it waits for the window (RFC 1122 4.2.3.4).</summary>
    public static long Least(ConnectionPass part, int side, ref SenderState state) => Math.Min(part.Timing[side].Mss, Math.Max(state.LargestWindow / 2, 1));
}
