using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Finds the reason for the time of every ACK, and collects the delays of late ACKs by host.</summary>
internal static class AckPass
{
    private const long LongDelayNs = 100_000_000;

    public static void Run(ConnectionPass part, CapturedHost client, CapturedHost server)
    {
        Span<PacketRecord> records = part.Records;
        for (int i = 0; i < records.Length; i++)
        {
            ref PacketRecord record = ref records[i];
            if (!record.Has(PacketTraits.Advancing))
            {
                continue;
            }

            ref ReceiverState receiver = ref part.State.Receivers[record.Side];
            uint bytes = receiver.Started ? record.Acknowledgement - receiver.Acknowledged : 0;
            (receiver.Started, receiver.Acknowledged) = (true, record.Acknowledgement);
            ref SideTiming timing = ref part.Timing[record.Side];
            int mss = part.Timing[1 - record.Side].Mss;
            AckClass kind = Classify(in record, in timing, ref receiver, bytes, mss);
            if (record.SinceLastNs >= 0 && record.Covered > 0 && !record.Has(PacketTraits.AmbiguousRtt))
            {
                (receiver.AnsweredSentNs, receiver.AnsweredDelayNs) = (record.TimeNs - record.SinceLastNs, record.SinceLastNs - timing.BaseNs);
            }

            part.Acks[i] = kind;
            SideFacts facts = part.State.Facts.Sides[record.Side];
            CapturedHost host = record.Side == 0 ? client : server;
            host.Acks[(int)kind]++;
            if (record.SinceLastNs < 0 || record.Has(PacketTraits.AmbiguousRtt))
            {
                continue;
            }

            part.State.Facts.RoundTrips.Add(record.TimeNs - part.Connection.FirstNs, record.SinceLastNs);
            if (kind is AckClass.Late)
            {
                long delay = record.SinceFirstNs - timing.BaseNs;
                facts.LateAcks++;
                host.AddLate(record.TimeNs, delay);
                if (delay > LongDelayNs)
                {
                    facts.AcksAbove100Ms++;
                    host.AcksAbove100Ms++;
                }
            }
            else if (record.Covered > 0 && !(kind == AckClass.Piggyback && timing.ShiftNs == 0))
            {
                // Beside the host, what an application took to answer says nothing about the path.
                receiver.AddRecent(record.TimeNs, record.SinceLastNs);
            }
        }
    }

    private static AckClass Classify(in PacketRecord record, in SideTiming timing, ref ReceiverState receiver, uint bytes, int mss)
    {
        if (!record.IsPureAck)
        {
            return AckClass.Piggyback;
        }

        if (record.Has(PacketTraits.Forced | PacketTraits.AmbiguousRtt | PacketTraits.Sack))
        {
            return AckClass.Forced;
        }

        if (record.SinceFirstNs < 0 || record.SinceLastNs < 0 || record.Covered == 0 || !timing.BaseKnown || record.Has(PacketTraits.AcksUnseen))
        {
            return AckClass.None;
        }

        bool two = bytes >= 2 * mss || record.Covered >= 2;
        if (two && record.SinceLastNs - timing.BaseNs <= timing.GuardNs)
        {
            return AckClass.SecondSegment;
        }

        long delay = record.SinceFirstNs - timing.BaseNs;
        // When all recent answers were about as slow, the path is slow, and no timer is the reason.
        return delay <= timing.GuardNs ? AckClass.Immediate
            : bytes < 2 * mss && !record.Has(PacketTraits.LeavesReceivedData) && delay - Queued(in record, ref receiver) > timing.GuardNs
                && receiver.RecentMinNs(record.TimeNs) - timing.BaseNs <= delay / 2 ? AckClass.Late
            : AckClass.Unexplained;
    }

    /// <summary>
    /// How long the data may have waited in a queue behind earlier data, nanoseconds. A receiver that delayed the ACK of the earlier data would have
    /// acknowledged both together if this data had arrived meanwhile. Separate ACKs mean that the path delayed this data.
    /// </summary>
    private static long Queued(in PacketRecord record, ref ReceiverState receiver)
    {
        bool meanwhile = receiver.AnsweredSentNs != 0 && record.TimeNs - record.SinceFirstNs - receiver.AnsweredSentNs < receiver.AnsweredDelayNs;
        return meanwhile ? receiver.AnsweredDelayNs : 0;
    }
}

/// <summary>The reason for the time of an ACK; the first that applies.</summary>
internal enum AckClass : byte
{
    /// <summary>Acknowledges nothing new.</summary>
    None,

    /// <summary>Sent with data, SYN, FIN or RST: never caused by a delayed-ACK timer, however late.</summary>
    Piggyback,

    /// <summary>Answers data out of order or sent again: due at once (RFC 5681 4.2).</summary>
    Forced,

    /// <summary>Answers a second segment, or two full ones (RFC 1122 4.2.3.2).</summary>
    SecondSegment,

    /// <summary>A pure ACK without delay.</summary>
    Immediate,

    /// <summary>A pure ACK of a lone segment, later than the path explains: a timer, or something unexplained.</summary>
    Late,

    /// <summary>Later than the path explains, but not by a timer: queueing or scheduling.</summary>
    Unexplained,
}
