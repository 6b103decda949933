namespace LatencyTuner.Core.Capture;

/// <summary>
/// Whether a capturing program gave its packets the times at which it got them, many at once, as captures of phones have them: then the clocks of both ends, by
/// their TCP timestamps (RFC 7323 4), go on between packets that the capture has at nearly the same time. A path that holds packets does that to what comes
/// from one side, but not to what leaves beside the tap.
/// </summary>
internal static class BatchedTimes
{
    private const long TogetherNs = 1_000_000;
    private const long TickNs = 1_000_000;
    private const int LeastTicks = 50;
    private const int Fewest = 3;
    private const long ShortestNs = 1_000_000_000;
    private const double MostOff = 1.5;

    /// <summary>Adds a packet with a timestamp, before its sender's timestamp is set to it.</summary>
    public static void Add(ref FlowState sender, in TcpSegment segment)
    {
        if (sender.TimestampNs == 0)
        {
            (sender.FirstTimestamp, sender.FirstTimestampNs) = (segment.TimestampValue, segment.TimeNs);
            return;
        }

        int ticks = (int)(segment.TimestampValue - sender.TimestampValue);
        if (ticks >= LeastTicks && segment.TimeNs - sender.TimestampNs is >= 0 and < TogetherNs)
        {
            sender.BatchLeaps++;
            sender.LongestBatchLeap = Math.Max(sender.LongestBatchLeap, ticks);
        }
    }

    /// <summary>The longest time, nanoseconds, by which the clocks of both ends went on between packets of the same time; 0 where they did not.</summary>
    public static long LongestNs(TcpConnection connection) =>
        Leaps(in connection.FromClient) && Leaps(in connection.FromServer)
            ? Math.Max(connection.FromClient.LongestBatchLeap, connection.FromServer.LongestBatchLeap) * TickNs : 0;

    /// <summary>True for a clock of milliseconds that goes on several times.</summary>
    private static bool Leaps(in FlowState flow)
    {
        long elapsedNs = flow.TimestampNs - flow.FirstTimestampNs;
        double ticksNs = (double)(int)(flow.TimestampValue - flow.FirstTimestamp) * TickNs;
        return flow.BatchLeaps >= Fewest && elapsedNs >= ShortestNs && ticksNs <= MostOff * elapsedNs && elapsedNs <= MostOff * ticksNs;
    }
}
