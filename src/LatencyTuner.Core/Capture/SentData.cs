namespace LatencyTuner.Core.Capture;

/// <summary>Decides what the bytes of a segment are in their own direction: new data, a retransmission, the fill of a hole, or a probe.</summary>
internal static class SentData
{
    // A stack that looks for a smaller path goes down to 536 bytes (RFC 9293 3.7.1) or somewhat less with options.
    private const int SmallestPiece = 400;

    /// <summary>The largest payload of a packet on Ethernet, bytes: 1500 less both headers.</summary>
    public const int EthernetMss = 1460;

    public static void Add(TcpConnection connection, ref FlowState sender, in TcpSegment segment, ref PacketRecord record)
    {
        uint length = segment.SequenceLength;
        if (!sender.Started)
        {
            Start(ref sender, in segment);
            if (IsLoneProbe(in segment))
            {
                // The byte belongs to what was sent before the capture began.
                sender.Next++;
                sender.Acknowledged = sender.AckSeen ? sender.Acknowledged : sender.Next;
                record.Traits |= PacketTraits.KeepAlive;
                return;
            }
        }

        if (segment.PayloadLength > 0 && sender.DataPackets == 0 && sender.SynSeen && segment.Sequence == sender.Initial && sender.Next == sender.Initial + 1
            && (segment.Flags & TcpFlags.Syn) == 0)
        {
            // Tools that write captures forget that the SYN has a number of its own.
            sender.Next = segment.Sequence;
        }
        else if (DoubtfulNumbers.IsFirst(in sender, in segment))
        {
            (sender.Initial, sender.Next, sender.Acknowledged) = (segment.Sequence, segment.Sequence, segment.Sequence);
        }

        sender.LargestPayload = Math.Max(sender.LargestPayload, segment.PayloadLength);
        if (segment.PayloadLength > 0)
        {
            sender.FirstData = sender.DataPackets++ == 0 ? segment.Sequence : sender.FirstData;
        }

        bool probe = length <= 1 && segment.Sequence == sender.Next - 1 && !sender.HasOutstanding && (segment.Flags & (TcpFlags.Syn | TcpFlags.Fin)) == 0
            && (sender.AckSeen || segment.PayloadLength > 0 && IsLoneProbe(in segment));
        // Also below a FIN, with which the capture of this end begins, and which is on its way again and again.
        probe |= IsLoneProbe(in segment) && sender is { DataPackets: 1, SynSeen: false, FinSeen: true } && segment.Sequence == sender.Initial - 1;
        // Some stacks count from what was acknowledged, also while data is on its way. Where the ACK of that was not captured, the end of a longer packet that
        // comes again alone is none of a timer's, which repeats the packet.
        probe |= sender.DataPackets > 1 && IsLoneProbe(in segment)
            && (segment.Sequence == sender.Acknowledged - 1 || (segment.Sequence == sender.Next - 1 && IsEndOfLonger(in sender)));
        if (probe)
        {
            record.Traits |= PacketTraits.KeepAlive;
            return;
        }

        if (length == 0)
        {
            Claim(ref sender, in segment);
            return;
        }

        if (sender.WindowClosed)
        {
            record.Traits |= PacketTraits.AtZeroWindow;
            // Also where the window had been larger before: a receiver short of memory can shrink it.
            if (segment.PayloadLength == 1 && !SequenceNumber.Less(segment.Sequence, sender.Acknowledged))
            {
                record.Traits |= PacketTraits.WindowProbe;
            }
        }

        uint end = segment.Sequence + length;
        if (SequenceNumber.Beyond(end, sender.Next) > 0)
        {
            New(connection, ref sender, in segment, end, ref record);
        }
        else
        {
            Old(connection, ref sender, in segment, end, ref record);
        }
    }

    /// <summary>A pure ACK carries the sequence number of the next byte. If it is above what was seen, the capture has not seen data that was sent.</summary>
    /// <remarks>Unless its identification follows that of the packet before it: then no packet is missing, and the data has not been sent yet.</remarks>
    private static void Claim(ref FlowState sender, in TcpSegment segment)
    {
        if (!sender.IsNext(segment.IpId) && sender.ClaimedNs == 0 && sender.AckSeen && segment.Flags == TcpFlags.Ack
            && SequenceNumber.Less(sender.Next, segment.Sequence) && SequenceNumber.LessOrEqual(sender.Acknowledged, sender.Next))
        {
            (sender.Claimed, sender.ClaimedNs, sender.ClaimedTimestamp, sender.ClaimedIpId) = (segment.Sequence, segment.TimeNs, segment.TimestampValue,
                segment.IpId);
        }
    }

    /// <summary>
    /// True for one byte without the push flag, in the middle of a connection: a keep-alive with garbage (RFC 9293 3.8.4). Stacks push what ends a send.
    /// </summary>
    private static bool IsLoneProbe(in TcpSegment segment) =>
        segment.PayloadLength == 1 && (segment.Flags & (TcpFlags.Syn | TcpFlags.Fin | TcpFlags.Psh | TcpFlags.Rst)) == 0;

    /// <summary>True when the byte before the next one was sent as the end of a longer packet, which is still unacknowledged.</summary>
    private static bool IsEndOfLonger(in FlowState sender) =>
        sender.Outstanding.Count > 0 && sender.Outstanding[sender.Outstanding.Count - 1] is { IsData: true } last
        && SequenceNumber.Less(last.Sequence, sender.Next - 1);

    private static void Start(ref FlowState sender, in TcpSegment segment)
    {
        sender.Started = true;
        sender.Initial = segment.Sequence;
        sender.Next = segment.Sequence;
        if (!sender.AckSeen)
        {
            sender.Acknowledged = segment.Sequence;
        }
    }

    private static void New(TcpConnection connection, ref FlowState sender, in TcpSegment segment, uint end, ref PacketRecord record)
    {
        int ahead = SequenceNumber.Beyond(segment.Sequence, sender.Next);
        if (segment.PayloadLength > 1 && sender.AckSeen && SequenceNumber.Beyond(end, sender.WindowRight) > 0)
        {
            ScaleAtLeast(ref connection.Flow(1 - record.Side), in sender, end);
        }

        if (segment.PayloadLength > 0)
        {
            record.Traits |= PacketTraits.NewData;
        }

        if (ahead > 0 && sender.AckSeen && SequenceNumber.LessOrEqual(segment.Sequence, sender.Acknowledged))
        {
            // The peer has received these bytes; only the capture missed them.
            record.Traits |= PacketTraits.CaptureGap;
            connection.MissedBytes += ahead;
        }
        else if (ahead > 0)
        {
            record.Traits |= PacketTraits.AboveGap;
            sender.UnsentEnd = sender.IsNext(segment.IpId) ? segment.Sequence : 0;
            (sender.HoleNs, sender.HoleEnd) = sender.ClaimedNs != 0 ? (sender.ClaimedNs, sender.Claimed) : (sender.HoleNs, sender.HoleEnd);
            connection.MissedBytes += sender.AckSeen ? Math.Max(0, SequenceNumber.Beyond(sender.Acknowledged, sender.Next)) : 0;
        }
        else if (ahead < 0)
        {
            // The bytes of a probe that the peer refused are sent here for the first time.
            bool refused = Accept(ref sender, in segment);
            record.Traits |= refused ? PacketTraits.AtZeroWindow : PacketTraits.Overlap;
            record.SinceFirstNs = refused ? -1 : Math.Max(0, segment.TimeNs - sender.NextSentNs);
            Repeat(ref sender, in segment, sender.Outstanding.FirstBeyond(segment.Sequence), end);
        }

        if (sender.ClaimedNs != 0)
        {
            if (segment.PayloadLength > 0 && ahead <= 0 && SequenceNumber.Less(segment.Sequence, sender.Claimed))
            {
                // What goes on beyond that number had not been sent like this before it.
                record.Traits |= PacketTraits.HoleFill | (SequenceNumber.Less(sender.Claimed, end) ? PacketTraits.SentAfterSuccessor
                    : Order(in segment, sender.ClaimedTimestamp, sender.ClaimedIpId, segment.TimeNs - sender.ClaimedNs));
                record.SinceFirstNs = Math.Max(0, segment.TimeNs - sender.ClaimedNs);
            }

            sender.ClaimedNs = SequenceNumber.LessOrEqual(sender.Claimed, end) ? 0 : sender.ClaimedNs;
        }

        sender.Next = end;
        sender.NextSentNs = segment.TimeNs;
        sender.NextTimestamp = segment.TimestampValue;
        if (segment.IpId != 0 && sender.NextIpId != 0)
        {
            sender.IpIdVaries |= segment.IpId != sender.NextIpId;
            sender.IpIdRepeats |= segment.IpId == sender.NextIpId;
        }

        sender.NextIpId = segment.IpId;
        if (!sender.AckSeen || SequenceNumber.Less(sender.Acknowledged, end))
        {
            // More than one segment at a closed window: the capture missed that it had opened.
            bool refused = sender.WindowClosed && (sender.Outstanding.Count == 0 || record.Has(PacketTraits.WindowProbe));
            // What had been sent before is there already.
            sender.Outstanding.Add(
                Segment(in segment, end, outOfOrder: ahead > 0 || record.Has(PacketTraits.HoleFill))
                    with
                { Sequence = segment.Sequence + (uint)Math.Max(0, -ahead), Refused = refused });
        }
    }

    /// <summary>
    /// Data that a peer with a closed window refused is sent once it opens: until then it was never on its way, and its times count from now on.
    /// </summary>
    /// <returns>True when the first byte of the segment is one of these.</returns>
    private static bool Accept(ref FlowState sender, in TcpSegment segment)
    {
        int first = sender.Outstanding.FirstBeyond(segment.Sequence);
        bool refused = first < sender.Outstanding.Count && sender.Outstanding[first].Refused;
        uint end = segment.Sequence + segment.SequenceLength;
        for (int at = first; at < sender.Outstanding.Count && SequenceNumber.Less(sender.Outstanding[at].Sequence, end) && !sender.WindowClosed; at++)
        {
            ref OutstandingSegment item = ref sender.Outstanding[at];
            if (item.Refused)
            {
                (item.Refused, item.Sends, item.FirstSentNs, item.LastSentNs) = (false, 0, segment.TimeNs, segment.TimeNs);
            }
        }

        return refused;
    }

    /// <summary>A sender never exceeds the advertised window. Without the SYN that carries the scale, the data shows the smallest possible scale.</summary>
    private static void ScaleAtLeast(ref FlowState receiver, in FlowState sender, uint end)
    {
        const sbyte Largest = 14;
        if (receiver.ScaleKnown(in sender) || sender.WindowField == 0)
        {
            return;
        }

        uint needed = end - sender.WindowAck;
        while (receiver.LeastScale < Largest && (uint)sender.WindowField << receiver.LeastScale < needed)
        {
            receiver.LeastScale++;
        }
    }

    private static void Old(TcpConnection connection, ref FlowState sender, in TcpSegment segment, uint end, ref PacketRecord record)
    {
        bool acknowledged = sender.AckSeen && SequenceNumber.LessOrEqual(end, sender.Acknowledged);
        int at = acknowledged ? sender.Outstanding.Count : sender.Outstanding.FirstBeyond(segment.Sequence);
        bool seen = acknowledged || (at < sender.Outstanding.Count && SequenceNumber.Less(sender.Outstanding[at].Sequence, end));
        if (!seen && sender.Outstanding.Count > 0)
        {
            long aboveNs = at < sender.Outstanding.Count ? sender.Outstanding[at].FirstSentNs : 0;
            // A number of the sender had shown that this was missing, or its beginning, before data above it came.
            aboveNs = sender.HoleNs != 0 && SequenceNumber.Less(segment.Sequence, sender.HoleEnd) ? Math.Min(sender.HoleNs, aboveNs) : aboveNs;
            record.SinceFirstNs = aboveNs == 0 ? -1 : Math.Max(0, segment.TimeNs - aboveNs);
            // What had not been sent when the hole opened, and comes before its sender can have heard of that, it sent in another order itself.
            bool unsent = sender.UnsentEnd != 0 && SequenceNumber.LessOrEqual(end, sender.UnsentEnd) && sender.BaseNs != FlowState.Unknown
                && record.SinceFirstNs >= 0 && record.SinceFirstNs < sender.BaseNs / 2;
            record.Traits |= segment.PayloadLength > 0
                ? PacketTraits.HoleFill | (unsent ? PacketTraits.SentBeforeSuccessor : AfterHighest(in sender, in segment)) : 0;
            sender.Outstanding.Add(Segment(in segment, end, outOfOrder: true));
            return;
        }

        if (seen && !acknowledged && segment.PayloadLength > 0 && Holes(ref sender, in segment, at, end) is { Count: > 0 } holes)
        {
            // Coalesced after a timeout: a part had passed here, a part had not.
            record.Traits |= PacketTraits.HoleFill | AfterHighest(in sender, in segment);
            (record.SinceFirstNs, record.SackBytes) = (Math.Max(0, segment.TimeNs - holes.AboveNs), holes.Count);
            return;
        }

        // Some stacks retransmit a segment with the IP identification of the original: a copy this late is a retransmission, not a capture duplicate.
        long sentNs = acknowledged || at >= sender.Outstanding.Count ? sender.NextSentNs : sender.Outstanding[at].FirstSentNs;
        bool soon = segment.TimeNs - sentNs < TcpConnection.ShortestRtoNs;
        // A router beside the tap, which may be slow, lowers the time to live of what it forwards.
        bool same = !sender.IpIdRepeats && segment.IpId != 0
            && (acknowledged || at >= sender.Outstanding.Count
            ? soon && (sender.WasSentBefore(segment.IpId) || (end == sender.Next && segment.IpId == sender.NextIpId))
            : sender.Outstanding[at].Sequence == segment.Sequence && sender.Outstanding[at].End == end && sender.Outstanding[at].IpId == segment.IpId
            && (soon || segment.Ttl < sender.Outstanding[at].Ttl));
        if (same || (!acknowledged && at < sender.Outstanding.Count && IsLastCopy(in sender, in sender.Outstanding[at], in segment, end)))
        {
            // Sent once and captured twice: a mirror of several ports, or a path that duplicates packets.
            connection.CaptureDuplicates++;
            return;
        }

        if (segment.PayloadLength > 0)
        {
            record.Traits |= PacketTraits.Retransmission;
            sender.Retransmissions++;
        }

        if (acknowledged || at >= sender.Outstanding.Count)
        {
            return;
        }

        ref OutstandingSegment first = ref sender.Outstanding[at];
        record.Traits |= Accept(ref sender, in segment) ? PacketTraits.AtZeroWindow : 0;
        record.SinceFirstNs = Math.Max(0, segment.TimeNs - first.FirstSentNs);
        record.SinceLastNs = Math.Max(0, segment.TimeNs - first.LastSentNs);
        record.Covered = first.Sends;
        record.Traits |= DamagedCopies.Repeats(in sender, in segment, at) ? PacketTraits.LastCopyDamaged : 0;
        record.Traits |= IsSmallerPiece(in sender, in first, in segment, end, connection.Flow(1 - record.Side).Mss) ? PacketTraits.SmallerPiece : 0;
        for (int i = at; i < sender.Outstanding.Count && SequenceNumber.Less(sender.Outstanding[i].Sequence, end); i++)
        {
            record.Traits |= IsTooBig(in sender, in sender.Outstanding[i], in segment) ? PacketTraits.TooBig : 0;
        }

        Repeat(ref sender, in segment, at, end);
    }

    /// <summary>The outstanding segments from an index on that begin below a number are sent once more.</summary>
    private static void Repeat(ref FlowState sender, in TcpSegment segment, int at, uint end)
    {
        for (; at < sender.Outstanding.Count && SequenceNumber.Less(sender.Outstanding[at].Sequence, end); at++)
        {
            ref OutstandingSegment item = ref sender.Outstanding[at];
            item.Sends = (ushort)Math.Min(item.Sends + 1, ushort.MaxValue);
            item.LastSentNs = segment.TimeNs;
            item.LastTimestamp = segment.TimestampValue;
            item.CopyTimestamp = item.Sends == 2 ? segment.TimestampValue : item.CopyTimestamp;
            item.LastIpId = segment.IpId;
            DamagedCopies.Take(ref item, in segment);
        }
    }

    /// <summary>True when what was sent again is captured again.</summary>
    private static bool IsLastCopy(in FlowState sender, in OutstandingSegment item, in TcpSegment segment, uint end) =>
        item.Sends > 1 && item.Sequence == segment.Sequence && item.End == end && segment.IpId != 0 && item.LastIpId == segment.IpId && !sender.IpIdRepeats
        && segment.TimeNs - item.LastSentNs < TcpConnection.ShortestRtoNs;

    /// <summary>
    /// True for the first part of what had been one packet, where no packet as long has arrived; what an adapter was to cut (segmentation offload) is longer
    /// than one.
    /// </summary>
    private static bool IsSmallerPiece(in FlowState sender, in OutstandingSegment first, in TcpSegment segment, uint end, ushort mss) =>
        segment.Sequence == first.Sequence && first.End - first.Sequence > sender.LargestDelivered && SequenceNumber.Less(end, first.End)
        && segment.PayloadLength >= SmallestPiece && first.End - first.Sequence <= (mss > 0 ? mss : EthernetMss);

    /// <summary>True where what is sent again has the beginning of a packet that had left before a router reported that its size is too big.</summary>
    private static bool IsTooBig(in FlowState sender, in OutstandingSegment item, in TcpSegment segment)
    {
        // IPv6 and TCP with a timestamp: what is longer than the rest of the reported size may not have fitted.
        const int MostHeaders = 72;
        return sender.ReportedNs != 0 && item.LastSentNs <= sender.ReportedNs && item.End - item.Sequence + MostHeaders > sender.ReportedMtu
            && SequenceNumber.LessOrEqual(segment.Sequence, item.Sequence);
    }

    /// <summary>Adds those bytes of a segment that were never seen, although bytes after them were, and counts the others as sent again.</summary>
    /// <returns>The number of holes that it fills, and when the data above the first one was sent, nanoseconds.</returns>
    private static (uint Count, long AboveNs) Holes(ref FlowState sender, in TcpSegment segment, int at, uint end)
    {
        (uint count, long aboveNs) = (0, 0);
        uint from = sender.AckSeen && SequenceNumber.Less(segment.Sequence, sender.Acknowledged) ? sender.Acknowledged : segment.Sequence;
        for (; at < sender.Outstanding.Count && SequenceNumber.Less(sender.Outstanding[at].Sequence, end); at++)
        {
            uint next = sender.Outstanding[at].Sequence;
            if (SequenceNumber.Less(from, next))
            {
                aboveNs = count++ == 0 ? sender.Outstanding[at].FirstSentNs : aboveNs;
                sender.Outstanding.Add(Segment(in segment, next, outOfOrder: true) with { Sequence = from });
                at++;
            }

            from = sender.Outstanding[at].End;
        }

        return (count, aboveNs);
    }

    /// <summary>
    /// Whether a packet that fills a hole was sent before or after the one above it, as far as timestamp and IP identification show. Identifications that
    /// are farther apart than a host counts in that time are random (RFC 6864 allows it) and show nothing.
    /// </summary>
    private static PacketTraits Order(in TcpSegment segment, uint timestamp, ushort ipId, long sinceNs)
    {
        const int Near = 1024;
        const int Farthest = 16_384;
        const long ShortestPacketNs = 20_000;
        int byTimestamp = segment.HasTimestamp ? (int)(segment.TimestampValue - timestamp) : 0;
        int byId = segment.IpId != 0 && ipId != 0 ? (short)(segment.IpId - ipId) : 0;
        byId = Math.Abs(byId) <= Math.Min(Farthest, Near + (Math.Max(0, sinceNs) / ShortestPacketNs)) ? byId : 0;
        int order = byTimestamp != 0 ? byTimestamp : byId;
        return order < 0 ? PacketTraits.SentBeforeSuccessor : order > 0 ? PacketTraits.SentAfterSuccessor : 0;
    }

    private static PacketTraits AfterHighest(in FlowState sender, in TcpSegment segment) =>
        Order(in segment, sender.NextTimestamp, sender.NextIpId, segment.TimeNs - sender.NextSentNs);

    private static OutstandingSegment Segment(in TcpSegment segment, uint end, bool outOfOrder) => new()
    {
        Sequence = segment.Sequence,
        End = end,
        FirstSentNs = segment.TimeNs,
        LastSentNs = segment.TimeNs,
        LastTimestamp = segment.TimestampValue,
        IpId = segment.IpId,
        Ttl = segment.Ttl,
        Sends = 1,
        WrongCopies = (ushort)(segment.IsChecksumWrong ? 1 : 0),
        LastIsWrong = segment.IsChecksumWrong,
        IsData = segment.PayloadLength > 0,
        OutOfOrder = outOfOrder,
    };
}
