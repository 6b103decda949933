using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>Segments overtake each other on the path (LT123).</summary>
internal static class ReorderingRule
{
    private const int Fewest = 3;
    private const double LeastShare = 0.005;

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        foreach (IGrouping<(IpAddressValue Host, IpAddressValue Peer), SideOfConnection> path in evidence.Sides.Where(s => s.Facts.Reorderings > 0)
            .GroupBy(s => (s.Host, s.Peer)))
        {
            SideOfConnection[] sides = [.. path];
            long events = sides.Sum(s => s.Facts.Reorderings);
            long segments = sides.Sum(s => s.Facts.DataSegments);
            if (events < Fewest || events < LeastShare * segments)
            {
                continue;
            }

            long spurious = sides.Sum(s => s.Facts.SpuriousRetransmissions);
            yield return new Finding
            {
                Cause = Cause.Reordering,
                Side = Side.Network,
                Confidence = Confidence.Likely,
                Severity = Severity.Info,
                Count = events,
                Connections = ConnectionNames.Of(sides.Select(s => s.Connection)),
                For = [$"data from {path.Key.Host} arrived out of order {Counted.Of(events, "time")} without being lost, among "
                    + $"{Counted.Of(segments, "segment")}"],
                Against = spurious > 0 ? [$"{Counted.Of(spurious, "spurious retransmission")}; the data had arrived"] : [],
                Recommendation = "Look for a NIC team, a bond or a load balancer that spreads one connection over paths of different length.",
            };
        }
    }
}
