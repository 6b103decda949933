namespace LatencyTuner.Core.Capture;

/// <summary>
/// Round trips through a sender by its timestamp echoes: from a packet of the peer to the first data that echoes it. Near the receiver it is
/// the only view of a queue before the tap.
/// </summary>
internal static class TimestampEcho
{
    public static void Add(ref FlowState sender, ref FlowState peer, in TcpSegment segment, ref PacketRecord record)
    {
        if (peer.EchoNs != 0 && SequenceNumber.LessOrEqual(peer.EchoTimestamp, segment.TimestampEcho))
        {
            if (record.Has(PacketTraits.NewData) && record.SinceLastNs < 0)
            {
                record.Traits |= PacketTraits.Echo;
                record.SinceLastNs = Math.Max(0, segment.TimeNs - peer.EchoNs);
                sender.EchoBaseNs = Math.Min(sender.EchoBaseNs, record.SinceLastNs);
            }

            peer.EchoNs = 0;
        }

        if (sender.EchoNs == 0 && (segment.Flags & TcpFlags.Ack) != 0)
        {
            (sender.EchoTimestamp, sender.EchoNs) = (segment.TimestampValue, segment.TimeNs);
        }
    }
}
