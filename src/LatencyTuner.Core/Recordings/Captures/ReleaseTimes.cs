using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// A connection that was under way when the capture began shows no handshake, and an end that only ever acknowledges with its next message
/// seems as far away as it thinks long. Where its small segments follow right behind ACKs again and again, it cannot be farther than that.
/// </summary>
internal static class ReleaseTimes
{
    private const long QuickNs = 500_000;
    private const int Fewest = 3;

    /// <summary>The shortest time from an ACK to the small segment behind it, nanoseconds; <see cref="FlowState.Unknown"/> where chance explains it.</summary>
    /// <param name="records">The packets.</param>
    /// <param name="side">Who sends the data.</param>
    /// <param name="mss">Its largest payload, bytes.</param>
    public static long ShortestOf(ReadOnlySpan<PacketRecord> records, int side, int mss)
    {
        (long shortest, int quick, double expected, _) = Of(records, side, mss);
        return quick >= Fewest && Coincidence.Probability(expected, quick) < Coincidence.Unlikely ? shortest : FlowState.Unknown;
    }

    /// <summary>The same whatever chance may have done, where it was seen a few times: sooner than this no ACK can be shown to have arrived too late.</summary>
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
