namespace LatencyTuner.Core.Capture;

/// <summary>Reads SYN and SYN/ACK: the options, and which end is the client.</summary>
internal static class Handshake
{
    public static void Add(TcpConnection connection, ref FlowState sender, in FlowState peer, in TcpSegment segment)
    {
        if (sender.SynSeen)
        {
            // No timer repeats a SYN so soon: the packet was captured twice, or a device before the capture point had held it back.
            bool soon = segment.TimeNs - connection.SynNs < TcpConnection.ShortestRtoNs;
            if (segment.IsSyn && !soon && !peer.SynSeen && peer.Packets > 0)
            {
                // The server still had the connection before, and answered with an ACK of it (RFC 9293 3.10.7.4): nothing was lost.
                connection.SynsChallenged++;
                connection.SynNs = segment.TimeNs;
            }
            else if (segment.IsSyn && !soon)
            {
                connection.SynRetransmissions++;
                connection.SynsUnanswered += peer.SynSeen ? 0 : 1;
                connection.SynRetryNs = segment.TimeNs - connection.SynNs;
            }

            return;
        }

        if (segment.IsSyn)
        {
            connection.SynNs = segment.TimeNs;
        }

        sender.SynSeen = true;
        sender.Mss = segment.Mss;
        sender.SackPermitted = segment.SackPermitted;
        sender.Timestamps = segment.HasTimestamp;
        // An absent option is information too: no scaling in either direction.
        sender.Scale = segment.WindowScale >= 0 ? segment.WindowScale : segment.OptionsCut ? FlowState.UnknownScale : FlowState.Unscaled;
    }
}
