namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>A queue on the path that data of one end fills and that is long enough to be a cause of its own (LT132).</summary>
internal static class StandingQueue
{
    private const double LeastShare = 0.2;
    private const long LeastNs = 30_000_000;
    private const double LeastOfBase = 0.125;
    private const long ShortestNs = 2_000_000;

    /// <summary>
    /// True when this end's data waited in a queue for long enough. One stop of the path delays what is sent meanwhile as a queue does, but for no longer than
    /// it lasts.
    /// </summary>
    public static bool Delays(SideOfConnection side) =>
        side.Facts.BloatNs >= LeastShare * side.Connection.ActiveNs && side.Connection.ActiveNs > 0
        && ExcessNs(side) is var excessNs && excessNs >= Math.Max(LeastNs, 2 * BaseNs(side)) && side.Facts.BloatNs > 2 * excessNs;

    /// <summary>Time in which this end's data waited in that queue, whatever else it waited for, nanoseconds; 0 where the queue is no cause.</summary>
    public static long Ns(SideOfConnection side) => Delays(side) ? side.Facts.BloatNs : 0;

    /// <summary>
    /// True when this end's data fills the path, however short the queue: as much is in flight as the path delivers in its shortest round trip, and
    /// data waits in a queue most of the time. A larger window would only lengthen that queue.
    /// </summary>
    /// <remarks>
    /// Each sign alone would mislead. Segments that follow each other evenly arrive at the window's own rate, whatever the path could carry: then there
    /// is no queue. A burst waits behind itself on a path that is idle most of the time: then the path delivers it faster than one window in each round
    /// trip. Without any rate, a queue as long as the path itself is needed, which a burst of less than the path holds cannot make.
    /// </remarks>
    public static bool FillsPath(SideOfConnection side)
    {
        long baseNs = BaseNs(side);
        long excessNs = ExcessNs(side, 0.5);
        double nsPerByte = DeliveryRate.NsPerByte([side]);
        double least = nsPerByte > 0 ? LeastOfBase : 1;
        return excessNs >= Math.Max(ShortestNs, least * baseNs) && (nsPerByte == 0 || side.Facts.LargestFlight * nsPerByte >= baseNs);
    }

    /// <summary>The shortest round trip of the path, nanoseconds.</summary>
    public static long BaseNs(SideOfConnection side) =>
        side.Connection.PathBaseNs ?? (side.Connection.ClientBaseNs ?? 0) + (side.Connection.ServerBaseNs ?? 0);

    /// <summary>How much longer round trips through the queue took, nanoseconds: the 95th percentile.</summary>
    public static long ExcessNs(SideOfConnection side) => ExcessNs(side, 0.95);

    private static long ExcessNs(SideOfConnection side, double q) =>
        Math.Max(Percentile(side.Facts.ExcessNs.All, q), Percentile(side.Facts.EchoExcessNs.All, q));

    private static long Percentile(IEnumerable<long> values, double q)
    {
        long[] sorted = [.. values.Order()];
        return sorted.Length == 0 ? 0 : sorted[Math.Min(sorted.Length - 1, (int)(q * sorted.Length))];
    }
}
