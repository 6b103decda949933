using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>The round trip grows far beyond its base while data is in flight (LT132): a queue on the path.</summary>
internal static class CaptureBufferbloatRule
{
    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        foreach (IGrouping<(IpAddressValue Host, IpAddressValue Peer), SideOfConnection> path in evidence.Sides.Where(StandingQueue.Delays)
            .GroupBy(s => (s.Host, s.Peer)))
        {
            SideOfConnection[] sides = [.. path];
            LostTime cost = new(sides.Sum(s => s.Connection.Time.QueueNs(s.Index)), sides.Sum(s => s.Connection.ActiveNs), 0, TimeSpan.Zero);
            long p95 = sides.Max(StandingQueue.ExcessNs);
            long baseNs = sides.Min(StandingQueue.BaseNs);
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
}
