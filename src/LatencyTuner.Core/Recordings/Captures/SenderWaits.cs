using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>What a sender waited for that let nothing go although the peer's window was open: its congestion window, or its send buffer.</summary>
internal static class SenderWaits
{
    /// <summary>Some servers fill one of their first segments but for a few bytes: a part of a segment.</summary>
    private const int NearlyFull = 16;

    /// <summary>True when nothing but the congestion window explains why data waited for an ACK.</summary>
    public static bool IsAtWindow(ConnectionPass part, int side, in SenderState state, in PacketRecord data, int flight, bool earlier)
    {
        int mss = part.Timing[side].Mss;
        // A full one behind a full one waits for no other reason, also where the one before them was short.
        int least = Math.Min(data.Length, state.SentLength) >= mss ? mss + 1 : (2 * mss) - (mss / NearlyFull);
        return flight >= least && (data.Length >= mss || !state.AckEmptied || earlier) && !part.State.Losses[side].InRecovery
            && !(data.Length < mss && !data.Has(PacketTraits.Fin) && state.SentBehindSmall && part.State.Facts.Sides[side].MayHold)
            && state.RepeatedNs <= state.SilentNs && !state.MayBeAtEdge;
    }

    /// <summary>True when the first ACK after the last data came late beside the receiver: the path did not take that long, so no round trip did.</summary>
    public static bool LateBesideReceiver(ConnectionPass part, int side, in SenderState state)
    {
        const long NearNs = 1_000_000;
        const long LateNs = 20_000_000;
        long nearNs = part.Timing[1 - side].BaseNs;
        return part.Timing[1 - side].BaseKnown && nearNs <= NearNs && state.FirstAckNs - state.SilentNs - nearNs >= LateNs;
    }

    /// <summary>
    /// Counts a wait for the ACK of everything that no window asked for: either less was in flight than a new connection may send (RFC 6928), or an
    /// ACK before the last one let nothing go.
    /// </summary>
    /// <param name="part">The connection.</param>
    /// <param name="side">The sender.</param>
    /// <param name="state">Its state.</param>
    /// <param name="data">What left after the wait.</param>
    /// <param name="waits">False when the sender was idle for too short a time to tell.</param>
    /// <returns>True when as many bytes were sent since the wait before as from that to the one before it.</returns>
    public static bool Drained(ConnectionPass part, int side, ref SenderState state, in PacketRecord data, bool waits)
    {
        SideFacts facts = part.State.Facts.Sides[side];
        int mss = part.Timing[side].Mss;
        int bytes = state.Drained ? SequenceNumber.Beyond(data.Sequence, state.DrainedAt) : 0;
        if (!state.AckEmptied || part.State.Losses[side].InRecovery)
        {
            return false;
        }

        // Segments that all come as long after each other, also over the ACKs, wait for none: the line is full.
        long gaps = Math.Max(1, ((bytes + mss - 1) / mss) - 1);
        bool flows = (data.TimeNs - state.DrainedNs) / (gaps + 1) <= Math.Min(data.TimeNs - state.SentNs, (state.SentNs - state.DrainedNs) / gaps) * 3 / 2;
        // What the peer's application answers piece by piece is a conversation.
        bool conversation = state.PeerDataNs > state.DrainedNs;
        (state.Drained, state.DrainedAt, state.DrainedNs) = (true, data.Sequence, data.TimeNs);
        // A congestion window begins with just so many segments, again after an idle time.
        bool window = bytes == SlowStart.InitialWindow * mss || !(bytes < SlowStart.InitialWindow * mss || state.FirstAckNs < state.AckNs);
        if (!waits || conversation || flows || bytes < 2 * mss || window)
        {
            return false;
        }

        bool again = bytes == facts.DrainBytes;
        (facts.Drains, facts.DrainRepeats, facts.DrainBytes) = (facts.Drains + 1, facts.DrainRepeats + (again ? 1 : 0), bytes);
        facts.StopsAfterRepair |= again && data.TimeNs > facts.FirstRepairNs;
        return again;
    }
}
