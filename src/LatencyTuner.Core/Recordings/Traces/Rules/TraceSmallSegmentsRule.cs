using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>
/// The sender avoided silly windows (LT115): what it had to send waited because the window had room for less than a segment (RFC 1122 4.2.3.4,
/// events 1100 and 1101). Time that the window rules already count is not counted again: it costs nothing here.
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
            yield return TraceCost.Finding(
                evidence, Cause.SmallSegments, first.PeerSide, connections, connections.Sum(c => c.Windows.Silly), 0, 0, Confidence.Likely,
                [
                    $"the stack held data {connections.Sum(c => c.Windows.Silly)} times (1100, 1101), "
                    + $"{connections.Sum(c => c.Windows.SillyNs) / 1e6:0.0} ms in all, while a window had room for less than it"],
                ["its time is counted with the windows (LT111, LT112, LT113)"],
                "At the peer: an application that takes more at once, or a larger receive buffer.") with
            { Severity = Severity.Info };
        }
    }
}
