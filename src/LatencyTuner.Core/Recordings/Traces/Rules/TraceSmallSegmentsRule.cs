using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>
/// The sender's silly window syndrome avoidance (LT115): data waited because the window had room for less than a segment (RFC 1122 4.2.3.4,
/// TCPIP events 1100 and 1101). The window rules already count this time, so it costs nothing here.
/// </summary>
internal static class TraceSmallSegmentsRule
{
    private const int Fewest = 3;

    internal static IEnumerable<Finding> Evaluate(TraceEvidence evidence)
    {
        foreach (IGrouping<((uint? Id, int Generation) Owner, Side Side), TraceConnection> group in evidence.Connections.Where(c => c.Windows.Silly >= Fewest)
            .GroupBy(c => (c.Owner, c.Side)))
        {
            TraceConnection[] connections = [.. group];
            TraceConnection first = connections[0];
            yield return TraceFindingBuilder.Finding(
                evidence, Cause.SmallSegments, first.PeerSide, connections, connections.Sum(c => c.Windows.Silly), 0, 0, Confidence.Likely,
                [
                    $"the TCP stack held data {Counted.Of(connections.Sum(c => c.Windows.Silly), "time")}, for "
                    + $"{connections.Sum(c => c.Windows.SillyNs) / 1e6:0.0} ms in all, while a window had no room for it [TCPIP events 1100, 1101]"],
                ["the window findings (LT111, LT112, LT113) count this time"],
                "At the peer: let the application read more data at a time, or allow a larger receive buffer.") with
            { Severity = Severity.Info, CountOf = "hold" };
        }
    }
}
