namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>A queue on the path that data of one end fills and that is long enough to be a cause of its own (LT132).</summary>
internal static class StandingQueue
{
    private const double LeastShare = 0.2;
    private const long LeastNs = 30_000_000;

    /// <summary>True when this end's data waited in a queue for long enough.</summary>
    public static bool Delays(SideOfConnection side) =>
        side.Facts.BloatNs >= LeastShare * side.Connection.ActiveNs && side.Connection.ActiveNs > 0
        && ExcessNs(side) >= Math.Max(LeastNs, 2 * BaseNs(side));

    /// <summary>Time in which this end's data waited in that queue, whatever else it waited for, nanoseconds; 0 where the queue is no cause.</summary>
    public static long Ns(SideOfConnection side) => Delays(side) ? side.Facts.BloatNs : 0;

    /// <summary>The shortest round trip of the path, nanoseconds.</summary>
    public static long BaseNs(SideOfConnection side) =>
        side.Connection.PathBaseNs ?? (side.Connection.ClientBaseNs ?? 0) + (side.Connection.ServerBaseNs ?? 0);

    /// <summary>How much longer round trips through the queue took, nanoseconds: the 95th percentile.</summary>
    public static long ExcessNs(SideOfConnection side) =>
        Math.Max(Percentile(side.Facts.ExcessNs.All, 0.95), Percentile(side.Facts.EchoExcessNs.All, 0.95));

    private static long Percentile(IEnumerable<long> values, double q)
    {
        long[] sorted = [.. values.Order()];
        return sorted.Length == 0 ? 0 : sorted[Math.Min(sorted.Length - 1, (int)(q * sorted.Length))];
    }
}
