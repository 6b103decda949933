namespace LatencyTuner.Core.Capture;

/// <summary>
/// Whether the clock of a capture went ahead between two packets of a connection: because somebody set it, or because the capturing machine, or a
/// virtual one that was captured, stood still. What the packets say of time passed cannot be true then.
/// </summary>
internal static class ClockAhead
{
    // Shorter gaps are not worth a doubt: a timestamp may be a little old when its packet leaves.
    private const long ShortestNs = 5_000_000_000;

    // RFC 7323 5.4: a timestamp clock ticks at least once a second.
    private const long LongestTickNs = 1_000_000_000;

    // Longer than any sender waits before it sends unacknowledged data again (RFC 6298 2.5 lets it limit that to 60 s; Linux takes 120 s).
    private const long LongestTimerNs = 300_000_000_000;

    /// <summary>Judges the time between the packet before and this one, and counts a step.</summary>
    /// <param name="connection">The connection, its last packet being the one before.</param>
    /// <param name="sender">The direction of this packet, before it is followed.</param>
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
        // What repeats an old timestamp later on has nothing new to say: a keep-alive that an adapter or a proxy sends.
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
