using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>What data that was sent again shows of its reason: an ACK asked for it, or a timer ended.</summary>
internal static class RepairSigns
{
    /// <summary>The shortest tail-loss probe: two ticks of a kernel's timer of 1 ms, nanoseconds.</summary>
    public const long ShortestTimerNs = 2_000_000;

    /// <summary>A TLS alert, encrypted, is shorter (RFC 8446 6), bytes.</summary>
    public const long GoodbyeBytes = 64;

    /// <summary>A timer that doubles so often without any sign of the peer: the path was interrupted, or the peer stood still.</summary>
    private const int LongRun = 3;

    /// <summary>
    /// True when the same data was sent a third time and no packet of the receiver came since the second: nothing but a timer repeats it then, because a
    /// retransmission by duplicate ACKs or SACK blocks needs an ACK (RFC 6675 5).
    /// </summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="record">What was sent again.</param>
    /// <param name="loss">The state of its sender.</param>
    public static bool Unasked(ConnectionPass part, in PacketRecord record, in LossState loss) =>
        record.Covered > 1 && record.SinceLastNs >= ShortestTimerNs && loss.AckNs < record.TimeNs - record.SinceLastNs
        && part.Connection.Flow(1 - record.Side).PureAcks > 0;

    /// <summary>
    /// True for a copy that no sender makes: nothing told it of a loss, and no timer ends so early (RFC 8985 7.2). The capture shows the packet again, or
    /// a device on the path has cut it anew.
    /// </summary>
    public static bool IsTooEarly(in PacketRecord record, in LossState loss) =>
        record.SinceFirstNs >= 0 && record.SinceFirstNs < ShortestTimerNs && loss.DuplicateAcks == 0 && !loss.SackSeen && !loss.InRecovery
        && !record.Has(PacketTraits.TooBig);

    /// <summary>
    /// True for a packet that came before: what is sent again has another timestamp, and from most systems another IP identification. A device on the link
    /// forwards it, perhaps padded, and the capture shows it at several places.
    /// </summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="index">The packet.</param>
    public static bool IsSamePacket(ConnectionPass part, int index)
    {
        const int Far = 64;
        PacketRecord copy = part.Records[index];
        for (int i = index - 1; copy.IpId != 0 && copy.TimestampValue != 0 && i >= Math.Max(0, index - Far); i--)
        {
            ref PacketRecord other = ref part.Records[i];
            if (other.Side == copy.Side && other.IpId == copy.IpId && other.TimestampValue == copy.TimestampValue && other.Sequence == copy.Sequence)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>
    /// True for what fills a hole when the same data comes once more in a packet that its sender had sent before: the original, which the path held up. By
    /// their timestamps, or by their IP identifications.
    /// </summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="index">What fills the hole.</param>
    public static bool IsFollowedByItsOriginal(ConnectionPass part, int index)
    {
        const long LatestNs = 1_000_000_000;
        const int Near = 64;
        const int Far = 512;
        PacketRecord fill = part.Records[index];
        for (int i = index + 1; i < Math.Min(part.Records.Length, index + Far) && part.Records[i].TimeNs - fill.TimeNs <= LatestNs; i++)
        {
            ref PacketRecord other = ref part.Records[i];
            if (other.Side != fill.Side || other.Length == 0 || SequenceNumber.Less(other.Sequence, fill.Sequence)
                || !SequenceNumber.LessOrEqual(other.End, fill.End))
            {
                continue;
            }

            bool stamped = fill.TimestampValue != 0 && other.TimestampValue != 0;
            return stamped ? SequenceNumber.Less(other.TimestampValue, fill.TimestampValue)
                : fill.IpId != 0 && other.IpId != 0 && (ushort)(fill.IpId - other.IpId) is > 0 and <= Near;
        }

        return false;
    }

    /// <summary>The number of segments in a packet, at least 1: the capturing host may have joined several, or not yet parted them.</summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="record">The packet.</param>
    public static int SegmentsIn(ConnectionPass part, in PacketRecord record)
    {
        // As large as their receiver takes them. Without a handshake the longest packet may be several.
        int mss = part.Timing[record.Side].Mss;
        mss = part.Connection.KnowsMss || part.Connection.ClientAddress == part.Connection.ServerAddress
            ? Math.Max(mss, part.Connection.Flow(1 - record.Side).Mss) : Math.Min(mss, SentData.EthernetMss);
        mss = Math.Max(1, mss);
        return Math.Max(1, (record.Length + mss - 1) / mss);
    }

    /// <summary>The number of segments that were lost of what a packet repairs, at least 1: as many as it has, or as the holes that it fills.</summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="record">The packet.</param>
    public static int LossesIn(ConnectionPass part, in PacketRecord record) =>
        Math.Max(SegmentsIn(part, in record), record.Has(PacketTraits.HoleFill) && !record.Has(PacketTraits.Sack) ? (int)record.SackBytes : 0);

    /// <summary>
    /// True beside a sender for a tail-loss probe: the first repair is of the last data, although what is below it is missing, too, and comes after more
    /// than a round trip of silence. What ACKs ask for begins at the first missing byte (RFC 6675 5).
    /// </summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="record">What was sent again.</param>
    /// <param name="loss">The state of its sender.</param>
    public static bool IsProbe(ConnectionPass part, in PacketRecord record, in LossState loss) =>
        !loss.InRecovery && record.End == loss.Highest && SequenceNumber.Less(loss.Acknowledged, record.Sequence) && part.Timing[record.Side].ShiftNs == 0
        && record.TimeNs - loss.SentNs >= Math.Max(ShortestTimerNs, (part.Timing[0].BaseNs + part.Timing[1].BaseNs) * 3 / 2);

    /// <summary>
    /// True for a repair that no ACK let go, although some had asked for it: none reached the sender for so long before it that a sender that waits for packets
    /// in the wrong order has waited enough (RFC 8985 6.2), and a timer had the time to end since the last one that advanced.
    /// </summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="index">What was sent again.</param>
    /// <param name="loss">The state of its sender.</param>
    public static bool IsUntold(ConnectionPass part, int index, in LossState loss)
    {
        ref PacketRecord record = ref part.Records[index];
        ref SideTiming sender = ref part.Timing[record.Side];
        ref FlowState flow = ref part.Connection.Flow(record.Side);
        // Of several connections, another one may have had a shorter path; a handshake shows that of this one.
        long senderNs = flow.HandshakeNs != FlowState.Unknown && flow.BaseNs != FlowState.Unknown ? Math.Max(sender.BaseNs, flow.BaseNs) : sender.BaseNs;
        // When it left its sender, and an ACK that reaches it just then passes here.
        long leftNs = record.TimeNs - (sender.ShiftNs == 0 ? 0 : senderNs * 9 / 10);
        long leastNs = Math.Max(LossRepairs.AskedNs, (senderNs + part.Timing[1 - record.Side].BaseNs) * 3 / 4);
        if (!sender.BaseKnown || record.Sequence != loss.Acknowledged || loss.AdvancedNs == 0 || leftNs - loss.AdvancedNs < TcpConnection.ShortestRtoNs
            || record.TimeNs - loss.SentNs < leastNs)
        {
            return false;
        }

        int last = index - 1;
        while (last >= 0 && (part.Records[last].Side == record.Side || !part.Records[last].Has(PacketTraits.Ack) || part.Records[last].TimeNs > leftNs))
        {
            last--;
        }

        // A queue on the way from a distant sender makes its answers late as well, but hardly by a timer's time.
        return last >= 0 && leftNs - part.Records[last].TimeNs >= leastNs
            && (sender.ShiftNs == 0 || record.TimeNs - part.Records[last].TimeNs >= TcpConnection.ShortestRtoNs);
    }

    /// <summary>
    /// True for a repair that left its sender as soon as an ACK came that reported the hole, by the timestamps of both ends, however long it took from there:
    /// a timer ends while nothing comes.
    /// </summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="record">What was sent again.</param>
    /// <param name="loss">The state of its sender.</param>
    public static bool AnswersReport(ConnectionPass part, in PacketRecord record, in LossState loss)
    {
        uint lead = record.Has(PacketTraits.Sack) ? 0 : record.SackRight;
        // What it echoes came with the report or behind it.
        bool reported = loss.InRecovery || (loss.EvidenceNs != 0 && SequenceNumber.LessOrEqual(loss.EvidenceTimestamp, record.TimestampValue - lead));
        long path = part.Timing[0].BaseNs + part.Timing[1].BaseNs;
        return reported && LeftWithin(part, in record, Math.Min(path, LossRepairs.AskedNs + (path / 4)));
    }

    /// <summary>True where the timestamps of both ends show that data left so soon after what it echoes had arrived.</summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="data">The data.</param>
    /// <param name="latestNs">How soon, nanoseconds.</param>
    public static bool LeftWithin(ConnectionPass part, in PacketRecord data, long latestNs)
    {
        ref FlowState flow = ref part.Connection.Flow(data.Side);
        long tickNs = part.Clocks[1 - data.Side].TickNs;
        uint lead = data.Has(PacketTraits.Sack) ? 0 : data.SackRight;
        // The clocks of both ends have to go at the same rate, and in steps that are short enough for this path.
        long drift = Math.Abs((long)SequenceNumber.Beyond(lead, flow.FirstLead));
        bool comparable = 4 * drift <= SequenceNumber.Beyond(data.TimestampValue, flow.FirstTimestamp);
        return lead != 0 && comparable && tickNs > 0 && 2 * tickNs <= latestNs && SequenceNumber.Beyond(lead, flow.LeastLead) * tickNs <= latestNs;
    }

    /// <summary>
    /// True beside a sender for the first part of a segment that is sent again sooner than an ACK can ask for it, or a timer end: a router has reported
    /// that the whole is too big for the path (RFC 1191 4).
    /// </summary>
    /// <param name="record">What was sent again.</param>
    /// <param name="loss">The state of its sender.</param>
    /// <param name="pathNs">The shortest round trip, nanoseconds.</param>
    public static bool IsReported(in PacketRecord record, in LossState loss, long pathNs) =>
        record.Has(PacketTraits.SmallerPiece) && loss.DuplicateAcks == 0 && !loss.SackSeen && record.SinceFirstNs >= 0
        && record.SinceFirstNs < Math.Min(TcpConnection.ShortestRtoNs, pathNs * 9 / 10);

    /// <summary>
    /// True when what fills a hole is followed at once by other data that is sent again: a timer lets one segment go, and the next ones only when that is
    /// acknowledged (RFC 5681 3.1), so ACKs asked for these. Beside the sender so is any data, where a SACK block asked for it.
    /// </summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="index">The first of them.</param>
    /// <param name="sacked">True where a SACK block has shown that later data arrived.</param>
    public static bool IsBurst(ConnectionPass part, int index, bool sacked)
    {
        const long AtOnceNs = 1_000_000;
        PacketRecord first = part.Records[index];
        bool away = part.Timing[first.Side] is { BaseKnown: true, BaseNs: > 2 * AtOnceNs };
        PacketTraits again = away ? PacketTraits.HoleFill : PacketTraits.Retransmission;
        for (int i = index + 1; (away || sacked) && i < part.Records.Length && part.Records[i].TimeNs - first.TimeNs <= AtOnceNs; i++)
        {
            ref PacketRecord next = ref part.Records[i];
            if (next.Side != first.Side && !away)
            {
                return false;
            }

            if (next.Side == first.Side && next.Length > 0)
            {
                return first.Has(again) && next.Has(again) && SequenceNumber.LessOrEqual(first.End, next.Sequence);
            }
        }

        return false;
    }

    /// <summary>
    /// True for the last few bytes of an end that has closed, and that answers what still comes with a RST: it wants no answer, and nobody waits for them.
    /// </summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="index">What was sent again.</param>
    /// <param name="loss">The state of its sender.</param>
    public static bool IsGoodbye(ConnectionPass part, int index, in LossState loss)
    {
        bool reset = false;
        PacketRecord copy = part.Records[index];
        for (int i = index + 1; loss.Closed && copy.Length <= GoodbyeBytes && copy.End == loss.Highest && !reset && i < part.Records.Length; i++)
        {
            reset = part.Records[i].Side == copy.Side && part.Records[i].Has(PacketTraits.Rst);
        }

        return reset;
    }

    /// <summary>True when the next packet of the receiver is a RST, which comes at once.</summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="index">What was sent again.</param>
    public static bool IsRefused(ConnectionPass part, int index)
    {
        const long AtOnceNs = 10_000_000;
        int next = index + 1;
        while (next < part.Records.Length && part.Records[next].Side == part.Records[index].Side)
        {
            next++;
        }

        return next < part.Records.Length && part.Records[next].Has(PacketTraits.Rst)
            && part.Records[next].TimeNs - part.Records[index].TimeNs <= AtOnceNs + (2 * part.Timing[1 - part.Records[index].Side].BaseNs);
    }

    /// <summary>
    /// Counts how often in a row the wait before the same data was sent again has about doubled while nothing of the peer came, as a timer's does that
    /// nothing stops (RFC 6298 5.5).
    /// </summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="loss">The state of its sender.</param>
    /// <param name="record">What was sent again.</param>
    public static void Repeat(ConnectionPass part, ref LossState loss, in PacketRecord record)
    {
        const double LeastFactor = 1.6;
        bool silent = Math.Max(loss.AckNs, part.State.Losses[1 - record.Side].SentNs) <= record.TimeNs - record.SinceLastNs;
        bool again = record.Sequence == loss.Repeated && silent;
        loss.Copies = again ? loss.Copies + 1 : 1;
        loss.Doublings = !again ? 0 : record.SinceLastNs >= LeastFactor * loss.RepeatedAfterNs ? loss.Doublings + 1 : loss.Doublings;
        (loss.Repeated, loss.RepeatedAfterNs) = (record.Sequence, record.SinceLastNs);
        SideFacts facts = part.State.Facts.Sides[record.Side];
        facts.Interrupted += !again || loss.Doublings < LongRun ? 0 : loss.Doublings == LongRun ? LongRun + 1 : 1;
    }

    /// <summary>
    /// Where no ACK was captured that ends a recovery: true for what was sent behind the beginning of the last one, and for what follows new data after a
    /// timeout, because a sender first repeats what it had sent before (RFC 5681 3.1).
    /// </summary>
    /// <param name="record">What was sent again.</param>
    /// <param name="loss">The state of its sender.</param>
    public static bool IsNextRecovery(in PacketRecord record, in LossState loss) =>
        SequenceNumber.LessOrEqual(loss.RecoveryEnd, record.Sequence) || (loss.ByTimeout && loss.NewNs == loss.SentNs);

    /// <summary>
    /// True for a part of what had been one packet, and for what follows in its recovery at no more than its size: there the parts no longer begin where
    /// the lost packets did.
    /// </summary>
    /// <param name="record">What was sent again.</param>
    /// <param name="loss">The state of its sender.</param>
    public static bool IsSmaller(in PacketRecord record, ref LossState loss)
    {
        loss.PieceBytes = record.Has(PacketTraits.SmallerPiece) ? record.Length : loss.PieceBytes;
        return record.Length <= loss.PieceBytes;
    }

    /// <summary>
    /// True when no pure ACK of the peer was captured and new data, three segments and more beyond the repeated ones, passed until shortly before: a
    /// sender whose timer runs has filled its window and is silent, and so much later data makes a receiver ask three times (RFC 5681 3.2).
    /// </summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="record">What was sent again.</param>
    /// <param name="loss">The state of its sender.</param>
    public static bool Flowed(ConnectionPass part, in PacketRecord record, in LossState loss) =>
        part.Connection.Flow(1 - record.Side).PureAcks == 0 && record.TimeNs - loss.NewNs < TcpConnection.ShortestRtoNs
        && loss.Highest - record.End >= 3 * (uint)part.Timing[record.Side].Mss;

    /// <summary>
    /// True when a timer repeats what nothing had shown to be missing, and its receiver has neither SACK (RFC 2883) nor timestamps (RFC 3522) to tell that data
    /// came twice, or its distance is unknown, so that its ACK may answer the first copy.
    /// </summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="record">What was sent again.</param>
    /// <param name="loss">The state of its sender.</param>
    public static bool IsUnproven(ConnectionPass part, in PacketRecord record, in LossState loss)
    {
        TcpConnection connection = part.Connection;
        bool silent = connection is { FromClient.SynSeen: true, FromServer.SynSeen: true, OptionsCut: false }
            && !(connection.FromClient.SackPermitted && connection.FromServer.SackPermitted)
            && !(connection.FromClient.Timestamps && connection.FromServer.Timestamps);
        bool unplaced = !part.Timing[1 - record.Side].BaseKnown && !loss.SackSeen;
        return (silent || unplaced) && loss.DuplicateAcks == 0 && !LossPass.AskedFor(part, in record, in loss);
    }
}
