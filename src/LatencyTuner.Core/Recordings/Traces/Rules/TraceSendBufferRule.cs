using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>
/// Send calls end when the peer has acknowledged (LT114): on Windows a send no smaller than the send buffer completes this way (KB 823764), with or
/// without TCP_NODELAY. Counts only the time that no window, no loss and no hold of the connection explains.
/// </summary>
internal static class TraceSendBufferRule
{
    private const int Fewest = 3;
    private const double Share = 0.2;
    private const double AckShare = 0.5;

    internal static IEnumerable<Finding> Evaluate(TraceEvidence evidence)
    {
        foreach (IGrouping<((uint? Id, int Generation) Owner, Side Side), TraceConnection> group in evidence.Connections
            .Where(c => c.Calls is { Blocked: > 0 } calls && calls.EndedByAck >= AckShare * calls.Blocked).GroupBy(c => (c.Owner, c.Side)))
        {
            TraceConnection[] connections = [.. group];
            TraceConnection first = connections[0];
            TraceCalls calls = Sum(connections.Select(c => c.Calls!));
            if (calls.Blocked < Fewest && calls.BlockedNs < Share * connections.Sum(c => c.ActiveNs))
            {
                continue;
            }

            List<string> reasons = [
                Blocked(first.Process ?? "the process", calls), $"{calls.EndedByAck} of these calls ended within 1 ms of an ACK [TCPIP event 1330]"];
            if (calls.SendBuffer is { } set)
            {
                reasons.Add($"SO_SNDBUF was set to {Counted.Of(set, "byte")} [Winsock-AFD event 1035]");
            }

            Finding finding = TraceFindingBuilder.Finding(
                evidence, Cause.SendBuffer, first.Side, connections, calls.Blocked, calls.BlockedNs, calls.LongStalls, Confidence.Likely, reasons, [],
                $"In {first.Process ?? "the process"}: set the send buffer (SO_SNDBUF) larger than the largest send, or keep several sends in flight.");
            yield return finding with { Predictions = TraceResponses.Without(connections, w => w.BlockedNs, CureAssumptions.LargeSendBuffer, atBest: true) };
        }

        foreach (TraceProcess process in evidence.Processes.Where(p => !evidence.JoinedOnly && p.Unjoined.Blocked >= Fewest).OrderBy(p => p.Id)
            .ThenBy(p => p.Generation))
        {
            yield return new Finding
            {
                Cause = Cause.SendBuffer,
                Process = process.Label,
                Confidence = Confidence.Possible,
                Severity = Severity.Info,
                Count = process.Unjoined.Blocked,
                CostMs = process.Unjoined.BlockedNs / 1e6,
                For = [Blocked(process.Label, process.Unjoined)],
                Against = [
                    "the trace does not show which connections these sockets belong to, or whether a window or a loss explains the time",
                    TraceFindingBuilder.Unverified],
                Verified = false,
                Recommendation = "Capture again with the profile Detail, and start before the connections open: latencytuner profiles Detail shows how.",
            };
        }
    }

    private static string Blocked(string who, TraceCalls calls) =>
        $"{calls.Blocked} of {calls.Sends} send calls of {who} took 5 ms or more that nothing else explains: a median of "
        + $"{TraceFindingBuilder.MedianMs(calls.BlockedSends):0.0} ms, at most {calls.LongestSendNs / 1e6:0.0} ms [Winsock-AFD event 1003]";

    private static TraceCalls Sum(IEnumerable<TraceCalls> all)
    {
        TraceCalls sum = new();
        foreach (TraceCalls calls in all)
        {
            sum.Add(calls);
        }

        return sum;
    }
}
