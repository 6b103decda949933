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
        RepeatedAcks held = default;
        // When the first segment above the newest ACK was sent; MinValue while that is unknown.
        long aboveNs = long.MinValue;
        (long copyNs, long standstillNs) = (record.TimeNs, 0);
        bool silent = true;
        // Whether the ACK that covers the copy stops at its end, below what was sent before the copy; and when what follows was sent again.
        bool below = SequenceNumber.Less(record.End, highest);
        (bool exact, long nextNs) = (false, 0);
        for (int i = index + 1; i < Math.Min(records.Length, index + LookAhead); i++)
        {
            ref PacketRecord later = ref records[i];
            if (later.Side == record.Side)
            {
                bool copy = later.Has(PacketTraits.Retransmission) && SequenceNumber.LessOrEqual(later.Sequence, record.Sequence)
                    && SequenceNumber.LessOrEqual(record.End, later.End);
                laterCopies += copy ? 1 : 0;
                copyNs = copy ? later.TimeNs : copyNs;
                nextNs = nextNs == 0 && SequenceNumber.LessOrEqual(later.Sequence, record.End) && SequenceNumber.Less(record.End, later.End)
                    ? later.TimeNs : nextNs;
                laterRepeats += later.Has(PacketTraits.Retransmission | PacketTraits.KeepAlive | PacketTraits.WindowProbe) ? 1 : 0;
                if (later.Length > 0 && SequenceNumber.Less(highest, later.End))
                {
                    (highest, last, aboveNs) = (later.End, later.Sequence, Math.Min(aboveNs, later.TimeNs));
                }

                continue;
            }

            // Each duplicate report stands for one of several copies; the copies sent last are the spurious ones.
            bool report = later.Has(PacketTraits.DuplicateSack) && SequenceNumber.LessOrEqual(later.SackBytes, record.Sequence)
                && SequenceNumber.LessOrEqual(record.End, later.SackRight);
            // Without such reports, a receiver that has everything answers each further copy of anything with the same ACK (RFC 9293 3.10.7.4).
            // Where it has not everything, its SACK blocks would say so (RFC 2018 4).
            peerEnd = peerEnd == 0 || SequenceNumber.Less(peerEnd, later.End) ? later.End : peerEnd;
            bool repeat = covered && later.Sequence == peerEnd && later.IsPureAck && later.Window > 0
                && !later.Has(PacketTraits.Advancing | PacketTraits.WindowUpdate | PacketTraits.Sack | PacketTraits.KeepAlive | PacketTraits.Fin);
            aboveNs = !later.Has(PacketTraits.Advancing) ? aboveNs : later.Acknowledgement == highest ? long.MaxValue : long.MinValue;
            // No hole can have been reported yet by what was sent less than a round trip ago.
            bool recent = aboveNs != long.MinValue && (aboveNs == long.MaxValue || later.TimeNs - aboveNs < answerNs * 7 / 10);
            bool whole = sacks || later.Acknowledgement == highest || later.Acknowledgement == last || recent;
            reported += report ? 1 : 0;
            repeated += repeat && whole ? 1 : 0;
            if (reported > laterCopies || repeated > laterRepeats)
            {
                return true;
            }

            if (repeat && !whole)
            {
                held.Add(highest, laterRepeats);
            }
            else if (later.Has(PacketTraits.Advancing) && held.Answers(in later, out int answers))
            {
                repeated += answers;
                if (repeated > held.Repeats)
                {
                    return true;
                }
            }

            // Had the copy filled a hole, its ACK would have covered what had arrived behind it.
            if (exact && SequenceNumber.Less(record.End, later.Acknowledgement))
            {
                if (nextNs == 0 || later.TimeNs - nextNs < answerNs * 9 / 10)
                {
                    return true;
                }

                exact = false;
            }

            // Both ends repeat their data, and the answer comes within a round trip of the peer's copy, but long after this one: the path stood still.
            standstillNs = silent && later.Has(PacketTraits.Retransmission) && later.Acknowledgement == record.Sequence && later.TimeNs - copyNs >= 2 * answerNs
                ? later.TimeNs : standstillNs;
            silent = false;

            if (!covered && later.Has(PacketTraits.Ack) && SequenceNumber.LessOrEqual(record.End, later.Acknowledgement))
            {
                (covered, exact) = (true, below && later.Acknowledgement == record.End);
                if (standstillNs > 0 && later.TimeNs - standstillNs <= answerNs)
                {
                    return true;
                }

                if (laterCopies == 0 && !missing && (later.Has(PacketTraits.OriginalArrived) || later.TimeNs - record.TimeNs < answerNs * 9 / 10))
                {
                    return true;
                }
            }
        }

        return false;
    }

    /// <summary>
    /// ACKs that repeat a number in the middle of what is on its way, from a receiver without SACK. Either a hole is there, and then the ACK that fills it
    /// covers, at once, each segment that such an ACK answered; or they answer copies (RFC 9293 3.10.7.4), which is certain where they are more than the
    /// segments above.
    /// </summary>
    private struct RepeatedAcks
    {
        private int _count;
        private int _covered;
        private int _beyond;
        private uint _highest;

        /// <summary>Segments that were sent again until the last of these ACKs.</summary>
        public int Repeats { get; private set; }

        public void Add(uint highest, int repeats)
        {
            (_count, _highest, Repeats) = (_count + 1, highest, repeats);
        }

        /// <summary>True when everything is acknowledged that was on its way at the last of these ACKs: the number of them that answered copies.</summary>
        public bool Answers(in PacketRecord advance, out int answers)
        {
            answers = 0;
            if (_count == 0)
            {
                return false;
            }

            _covered += advance.Covered;
            _beyond += Math.Max(0, advance.Covered - 1);
            if (SequenceNumber.Less(advance.Acknowledgement, _highest))
            {
                return false;
            }

            answers = _count > _covered ? _count - _beyond : 0;
            (_count, _covered, _beyond) = (0, 0, 0);
            return true;
        }
    }
}
