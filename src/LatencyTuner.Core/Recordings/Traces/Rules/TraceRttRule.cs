using System.Net;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>
/// The path's own round trip explains the time (LT131): taken from the time to connect, or from the shortest round trip in the connection's totals.
/// An ACK of data may have been delayed, so it is not used.
/// </summary>
internal static class TraceRttRule
{
    private const double LeastMs = 10;
    private const double LeastShare = 0.5;
    private const int Fewest = 3;

    internal static IEnumerable<Finding> Evaluate(TraceEvidence evidence)
    {
        foreach (IGrouping<((uint? Id, int Generation) Owner, IPAddress?), TraceConnection> group in evidence.Connections
            .Where(c => c.IsClient && c.PathNs is not null).GroupBy(c => (c.Owner, c.Remote.IsKnown ? c.Remote.Address : null)))
        {
            TraceConnection[] connections = [.. group];
            long[] durations = [.. connections.SelectMany(c => c.Turns.All(c.IsClient)).Select(t => t.DurationNs)];
            long path = connections.Min(c => c.PathNs!.Value);
            double median = TraceFindingBuilder.MedianMs(durations);
            if (durations.Length < Fewest || path / 1e6 < LeastMs || path / 1e6 < LeastShare * median)
            {
                continue;
            }

            yield return TraceFindingBuilder.Finding(
                evidence, Cause.NetworkRtt, Side.Network, connections, durations.Length, path * durations.Length, 0, Confidence.Likely,
                [
                    $"the round trip to {connections[0].Remote.Address} is {path / 1e6:0.0} ms of a median request of {median:0.0} ms. It is the connect time "
                    + "[TCPIP events 1002 or 1031, 1033] or the shortest round trip in the totals [TCPIP event 1477]"], [],
                "Use fewer round trips per operation, or a nearer server. No TCP setting shortens the path.") with
            { Host = null, Process = connections[0].Process, Severity = Severity.Info };
        }
    }
}
