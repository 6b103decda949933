using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Copies of data that had arrived: what the receiver says to them, now or later (RFC 2883, RFC 3522, RFC 9293 3.10.7.4).</summary>
internal static class NeedlessCopies
{
    private const int LookAhead = 2000;

    /// <summary>True when the data had arrived: the receiver reports a duplicate, or its ACK cannot be the answer to this copy.</summary>
    public static bool Has(ConnectionPass part, int index, in PacketRecord record)
    {
        Span<PacketRecord> records = part.Records;
        long answerNs = part.Timing[1 - record.Side].BaseNs;
        bool covered = false;
        bool sacks = LossPass.Sacks(part);
        ref LossState loss = ref part.State.Losses[record.Side];
        uint highest = loss.Highest;
        // Where the last new segment begins: while it alone is on its way, no ACK that stays there answers data behind a hole.
        uint last = record.End == highest ? record.Sequence : highest;
        // What the receiver said so long after the copy before, and still without it, shows that the copies before were lost: a quick ACK answers this one.
        // A late ACK of an earlier copy comes among others that were just as late, and not after such a silence.
        bool missing = SequenceNumber.LessOrEqual(loss.Acknowledged, record.Sequence) && record.SinceLastNs >= 0
            && loss.AckNs - (record.TimeNs - record.SinceLastNs) >= TcpConnection.ShortestRtoNs + (2 * answerNs)
            && record.TimeNs - loss.AckNs >= TcpConnection.ShortestRtoNs;
        // An ACK with an older sequence number was overtaken on its way.
        uint peerEnd = 0;
        (int laterCopies, int laterRepeats) = (0, 0);
        (int reported, int repeated) = (0, 0);
        for (int i = index + 1; i < Math.Min(records.Length, index + LookAhead); i++)
        {
            ref PacketRecord later = ref records[i];
            if (later.Side == record.Side)
            {
                bool copy = later.Has(PacketTraits.Retransmission) && SequenceNumber.LessOrEqual(later.Sequence, record.Sequence)
                    && SequenceNumber.LessOrEqual(record.End, later.End);
                laterCopies += copy ? 1 : 0;
                laterRepeats += later.Has(PacketTraits.Retransmission | PacketTraits.KeepAlive | PacketTraits.WindowProbe) ? 1 : 0;
                (highest, last) = later.Length > 0 && SequenceNumber.Less(highest, later.End) ? (later.End, later.Sequence) : (highest, last);
                continue;
            }

            // Each duplicate report stands for one of several copies; the copies sent last are the spurious ones.
            bool report = later.Has(PacketTraits.DuplicateSack) && SequenceNumber.LessOrEqual(later.SackBytes, record.Sequence)
                && SequenceNumber.LessOrEqual(record.End, later.SackRight);
            // Without such reports, a receiver that has everything answers each further copy of anything with the same ACK (RFC 9293 3.10.7.4).
            // Where it has not everything, its SACK blocks would say so (RFC 2018 4).
            peerEnd = peerEnd == 0 || SequenceNumber.Less(peerEnd, later.End) ? later.End : peerEnd;
            bool repeat = covered && later.Sequence == peerEnd && later.IsPureAck && later.Window > 0
                && (sacks || later.Acknowledgement == highest || later.Acknowledgement == last)
                && !later.Has(PacketTraits.Advancing | PacketTraits.WindowUpdate | PacketTraits.Sack | PacketTraits.KeepAlive | PacketTraits.Fin);
            reported += report ? 1 : 0;
            repeated += repeat ? 1 : 0;
            if (reported > laterCopies || repeated > laterRepeats)
            {
                return true;
            }

            if (!covered && later.Has(PacketTraits.Ack) && SequenceNumber.LessOrEqual(record.End, later.Acknowledgement))
            {
                covered = true;
                if (laterCopies == 0 && !missing && (later.Has(PacketTraits.OriginalArrived) || later.TimeNs - record.TimeNs < answerNs * 7 / 10))
                {
                    return true;
                }
            }
        }

        return false;
    }
}
