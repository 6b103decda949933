using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>The round trip grows far beyond its base while data is in flight (LT132): a queue on the path.</summary>
internal static class CaptureBufferbloatRule
{
    private const double LeastShare = 0.2;
    private const long LeastNs = 30_000_000;

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        foreach (IGrouping<(IpAddressValue Host, IpAddressValue Peer), SideOfConnection> path in evidence.Sides.Where(Applies).GroupBy(s => (s.Host, s.Peer)))
        {
            SideOfConnection[] sides = [.. path];
            LostTime cost = new(sides.Sum(s => s.Facts.BloatNs), sides.Sum(s => s.Connection.ActiveNs), 0, TimeSpan.Zero);
            long p95 = sides.Max(Excess);
            long baseNs = sides.Min(Base);
            yield return new Finding
            {
                Cause = Cause.Bufferbloat,
                Side = Side.Network,
                Confidence = Confidence.Likely,
                Severity = evidence.Limits.Of(cost.Share, 0, TimeSpan.Zero),
                Count = sides.Sum(s => s.Facts.ExcessNs.Count + s.Facts.EchoExcessNs.Count),
                CostMs = cost.Ms,
                CostShare = cost.Share,
                Connections = ConnectionNames.Of(sides.Select(s => s.Connection)),
                For = [
                    $"under load the round trip from {path.Key.Host} to {path.Key.Peer} exceeds its base of {baseNs / 1e6:0.0} ms by {p95 / 1e6:0} ms "
                    + "(95th percentile of the minima of successive samples)"],
                Against = [],
                Recommendation =
                    "Use queue management or pacing at the slowest link (CoDel, FQ, a rate limit just below the link rate). Or separate bulk transfers from "
                    + "interactive traffic.",
            };
        }
    }

    private static long Base(SideOfConnection side) => side.Connection.PathBaseNs ?? (side.Connection.ClientBaseNs ?? 0) + (side.Connection.ServerBaseNs ?? 0);

    /// <summary>
    /// Time in which this end's data waited in a queue on the path, nanoseconds: then the path was full, and a larger window would only lengthen the
    /// queue. 0 where the queue is no finding.
    /// </summary>
    internal static long FullPathNs(SideOfConnection side) => Applies(side) ? side.Facts.BloatNs : 0;

    private static bool Applies(SideOfConnection side) =>
        side.Facts.BloatNs >= LeastShare * side.Connection.ActiveNs && side.Connection.ActiveNs > 0
        && Excess(side) >= Math.Max(LeastNs, 2 * Base(side));

    private static long Excess(SideOfConnection side) => Math.Max(Percentile(side.Facts.ExcessNs.All, 0.95), Percentile(side.Facts.EchoExcessNs.All, 0.95));

    private static long Percentile(IEnumerable<long> values, double q)
    {
        long[] sorted = [.. values.Order()];
        return sorted.Length == 0 ? 0 : sorted[Math.Min(sorted.Length - 1, (int)(q * sorted.Length))];
    }
}
