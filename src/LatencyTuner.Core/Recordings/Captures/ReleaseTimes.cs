using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// A connection that was open before the capture began shows no handshake, and an end that acknowledges only with its next message seems farther
/// away by its processing time. When its small segments repeatedly follow ACKs at once, it cannot be farther away than this time.
/// </summary>
internal static class ReleaseTimes
{
    private const long QuickNs = 500_000;
    private const int Fewest = 3;

    /// <summary>The shortest time from an ACK to the small segment after it, nanoseconds; <see cref="FlowState.Unknown"/> where chance explains it.</summary>
    /// <param name="records">The packets.</param>
    /// <param name="side">The end that sends the data: 0 the client, 1 the server.</param>
    /// <param name="mss">Its largest payload, bytes.</param>
    public static long ShortestOf(ReadOnlySpan<PacketRecord> records, int side, int mss)
    {
        (long shortest, int quick, double expected, _) = Of(records, side, mss);
        return quick >= Fewest && Coincidence.Probability(expected, quick) < Coincidence.Unlikely ? shortest : FlowState.Unknown;
    }

    /// <summary>The same time without the test for chance, when it was seen a few times: no ACK can be shown to arrive later than this.</summary>
    public static long LeastOf(ReadOnlySpan<PacketRecord> records, int side, int mss)
    {
        (long shortest, _, _, int all) = Of(records, side, mss);
        return all >= Fewest ? shortest : FlowState.Unknown;
    }

    private static (long Shortest, int Quick, double Expected, int All) Of(ReadOnlySpan<PacketRecord> records, int side, int mss)
    {
        long shortest = FlowState.Unknown;
        double expected = 0;
        int quick = 0;
        int all = 0;
        (long sentNs, long ackNs, uint next) = (0, 0, 0);
        foreach (ref readonly PacketRecord record in records)
        {
            if (record.Side != side)
            {
                bool empties = record.IsPureAck && record.Has(PacketTraits.Advancing) && sentNs != 0 && record.Acknowledgement == next;
                (sentNs, ackNs) = record.Length > 0 ? (0, 0) : (sentNs, empties ? record.TimeNs : ackNs);
                continue;
            }

            if (!record.Has(PacketTraits.NewData))
            {
                continue;
            }

            if (ackNs != 0 && record.Length < mss && record.TimeNs > sentNs)
            {
                long gap = Math.Max(0, record.TimeNs - ackNs);
                expected += Math.Min(1, (double)QuickNs / (record.TimeNs - sentNs));
                quick += gap <= QuickNs ? 1 : 0;
                shortest = Math.Min(shortest, gap);
                all++;
            }

            (sentNs, ackNs, next) = (record.TimeNs, 0, record.End);
        }

        return (shortest, quick, expected, all);
    }
}
