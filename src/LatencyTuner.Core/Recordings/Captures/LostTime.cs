namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>The time that a cause cost, and the active time of its connections.</summary>
/// <param name="Ns">Time lost, nanoseconds.</param>
/// <param name="ActiveNs">Active time of the connections concerned, nanoseconds.</param>
/// <param name="LongStalls">Number of stalls of 100 ms and more.</param>
/// <param name="Elapsed">Time from the first packet of these connections to the last.</param>
internal readonly record struct LostTime(long Ns, long ActiveNs, long LongStalls, TimeSpan Elapsed)
{
    public double Ms => Ns / 1e6;

    public double Share => ActiveNs <= 0 ? 0 : Math.Min((double)Ns / ActiveNs, 1);

    /// <summary>The cost of stalls of some kinds to the data of some ends.</summary>
    public static LostTime Of(IReadOnlyCollection<SideOfConnection> sides, params StallKind[] kinds)
    {
        ConnectionFacts[] connections = [.. sides.Select(s => s.Connection).DistinctBy(c => c.Number)];
        return new LostTime(
            sides.Sum(s => kinds.Sum(s.Owned)),
            connections.Sum(c => c.ActiveNs),
            // Where another cause owns a part, it is unknown how many of the long stalls are left.
            sides.Sum(s => kinds.Sum(k => s.Owned(k) < s.Facts.OwnedNs(k) ? 0 : s.Facts.LongStalls(k))),
            ElapsedOf(connections));
    }

    /// <summary>The same of a kind for each end.</summary>
    public static LostTime Of(IReadOnlyCollection<(SideOfConnection Side, StallKind Kind)> waits)
    {
        ConnectionFacts[] connections = [.. waits.Select(w => w.Side.Connection).DistinctBy(c => c.Number)];
        return new LostTime(
            waits.Sum(w => w.Side.Owned(w.Kind)),
            connections.Sum(c => c.ActiveNs),
            waits.Sum(w => w.Side.Owned(w.Kind) < w.Side.Facts.OwnedNs(w.Kind) ? 0 : w.Side.Facts.LongStalls(w.Kind)),
            ElapsedOf(connections));
    }

    /// <summary>From the first packet of the connections to the last.</summary>
    public static TimeSpan ElapsedOf(IReadOnlyCollection<ConnectionFacts> connections) =>
        connections.Count == 0 ? TimeSpan.Zero : TimeSpan.FromTicks((connections.Max(c => c.LastNs) - connections.Min(c => c.FirstNs)) / 100);
}
