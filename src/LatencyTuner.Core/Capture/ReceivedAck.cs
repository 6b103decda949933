namespace LatencyTuner.Core.Capture;

/// <summary>Decides what an acknowledgement is to the other direction, and which data it answers.</summary>
internal static class ReceivedAck
{
    // Beyond the round trip; less is a matter of scheduling.
    private const long ArrivedNs = 2_000_000;

    /// <summary>Follows an ACK.</summary>
    /// <param name="sender">The direction of the ACK's sender.</param>
    /// <param name="peer">The direction whose data it acknowledges.</param>
    /// <param name="segment">The segment.</param>
    /// <param name="record">Gets what it is.</param>
    public static void Add(ref FlowState sender, ref FlowState peer, in TcpSegment segment, ref PacketRecord record)
    {
        uint ack = segment.Acknowledgement;
        if (segment.SackCount > 0)
        {
            Sacks(in segment, ref record);
        }

        bool first = !peer.AckSeen;
        if (first && !peer.Started)
        {
            // Mid-stream or one-sided: the other direction begins where it is acknowledged.
            (peer.Started, peer.Initial, peer.Next, peer.Acknowledged) = (true, ack, ack, ack);
        }

        peer.AckSeen = true;
        bool windowChanged = record.Window != sender.LastWindow;
        int advance = SequenceNumber.Beyond(ack, peer.Acknowledged);
        if (advance > 0)
        {
            record.Traits |= PacketTraits.Advancing;
            if (SequenceNumber.Less(peer.Next, ack))
            {
                record.Traits |= PacketTraits.AcksUnseen;
            }

            Cover(ref sender, ref peer, in segment, ref record);
            peer.Acknowledged = ack;
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

    /// <summary>Takes what the ACK covers from the outstanding segments and measures both waits.</summary>
    private static void Cover(ref FlowState sender, ref FlowState peer, in TcpSegment segment, ref PacketRecord record)
    {
        uint ack = segment.Acknowledgement;
        bool any = false;
        bool sentAgain = false;
        int covered = 0;
        while (peer.Outstanding.Count > 0)
        {
            ref OutstandingSegment item = ref peer.Outstanding[0];
            bool whole = SequenceNumber.LessOrEqual(item.End, ack);
            if (!whole && !SequenceNumber.Less(item.Sequence, ack))
            {
                break;
            }

            if (item.Sends > 1)
            {
                sentAgain = true;
                // The ACK's own echo belongs to the segment that made it advance: only the first one covered tells.
                if (!any && segment.HasTimestamp && item.LastTimestamp != 0 && SequenceNumber.Less(segment.TimestampEcho, item.LastTimestamp))
                {
                    record.Traits |= PacketTraits.OriginalArrived;
                }
            }

            if (item.OutOfOrder)
            {
                record.Traits |= PacketTraits.Forced;
            }

            if (!any)
            {
                record.SinceFirstNs = Math.Max(0, segment.TimeNs - item.FirstSentNs);
                any = true;
            }

            covered += item.IsData ? 1 : 0;
            record.SinceLastNs = segment.TimeNs - item.FirstSentNs;
            if (!whole)
            {
                // An ACK inside a segment that the adapter cut into several.
                item.Sequence = ack;
                break;
            }

            if (item.End == ack)
            {
                record.Traits |= PacketTraits.ExactEnd;
            }

            peer.Outstanding.RemoveFirst();
        }

        record.Covered = (ushort)Math.Min(covered, ushort.MaxValue);
        if (peer.Outstanding.Count > 0 && sender.BaseNs != FlowState.Unknown
            && segment.TimeNs - peer.Outstanding[0].FirstSentNs > sender.BaseNs + (sender.BaseNs / 4) + ArrivedNs)
        {
            record.Traits |= PacketTraits.LeavesArrived;
        }

        if (sentAgain)
        {
            record.Traits |= PacketTraits.AmbiguousRtt;
        }
        else if (any && !record.Has(PacketTraits.Forced) && record.SinceLastNs >= 0)
        {
            sender.BaseNs = Math.Min(sender.BaseNs, record.SinceLastNs);
            if (covered == 0 && !record.Has(PacketTraits.Fin) && sender.HandshakeNs == FlowState.Unknown && peer.SynSeen && ack == peer.Initial + 1)
            {
                sender.HandshakeNs = record.SinceLastNs;
            }
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

        record.SackRight = first.Right;
        for (int i = 0; i < segment.SackCount; i++)
        {
            SackBlock block = segment.Sack[i];
            record.SackBytes += block.Right - block.Left;
            record.SackRight = SequenceNumber.Less(record.SackRight, block.Right) ? block.Right : record.SackRight;
        }
    }
}
