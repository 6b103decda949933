namespace LatencyTuner.Core.Capture;

/// <summary>Decides what an ACK means for the other direction, and which data it acknowledges.</summary>
internal static class ReceivedAck
{
    // Time beyond the round trip; a shorter one can come from scheduling.
    private const long ArrivedNs = 2_000_000;

    // No window is larger (RFC 7323 2.3), so an ACK farther beyond what was sent cannot be of this connection.
    public const int FarthestWindow = 1 << 30;

    // A capture that lost packets may have missed the largest window.
    private const int LeastReach = 1 << 20;

    /// <summary>True when an end would drop a segment because it acknowledges what was never sent (RFC 9293 3.10.7.4).</summary>
    public static bool IsOfAnother(in FlowState peer, in TcpSegment segment) =>
        (segment.Flags & TcpFlags.Ack) != 0 && peer.Started && (peer.SynSeen || peer.DataPackets > 0)
        && SequenceNumber.Beyond(segment.Acknowledgement, peer.Next) > FarthestWindow
        // Where only one direction was captured, nothing but its own ACKs shows how far the other has come.
        && SequenceNumber.Beyond(segment.Acknowledgement, peer.Acknowledged) > FarthestWindow;

    /// <summary>
    /// False for a SACK block of bytes that were never sent, or that no window of the receiver had room for: a device that changes sequence numbers
    /// without those in the options (RFC 2018 3).
    /// </summary>
    private static bool IsOfThese(in FlowState sender, in FlowState peer, in TcpSegment segment, uint window)
    {
        SackBlock first = segment.Sack[0];
        long most = sender.ScaleKnown(in peer) ? Math.Max(Math.Max(sender.LargestWindow, window), LeastReach) : FarthestWindow;
        bool before = peer.SynSeen && peer.Bytes < FarthestWindow && SequenceNumber.Less(first.Left, peer.Initial);
        return !before && SequenceNumber.Beyond(first.Right, segment.Acknowledgement) <= most;
    }

    /// <summary>
    /// True when the options were cut off, and are longer by a SACK block (RFC 2018 3: at least 12 bytes with its padding) than others of this sender: on an
    /// open connection all other options of a pure ACK have one length.
    /// </summary>
    private static bool HidesSack(ref FlowState sender, in TcpSegment segment)
    {
        const int LeastBytes = 12;
        if ((segment.Flags & TcpFlags.Syn) != 0)
        {
            return false;
        }

        sender.LeastOptionBytes = Math.Min(sender.LeastOptionBytes, segment.OptionBytes);
        return segment.OptionsCut && segment.SackCount == 0 && segment.PayloadLength == 0 && segment.OptionBytes >= sender.LeastOptionBytes + LeastBytes;
    }

    /// <summary>Updates both directions with an ACK.</summary>
    /// <param name="sender">The direction of the ACK's sender.</param>
    /// <param name="peer">The direction whose data it acknowledges.</param>
    /// <param name="segment">The segment.</param>
    /// <param name="record">Receives the kind of the ACK and its times.</param>
    public static void Add(ref FlowState sender, ref FlowState peer, in TcpSegment segment, ref PacketRecord record)
    {
        uint ack = segment.Acknowledgement;
        if (segment.IsChecksumWrong && !peer.Started)
        {
            // A changed number must not be where the other direction begins.
            return;
        }

        if (segment.SackCount > 0 && IsOfThese(in sender, in peer, in segment, record.Window))
        {
            Sacks(in segment, ref record);
        }
        else if (HidesSack(ref sender, in segment))
        {
            (record.Traits, record.SackRight) = (record.Traits | PacketTraits.Sack, segment.Acknowledgement);
        }

        bool first = !peer.AckSeen;
        if (first && !peer.Started)
        {
            // The capture started late or shows one direction only: the other direction starts at the acknowledged byte.
            (peer.Started, peer.Initial, peer.Next, peer.Acknowledged) = (true, ack, ack, ack);
        }

        peer.AckSeen = true;
        bool windowChanged = record.Window != sender.LastWindow;
        int advance = SequenceNumber.Beyond(ack, peer.Acknowledged);
        if (advance > 0)
        {
            record.Traits |= PacketTraits.Advancing;
            if (peer is { SynSeen: false, DataPackets: 0 } && peer.Next == peer.Initial && ack == peer.Next + 1)
            {
                // The capture began with a keep-alive without data, which repeats the number below the next one (RFC 9293 3.8.4).
                peer.Next = ack;
            }
            else if (SequenceNumber.Less(peer.Next, ack))
            {
                record.Traits |= PacketTraits.AcksUnseen;
            }

            Cover(ref sender, ref peer, in segment, ref record);
            peer.Acknowledged = ack;
            if ((segment.Flags & TcpFlags.Syn) != 0 && peer.Outstanding.Count > 0)
            {
                // Data in the SYN that the server does not accept is sent again (RFC 7413 4.1.3); nothing was lost.
                peer.Outstanding[0].Refused = true;
            }
        }
        else if (advance == 0 && !first && record.IsPureAck && !record.Has(PacketTraits.KeepAlive))
        {
            record.Traits |= windowChanged ? PacketTraits.WindowUpdate : SequenceNumber.Less(ack, peer.Next) ? PacketTraits.DuplicateAck : 0;
        }

        if (record.IsPureAck)
        {
            sender.PureAcks++;
        }

        if (advance < 0 || record.Has(PacketTraits.Rst))
        {
            return;
        }

        sender.LastWindow = record.Window;
        sender.LargestWindow = Math.Max(sender.LargestWindow, record.Window);
        uint right = ack + record.Window;
        if (first || SequenceNumber.Beyond(right, peer.WindowRight) > 0)
        {
            (peer.WindowRight, peer.WindowAck, peer.WindowField) = (right, ack, segment.Window);
            record.Traits |= first ? 0 : PacketTraits.RaisesWindow;
        }

        peer.WindowClosed = record.Window == 0;
    }

    /// <summary>Removes the segments that the ACK covers from the outstanding ones and measures the time since the first and since the last of them.</summary>
    private static void Cover(ref FlowState sender, ref FlowState peer, in TcpSegment segment, ref PacketRecord record)
    {
        uint ack = segment.Acknowledgement;
        bool any = false;
        bool sentAgain = false;
        (int covered, long sinceFirstNs, long sinceLastNs) = (0, -1, -1);
        // What was sent before the capture began leaves no hole.
        uint expected = peer.SynSeen || !SequenceNumber.Less(peer.Acknowledged, peer.FirstData) ? peer.Acknowledged : peer.FirstData;
        while (peer.Outstanding.Count > 0)
        {
            ref OutstandingSegment item = ref peer.Outstanding[0];
            // The peer has received what fills this hole; the capture has not. A keep-alive's byte leaves none.
            record.Traits |= SequenceNumber.Beyond(item.Sequence, expected) > 1 && SequenceNumber.Less(expected, ack) ? PacketTraits.AcksHole : 0;
            expected = item.End;
            bool whole = SequenceNumber.LessOrEqual(item.End, ack);
            if (!whole && !SequenceNumber.Less(item.Sequence, ack))
            {
                break;
            }

            if (item.Sends > 1)
            {
                sentAgain = true;
                // The echoed timestamp belongs to the segment that made the ACK advance: only the first covered segment is evidence.
                if (!any && segment.HasTimestamp && item.LastTimestamp != 0 && SequenceNumber.Less(segment.TimestampEcho, item.LastTimestamp))
                {
                    bool first = item.CopyTimestamp != 0 && !record.Has(PacketTraits.HoleFill)
                        && SequenceNumber.Less(segment.TimestampEcho, item.CopyTimestamp);
                    record.Traits |= first ? PacketTraits.OriginalArrived | PacketTraits.FirstArrived : PacketTraits.OriginalArrived;
                }
            }

            if (item.OutOfOrder)
            {
                record.Traits |= PacketTraits.Forced;
            }

            if (!any)
            {
                sinceFirstNs = Math.Max(0, segment.TimeNs - item.FirstSentNs);
                any = true;
            }

            covered += item.IsData ? 1 : 0;
            sinceLastNs = segment.TimeNs - item.FirstSentNs;
            if (!whole)
            {
                // The ACK ends inside a segment that the adapter split into several (segmentation offload).
                item.Sequence = ack;
                break;
            }

            if (item.End == ack)
            {
                record.Traits |= PacketTraits.ExactEnd;
            }

            if (item is { Sends: 1, OutOfOrder: false })
            {
                peer.LargestDelivered = Math.Max(peer.LargestDelivered, SequenceNumber.Beyond(item.End, item.Sequence));
            }

            DamagedCopies.Acknowledge(ref peer, in item);
            peer.Outstanding.RemoveFirst();
        }

        if (record.IsSentAgain)
        {
            record.Traits |= any ? PacketTraits.AmbiguousRtt : 0;
        }
        else
        {
            record.Covered = (ushort)Math.Min(covered, ushort.MaxValue);
            (record.SinceFirstNs, record.SinceLastNs) = any ? (sinceFirstNs, sinceLastNs) : (record.SinceFirstNs, record.SinceLastNs);
        }

        if (peer.Outstanding.Count > 0 && sender.BaseNs != FlowState.Unknown
            && segment.TimeNs - peer.Outstanding[0].FirstSentNs > sender.BaseNs + (sender.BaseNs / 4) + ArrivedNs)
        {
            record.Traits |= PacketTraits.LeavesReceivedData;
        }

        bool timed = any && !record.Has(PacketTraits.Forced) && sinceLastNs >= 0;
        bool handshake = timed && covered == 0 && !record.Has(PacketTraits.Fin) && peer.SynSeen && ack == peer.Initial + 1;
        sender.SynAnsweredNs = handshake && sender.SynAnsweredNs == FlowState.Unknown ? segment.TimeNs - peer.SynNs : sender.SynAnsweredNs;
        if (sentAgain)
        {
            record.Traits |= PacketTraits.AmbiguousRtt;
        }
        else if (timed)
        {
            sender.BaseNs = Math.Min(sender.BaseNs, sinceLastNs);
            sender.HandshakeNs = handshake && sender.HandshakeNs == FlowState.Unknown ? sinceLastNs : sender.HandshakeNs;
        }
    }

    private static void Sacks(in TcpSegment segment, ref PacketRecord record)
    {
        record.Traits |= PacketTraits.Sack;
        SackBlock first = segment.Sack[0];
        bool duplicate = SequenceNumber.LessOrEqual(first.Right, segment.Acknowledgement)
            || (segment.SackCount > 1 && SequenceNumber.LessOrEqual(segment.Sack[1].Left, first.Left)
                && SequenceNumber.LessOrEqual(first.Right, segment.Sack[1].Right));
        if (duplicate)
        {
            record.Traits |= PacketTraits.DuplicateSack;
            (record.SackRight, record.SackBytes) = (first.Right, first.Left);
            return;
        }

        (record.SackRight, record.SackBytes) = (first.Right, 0);
        for (int i = 0; i < segment.SackCount; i++)
        {
            SackBlock block = segment.Sack[i];
            record.SackBytes += block.Right - block.Left;
            record.SackRight = SequenceNumber.Less(record.SackRight, block.Right) ? block.Right : record.SackRight;
        }
    }
}
