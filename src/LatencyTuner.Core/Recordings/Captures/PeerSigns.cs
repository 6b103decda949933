using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>What a peer's packets show while data is sent to it again: that it is there, that it refuses, or that it knows no such connection.</summary>
internal static class PeerSigns
{
    /// <summary>A host that answers with nothing but RSTs without an ACK knew no such connection from the beginning.</summary>
    public static void FindStrangers(ConnectionPass part)
    {
        for (int side = 0; side < 2; side++)
        {
            (bool resets, bool acks) = (false, part.State.Losses[side].AckNs != 0);
            Span<PacketRecord> records = part.Records;
            for (int i = 0; !acks && i < records.Length; i++)
            {
                acks = records[i].Side != side && records[i].Has(PacketTraits.Ack);
                resets |= records[i].Side != side && records[i].Has(PacketTraits.Rst) && !acks;
            }

            part.State.Losses[side].Unknown |= resets && !acks;
        }
    }

    /// <summary>What a peer sends soon after it could hear a retransmission, although it does not acknowledge it, shows that it is still there.</summary>
    public static void Hear(ConnectionPass part, in PacketRecord record)
    {
        const long SoonNs = 1_000_000_000;
        // Of one direction: an end acknowledges when something came.
        ref LossState own = ref part.State.Losses[record.Side];
        own.PeerHeard |= record.IsPureAck && own.Doublings > 0 && part.Connection.Flow(1 - record.Side).Packets == 0;
        // Once both have closed, nobody waits.
        bool waits = !own.Closed || !part.State.Losses[1 - record.Side].Closed;
        if (record.Has(PacketTraits.Rst) && waits && !own.PeerReset && own.Unanswered >= LossState.Several)
        {
            // It gave up, and had waited until then.
            part.State.Facts.Sides[record.Side].GaveUp = true;
            part.Stalls.Add(new Stall(own.SentNs, record.TimeNs, StallKind.LossRto, (byte)record.Side));
        }

        ref LossState loss = ref part.State.Losses[1 - record.Side];
        long sinceNs = record.TimeNs - loss.SentNs;
        bool answers = sinceNs >= Math.Max(LossPass.ShortestPathNs, part.Timing[record.Side].BaseNs) * 9 / 10 && sinceNs <= SoonNs;
        // Beside its end, a RST answers at once.
        bool resets = answers || (part.Timing[record.Side].ShiftNs == 0 && sinceNs >= 0 && sinceNs <= SoonNs);
        loss.Refused |= resets && record.Has(PacketTraits.Rst);
        if (answers && !record.Has(PacketTraits.Rst))
        {
            loss.Hear();
        }
        else if (waits && loss.Unanswered >= LossState.Several && sinceNs > SoonNs && !own.PeerReset && (record.Has(PacketTraits.Rst)
            || (record.Has(PacketTraits.Fin) && SequenceNumber.LessOrEqual(record.Acknowledgement, loss.Acknowledged))))
        {
            // It gave up waiting for the data, and until then its sender waited as well.
            loss.PeerHeard = true;
            part.Stalls.Add(new Stall(loss.SentNs, record.TimeNs, StallKind.LossRto, (byte)(1 - record.Side)));
        }
    }
}
