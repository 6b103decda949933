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
    private const int FewestScattered = 20;
    private const double LeastScatter = 4;

    /// <summary>The shortest time from an ACK to the small segment after it, nanoseconds; <see cref="FlowState.Unknown"/> where chance explains it.</summary>
    /// <param name="records">The packets.</param>
    /// <param name="side">The end that sends the data: 0 the client, 1 the server.</param>
    /// <param name="mss">Its largest payload, bytes.</param>
    public static long ShortestOf(ReadOnlySpan<PacketRecord> records, int side, int mss)
    {
        Releases seen = Of(records, side, mss);
        return seen.Quick >= Fewest && Coincidence.Probability(seen.Expected, seen.Quick) < Coincidence.Unlikely ? seen.Shortest : FlowState.Unknown;
    }

    /// <summary>
    /// The same where a handshake shows a longer time: it counts only where the ACKs come after times that scatter far more than the data behind them. A
    /// sender with a rhythm of its own, and a receiver with a fixed timer, meet after a constant time as well.
    /// </summary>
    public static long ShortestOfScattered(ReadOnlySpan<PacketRecord> records, int side, int mss)
    {
        Releases seen = Of(records, side, mss);
        return seen.Quick >= FewestScattered && 2 * seen.Quick >= seen.All && Coincidence.Probability(seen.Expected, seen.Quick) < Coincidence.Unlikely
            && seen.AckSpreadNs >= LeastScatter * seen.GapSpreadNs ? seen.Shortest : FlowState.Unknown;
    }

    /// <summary>The same time without the test for chance, when it was seen a few times: no ACK can be shown to arrive later than this.</summary>
    public static long LeastOf(ReadOnlySpan<PacketRecord> records, int side, int mss)
    {
        Releases seen = Of(records, side, mss);
        return seen.All >= Fewest ? seen.Shortest : FlowState.Unknown;
    }

    /// <summary>
    /// Small segments behind ACKs: the shortest time, how many came quickly, how many chance would give, all; and by how much the times of successive
    /// quick ones differ in the mean: from data to ACK, and from ACK to data.
    /// </summary>
    private readonly record struct Releases(long Shortest, int Quick, double Expected, int All, double AckSpreadNs, double GapSpreadNs);

    private static Releases Of(ReadOnlySpan<PacketRecord> records, int side, int mss)
    {
        long shortest = FlowState.Unknown;
        double expected = 0;
        int quick = 0;
        int all = 0;
        (long lateBefore, long gapBefore, double ackSpread, double gapSpread) = (0, 0, 0, 0);
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
                if (gap <= QuickNs)
                {
                    long late = ackNs - sentNs;
                    ackSpread += quick > 0 ? Math.Abs(late - lateBefore) : 0;
                    gapSpread += quick > 0 ? Math.Abs(gap - gapBefore) : 0;
                    (lateBefore, gapBefore) = (late, gap);
                    quick++;
                }

                shortest = Math.Min(shortest, gap);
                all++;
            }

            (sentNs, ackNs, next) = (record.TimeNs, 0, record.End);
        }

        return new(shortest, quick, expected, all, ackSpread / Math.Max(1, quick - 1), gapSpread / Math.Max(1, quick - 1));
    }
}
