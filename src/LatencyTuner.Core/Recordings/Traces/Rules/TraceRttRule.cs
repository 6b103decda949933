using System.Net;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>
/// The path's own round trip explains the time (LT131): by the time to connect, or the least round trip of the connection's totals. An
/// acknowledgement of data may have been delayed, and tells nothing.
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
            double median = TraceCost.MedianMs(durations);
            if (durations.Length < Fewest || path / 1e6 < LeastMs || path / 1e6 < LeastShare * median)
            {
                continue;
            }

            yield return TraceCost.Finding(
                evidence, Cause.NetworkRtt, Side.Network, connections, durations.Length, path * durations.Length, 0, Confidence.Likely,
                [
                    $"the round trip to {connections[0].Remote.Address} is {path / 1e6:0.0} ms (connecting took that long, 1002 or 1031 to 1033, or the "
                    + $"totals say so, 1477) of a median request of {median:0.0} ms"], [],
                "Fewer round trips per operation, or a nearer server; no TCP setting shortens the path.") with
            { Host = null, Process = connections[0].Process, Severity = Severity.Info };
        }
    }
}
