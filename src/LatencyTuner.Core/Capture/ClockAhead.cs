namespace LatencyTuner.Core.Capture;

/// <summary>
/// Detects that the capture clock jumped forward between two packets of a connection: the clock was set, or the capturing machine or a captured
/// virtual machine was suspended. The time between the two packets is then not the time that passed for the connection.
/// </summary>
internal static class ClockAhead
{
    // Shorter gaps are not checked: a timestamp may be a little old when its packet is sent.
    private const long ShortestNs = 5_000_000_000;

    // RFC 7323 5.4: a timestamp clock ticks at least once a second.
    private const long LongestTickNs = 1_000_000_000;

    // Longer than any sender waits before it retransmits unacknowledged data (RFC 6298 2.5 allows a limit of 60 s; Linux uses 120 s).
    private const long LongestTimerNs = 300_000_000_000;

    /// <summary>Checks the time between the previous packet and this one, and counts a clock step.</summary>
    /// <param name="connection">The connection; its last packet is the previous one.</param>
    /// <param name="sender">The direction of this packet, not yet updated with it.</param>
    /// <param name="segment">The packet.</param>
    public static bool Before(TcpConnection connection, in FlowState sender, in TcpSegment segment)
    {
        long gap = segment.TimeNs - connection.PacketNs;
        if (gap < ShortestNs || connection.PacketNs == 0 || (segment.Flags & (TcpFlags.Syn | TcpFlags.Rst)) != 0)
        {
            return false;
        }

        bool outstanding = connection.FromClient.HasOutstanding || connection.FromServer.HasOutstanding;
        int ticks = (int)(segment.TimestampValue - sender.TimestampValue);
        // A packet that repeats an old timestamp is no evidence: for example a keep-alive that an adapter or a proxy sends.
        bool byTimestamp = segment.HasTimestamp && sender.TimestampNs != 0 && ticks >= 0 && segment.TimeNs - sender.TimestampNs > (ticks + 2) * LongestTickNs
            && (outstanding || segment.PayloadLength > 1);
        if (!byTimestamp && !(outstanding && gap > LongestTimerNs))
        {
            return false;
        }

        connection.ForwardSteps++;
        connection.ForwardNs += gap;
        return true;
    }
}
