using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Copies of data that had arrived: what the receiver says to them, now or later (RFC 2883, RFC 3522, RFC 9293 3.10.7.4).</summary>
internal static class NeedlessCopies
{
    private const int LookAhead = 2000;

    /// <summary>True when the data had arrived: the receiver reports a duplicate, or its ACK cannot be the answer to this copy.</summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="index">The copy.</param>
    /// <param name="record">The same.</param>
    /// <param name="answerLost">
    /// True when an answer was lost at least, the data perhaps not: nothing answered this copy, and the receiver reports each one behind it as a duplicate;
    /// or the receiver sent packets meanwhile that never came, by its numbers.
    /// </param>
    public static bool Has(ConnectionPass part, int index, in PacketRecord record, out bool answerLost)
    {
        Span<PacketRecord> later = part.Records[(index + 1)..Math.Min(part.Records.Length, index + LookAhead)];
        ref LossState loss = ref part.State.Losses[record.Side];
        long pathNs = part.Timing[1 - record.Side].BaseNs;
        ref PacketNumbers peer = ref part.State.Losses[1 - record.Side].Numbers;
        bool needless = IsAnswered(later, in record, in loss, part.Clocks[1 - record.Side], pathNs, LossPass.Sacks(part), out answerLost)
            || FilledNoHole(later, in record, loss.Highest, pathNs) || StoodStill(later, in record, pathNs) || EachAnswered(later, in record, in loss, in peer);
        answerLost |= !needless && Lacks(later, in record, in peer);
        return needless;
    }

    /// <summary>True when the numbers of the receiver's packets are known that it sent since the original.</summary>
    private static bool CountsSince(in PacketRecord record, in PacketNumbers peer, int fewest) =>
        peer.AreOneByOne(fewest) && record.SinceFirstNs >= 0 && peer.LastNs < record.TimeNs - record.SinceFirstNs;

    /// <summary>True when numbers are missing of what the receiver sent between the original and its first packet behind the copy, which answers it.</summary>
    private static bool Lacks(Span<PacketRecord> records, in PacketRecord record, in PacketNumbers peer)
    {
        const int Fewest = 5;
        const int Most = 64;
        int first = 0;
        while (first < records.Length && records[first].Side == record.Side)
        {
            first++;
        }

        return CountsSince(in record, in peer, Fewest) && first < records.Length && Covers(in records[first], in record)
            && (ushort)(records[first].IpId - peer.LastId) is > 1 and < Most;
    }

    /// <summary>
    /// True when the numbers of the receiver's packets show one answer for each time that the data was sent, all but the last of which were lost: it had
    /// arrived each time (RFC 9293 3.10.7.4). Nothing else that was sent meanwhile asks for an answer.
    /// </summary>
    private static bool EachAnswered(Span<PacketRecord> records, in PacketRecord record, in LossState loss, in PacketNumbers peer)
    {
        const int Fewest = 10;
        int sent = record.Covered + 1;
        if (!CountsSince(in record, in peer, Fewest) || record.Sequence != loss.Acknowledged || record.End != loss.Highest)
        {
            return false;
        }

        foreach (ref PacketRecord later in records)
        {
            if (later.Side != record.Side)
            {
                return later.IsPureAck && Covers(in later, in record) && (ushort)(later.IpId - peer.LastId) == sent;
            }

            if (later.Length > 0 && !IsCopy(in later, in record))
            {
                return false;
            }

            sent += later.Length > 0 ? 1 : 0;
        }

        return false;
    }

    /// <summary>An ACK that comes sooner answers what was sent before, nanoseconds; the shortest time may have been measured a little too long.</summary>
    private static long SoonestNs(long pathNs) => pathNs * 9 / 10;

    private static bool IsCopy(in PacketRecord later, in PacketRecord record) => later.Has(PacketTraits.Retransmission)
        && SequenceNumber.LessOrEqual(later.Sequence, record.Sequence) && SequenceNumber.LessOrEqual(record.End, later.End);

    private static bool Covers(in PacketRecord later, in PacketRecord record) =>
        later.Has(PacketTraits.Ack) && SequenceNumber.LessOrEqual(record.End, later.Acknowledgement);

    /// <summary>
    /// True when the receiver reports or answers one copy more than were sent after this one, or acknowledges sooner than it can answer this one: also by the
    /// clock of its timestamps, however long the path then held the ACK.
    /// </summary>
    private static bool IsAnswered(
        Span<PacketRecord> records, in PacketRecord record, in LossState loss, SenderClock clock, long pathNs, bool sacks, out bool answerLost)
    {
        answerLost = false;
        (bool covered, int copiesBefore) = (false, 0);
        uint highest = loss.Highest;
        // Where the last new segment begins: while it alone is on its way, no ACK that stays there answers data behind a hole.
        uint last = record.End == highest ? record.Sequence : highest;
        // What the receiver said so long after the copy before, and still without it, shows that the copies before were lost: a quick ACK answers this one.
        // A late ACK of an earlier copy comes among others that were just as late, and not after such a silence.
        bool missing = SequenceNumber.LessOrEqual(loss.Acknowledged, record.Sequence) && record.SinceLastNs >= 0
            && loss.AckNs - (record.TimeNs - record.SinceLastNs) >= TcpConnection.ShortestRtoNs + (2 * pathNs)
            && record.TimeNs - loss.AckNs >= TcpConnection.ShortestRtoNs;
        // That an ACK of a copy sent so much earlier comes just within a round trip of this one would be chance; a path can be quicker than it was seen.
        const int Rare = 100;
        const int Seldom = 8;
        const long SeldomNs = 1_000_000_000;
        long soonestNs = record.SinceLastNs >= Rare * pathNs ? pathNs / 3 : record.SinceLastNs >= Math.Max(Seldom * pathNs, SeldomNs) ? pathNs * 3 / 4
            : SoonestNs(pathNs);
        // An ACK with an older sequence number was overtaken on its way.
        uint peerEnd = 0;
        (int laterCopies, int laterRepeats) = (0, 0);
        (int reported, int repeated) = (0, 0);
        RepeatedAcks inside = default;
        // Where the last packet of the copy begins, once an ACK stops there: an ACK of the copy would cover all of it.
        uint before = record.Sequence;
        // When the first segment above the newest ACK was sent: long ago, unless it was seen.
        const long LongAgo = long.MinValue / 2;
        long aboveNs = LongAgo;
        foreach (ref PacketRecord later in records)
        {
            if (later.Side == record.Side)
            {
                laterCopies += IsCopy(in later, in record) ? 1 : 0;
                laterRepeats += later.Has(PacketTraits.Retransmission | PacketTraits.KeepAlive | PacketTraits.WindowProbe) ? 1 : 0;
                if (later.Length > 0 && SequenceNumber.Less(highest, later.End))
                {
                    (highest, last, aboveNs) = (later.End, later.Sequence, Math.Min(aboveNs, later.TimeNs));
                }

                continue;
            }

            if (later.Has(PacketTraits.Advancing))
            {
                aboveNs = later.Acknowledgement == highest ? long.MaxValue : LongAgo;
            }

            // Each duplicate report stands for one of several copies; the copies sent last are the spurious ones.
            bool report = later.Has(PacketTraits.DuplicateSack) && SequenceNumber.LessOrEqual(record.End, later.SackRight)
                && (SequenceNumber.LessOrEqual(later.SackBytes, record.Sequence) || (before != record.Sequence && later.SackRight == record.End));
            // Without such reports, a receiver that has everything answers each further copy of anything with the same ACK (RFC 9293 3.10.7.4).
            peerEnd = peerEnd == 0 || SequenceNumber.Less(peerEnd, later.End) ? later.End : peerEnd;
            bool repeat = covered && later.Sequence == peerEnd && later.IsPureAck && later.Window > 0
                && !later.Has(PacketTraits.Advancing | PacketTraits.WindowUpdate | PacketTraits.Sack | PacketTraits.KeepAlive | PacketTraits.Fin);
            // Where it has not everything, its SACK blocks would say so (RFC 2018 4), and what was sent just now cannot have shown it a hole.
            bool whole = sacks || later.Acknowledgement == highest || later.Acknowledgement == last || later.TimeNs - aboveNs < SoonestNs(pathNs);
            reported += report ? 1 : 0;
            repeated += repeat && whole ? 1 : 0;
            if (reported > laterCopies || repeated > laterRepeats)
            {
                return true;
            }

            if (repeat && !whole)
            {
                inside.Add(highest, laterRepeats);
            }
            else if (later.Has(PacketTraits.Advancing) && inside.Answers(in later, out int answers))
            {
                repeated += answers;
                if (repeated > inside.Repeats)
                {
                    return true;
                }
            }

            // What stops inside the copy stops where one of the first packets ended.
            if (!covered && later.Has(PacketTraits.Ack) && SequenceNumber.Less(record.Sequence, later.Acknowledgement))
            {
                covered = Covers(in later, in record);
                copiesBefore = laterCopies;
                before = laterCopies > 0 || (covered && later.Covered > 1) ? record.Sequence : covered ? before : later.Acknowledgement;
                bool shown = (later.Has(PacketTraits.FirstArrived) && !later.Has(PacketTraits.HoleFill))
                    || (laterCopies == 0 && (later.Has(PacketTraits.OriginalArrived)
                        || (!missing && later.TimeNs - clock.LateNs(in later) - record.TimeNs < soonestNs)));
                if (shown)
                {
                    return true;
                }
            }
        }

        answerLost = covered && laterCopies > 0 && reported == laterCopies && copiesBefore == laterCopies;
        return false;
    }

    /// <summary>
    /// True when the ACK of the copy stops at its end, and the next one covers what had been sent before the copy, sooner than a second copy of that could
    /// be answered: had the copy filled a hole, its ACK would have covered what had arrived behind it (RFC 5682 2.1).
    /// </summary>
    private static bool FilledNoHole(Span<PacketRecord> records, in PacketRecord record, uint highest, long pathNs)
    {
        if (!SequenceNumber.Less(record.End, highest))
        {
            return false;
        }

        (bool covered, long nextNs) = (false, 0);
        foreach (ref PacketRecord later in records)
        {
            if (later.Side == record.Side)
            {
                bool next = SequenceNumber.LessOrEqual(later.Sequence, record.End) && SequenceNumber.Less(record.End, later.End);
                nextNs = nextNs == 0 && next ? later.TimeNs : nextNs;
            }
            else if (Covers(in later, in record))
            {
                if (later.Acknowledgement != record.End)
                {
                    return covered && (nextNs == 0 || later.TimeNs - nextNs < SoonestNs(pathNs));
                }

                covered = true;
            }
        }

        return false;
    }

    /// <summary>
    /// True when nothing came from the peer after the copy, for two round trips and more, but a copy of its own, and the ACK within a round trip of that:
    /// both ends had repeated their data while the path stood still.
    /// </summary>
    private static bool StoodStill(Span<PacketRecord> records, in PacketRecord record, long pathNs)
    {
        (long copyNs, long peerNs) = (record.TimeNs, 0);
        foreach (ref PacketRecord later in records)
        {
            if (later.Side == record.Side)
            {
                copyNs = IsCopy(in later, in record) ? later.TimeNs : copyNs;
            }
            else if (Covers(in later, in record))
            {
                return peerNs != 0 && later.TimeNs - peerNs <= pathNs;
            }
            else if (peerNs == 0)
            {
                if (!later.Has(PacketTraits.Retransmission) || later.TimeNs - copyNs < 2 * pathNs)
                {
                    return false;
                }

                peerNs = later.TimeNs;
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
