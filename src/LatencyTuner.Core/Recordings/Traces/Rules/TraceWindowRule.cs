using System.Net;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>
/// Data that was ready waited for the peer's window (LT111), for a window that was closed (LT112), or for the congestion window (LT113): from the
/// events of single sends, or from the totals of connections where the trace has only those.
/// </summary>
internal static class TraceWindowRule
{
    private const double Share = 0.2;
    private const long LongClosedNs = 200_000_000;

    internal static IEnumerable<Finding> Evaluate(TraceEvidence evidence)
    {
        foreach (IGrouping<((uint? Id, int Generation) Owner, Side Side, IPAddress?), TraceConnection> group in evidence.Connections.GroupBy(
            c => (c.Owner, c.Side, c.Remote.IsKnown ? c.Remote.Address : null)))
        {
            TraceConnection[] receiver = [.. group.Where(c => Limited(c, c.Sender.ReceiverLimitedNs, c.Totals?.ReceiverLimitedMs))];
            if (receiver.Length > 0)
            {
                Finding finding = TraceFindingBuilder.Finding(
                    evidence, Cause.ReceiveWindow, receiver[0].PeerSide, receiver, Count(receiver, c => c.Sender.ReceiverLimited),
                    Cost(receiver, c => c.Sender.ReceiverLimitedNs, c => c.Totals?.ReceiverLimitedMs), 0, Confidence.Likely,
                    [Because(receiver, "the peer's window had no room for", c => c.Sender.ReceiverLimitedNs, c => c.Totals?.ReceiverLimitedMs)], [],
                    "At the peer: allow a larger receive buffer (no fixed SO_RCVBUF, receive window auto-tuning on), or let the application read faster.");
                yield return finding with
                {
                    Predictions = TraceResponses.Without(receiver, w => w.ReceiverLimitedNs, CureAssumptions.OpenWindow, atBest: true),
                };
            }

            TraceConnection[] congestion = [.. group.Where(c => Limited(c, c.Sender.CongestionLimitedNs, c.Totals?.CongestionLimitedMs))];
            if (congestion.Length > 0)
            {
                yield return TraceFindingBuilder.Finding(
                    evidence, Cause.CongestionWindow, congestion[0].Side, congestion, Count(congestion, c => c.Sender.CongestionLimited),
                    Cost(congestion, c => c.Sender.CongestionLimitedNs, c => c.Totals?.CongestionLimitedMs), 0, Confidence.Likely,
                    [Because(congestion, "the congestion window had no room for", c => c.Sender.CongestionLimitedNs, c => c.Totals?.CongestionLimitedMs)], [],
                    "Reuse connections. A larger initial congestion window shortens the start of each connection.");
            }

            TraceConnection[] closed = [.. group.Where(c => c.Windows.Closed > 0 && (Closed(c) >= LongClosedNs || Closed(c) > 0.01 * c.ActiveNs))];
            if (closed.Length > 0)
            {
                Finding finding = TraceFindingBuilder.Finding(
                    evidence, Cause.ZeroWindow, closed[0].PeerSide, closed, closed.Sum(c => c.Windows.Closed), closed.Sum(Closed),
                    closed.Count(c => Closed(c) >= LongClosedNs), Confidence.Likely,
                    [
                        $"the peer's window was closed for {closed.Sum(Closed) / 1e6:0.0} ms in all; zero-window periods: "
                        + $"{closed.Sum(c => c.Windows.Closed)} [TCPIP events 1102, 1103]"], [],
                    "At the peer: find out why the application reads too slowly. A larger receive buffer only postpones the stall.");
                yield return finding with { Predictions = TraceResponses.Without(closed, w => w.ClosedNs, CureAssumptions.OpenWindow, atBest: true) };
            }
        }
    }

    private static long Closed(TraceConnection c) => c.Windows.ClosedNs(c.LastNs);

    private static bool Limited(TraceConnection c, long seenNs, long? totalMs) =>
        seenNs > 0 ? seenNs >= Share * c.ActiveNs
            : totalMs > 0 && totalMs * 1_000_000.0 >= Share * (c.Totals?.ConnectionMs * 1_000_000.0 ?? Math.Max(c.LastNs - c.FirstNs, 1));

    private static long Count(TraceConnection[] connections, Func<TraceConnection, long> seen) => Math.Max(connections.Sum(seen), connections.Length);

    private static long Cost(TraceConnection[] connections, Func<TraceConnection, long> seenNs, Func<TraceConnection, long?> totalMs) =>
        connections.Sum(c => seenNs(c) is > 0 and var seen ? seen : Math.Min(totalMs(c) ?? 0, long.MaxValue / 2_000_000) * 1_000_000);

    private static string Because(TraceConnection[] connections, string what, Func<TraceConnection, long> seenNs, Func<TraceConnection, long?> totalMs)
    {
        bool seen = connections.Any(c => seenNs(c) > 0);
        return $"{what} data that was ready, for {Cost(connections, seenNs, totalMs) / 1e6:0.0} ms in "
            + $"all{(seen ? " [TCPIP events 1159, 1330, 1332]" : " by the totals of the connections, assumed in milliseconds [TCPIP events 1352, 1477]")}";
    }
}
