namespace LatencyTuner.Core.Capture;

/// <summary>What SYN and SYN/ACK say: options, and who the client is.</summary>
internal static class Handshake
{
    // No stack's timer is shorter (RFC 6298 2.1: 1 s): with the same IP identification it is the same packet, captured twice.
    internal const long SoonestRetryNs = 200_000_000;

    public static void Add(TcpConnection connection, ref FlowState sender, in FlowState peer, in TcpSegment segment)
    {
        if (sender.SynSeen)
        {
            bool same = segment.IpId != 0 && segment.IpId == connection.SynIpId && segment.TimeNs - connection.SynNs < SoonestRetryNs;
            if (segment.IsSyn && !same)
            {
                connection.SynRetransmissions++;
                connection.SynsUnanswered += peer.SynSeen ? 0 : 1;
                connection.SynRetryNs = segment.TimeNs - connection.SynNs;
            }

            return;
        }

        if (segment.IsSyn)
        {
            (connection.SynNs, connection.SynIpId) = (segment.TimeNs, segment.IpId);
        }

        sender.SynSeen = true;
        sender.Mss = segment.Mss;
        sender.SackPermitted = segment.SackPermitted;
        sender.Timestamps = segment.HasTimestamp;
        // Absent is known too: no scaling in either direction.
        sender.Scale = segment.WindowScale >= 0 ? segment.WindowScale : segment.OptionsCut ? FlowState.UnknownScale : FlowState.Unscaled;
    }
}
