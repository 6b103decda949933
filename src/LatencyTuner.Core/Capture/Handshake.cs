namespace LatencyTuner.Core.Capture;

/// <summary>What SYN and SYN/ACK say: options, and who the client is.</summary>
internal static class Handshake
{
    public static void Add(TcpConnection connection, ref FlowState sender, in TcpSegment segment)
    {
        if (sender.SynSeen)
        {
            if (segment.IsSyn)
            {
                connection.SynRetransmissions++;
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
        // Absent is a scale that is known: no scaling in either direction.
        sender.Scale = segment.OptionsCut && segment.WindowScale < 0 ? (sbyte)-1 : Math.Max(segment.WindowScale, (sbyte)0);
    }
}
