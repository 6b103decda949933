using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// Follows one sender in its own view of time: the peer's packets are used at the time they reached the sender, as if the tap were there.
/// Finds what each of its segments waited for: Nagle's algorithm, the peer's window, the congestion window, the send buffer.
/// </summary>
internal static class SenderPass
{
    public static void Run(ConnectionPass part, int side)
    {
        Span<PacketRecord> records = part.Records;
        ref SenderState state = ref part.State.Senders[side];
        long shift = part.Timing[side].ShiftNs;
        part.Chances.Clear();
        part.Piggybacked.Clear();
        int peer = 0;
        WindowSeen window = new(side);
        for (int i = 0; i < records.Length; i++)
        {
            if (records[i].Side != side)
            {
                state.PeerReset = records[i].Has(PacketTraits.Rst);
                continue;
            }

            while (peer < i && (records[peer].Side == side || records[peer].TimeNs + shift <= records[i].TimeNs))
            {
                Hear(part, side, ref state, ref peer, peer + 1);
            }

            if (records[i].Has(PacketTraits.WindowProbe) || (records[i].Has(PacketTraits.KeepAlive) && state.ClosedNs != 0))
            {
                state.Probe(records[i].TimeNs);
            }
            else if (records[i].Has(PacketTraits.Retransmission) && records[i].TimeNs - state.SentNs >= TcpConnection.ShortestRtoNs)
            {
                state.RepeatedNs = records[i].TimeNs;
            }
            else if (records[i].Has(PacketTraits.NewData))
            {
                if (shift > 0 && !state.PeerReset)
                {
                    window.Released(part, ref state, in records[i]);
                }

                // An ACK of the small data may have reached the sender sooner.
                Hear(part, side, ref state, ref peer, ArrivedBy(part, side, in state, peer, i));

                SenderData.Add(part, side, ref state, in records[i]);
            }
        }

        Hear(part, side, ref state, ref peer, records.Length);
        NagleHoldFilter.Judge(part, side);
    }

    /// <summary>The peer's packets up to an index have reached the sender.</summary>
    private static void Hear(ConnectionPass part, int side, ref SenderState state, ref int peer, int end)
    {
        for (; peer < end; peer++)
        {
            if (part.Records[peer].Side != side)
            {
                SenderAcks.Add(part, ref state, peer);
            }
        }
    }

    /// <summary>The index behind the first ACK of all small data that may have arrived before this small segment left; 0 without one.</summary>
    private static int ArrivedBy(ConnectionPass part, int side, in SenderState state, int peer, int index)
    {
        ref PacketRecord data = ref part.Records[index];
        bool waits = data.Length < part.Timing[side].Mss && state.AnySmall && SequenceNumber.Less(state.Acknowledged, state.SmallEnd);
        for (int i = peer; waits && i < index && part.Records[i].TimeNs + part.Timing[side].SoonestNs <= data.TimeNs; i++)
        {
            ref PacketRecord ack = ref part.Records[i];
            if (ack.Side != side && ack.Has(PacketTraits.Ack) && SequenceNumber.LessOrEqual(state.SmallEnd, ack.Acknowledgement))
            {
                return i + 1;
            }
        }

        return 0;
    }

    /// <summary>After the connection's last part: counts a window that stayed closed until the end while the sender probed it.</summary>
    public static void End(ConnectionPass part, int side)
    {
        ref SenderState state = ref part.State.Senders[side];
        long sinceNs = state.WaitedSinceNs(state.ClosedNs);
        long closedNs = part.Connection.LastNs - sinceNs;
        if (state.ClosedNs == 0 || !state.Probed || closedNs <= 0)
        {
            return;
        }

        SideFacts facts = part.State.Facts.Sides[side];
        (facts.ZeroWindows, facts.IsWindowStillClosed) = (facts.ZeroWindows + 1, true);
        facts.LongestZeroWindowNs = Math.Max(facts.LongestZeroWindowNs, closedNs);
        part.Stalls.Add(new Stall(sinceNs, part.Connection.LastNs, StallKind.ZeroWindow, (byte)side));
    }
}
