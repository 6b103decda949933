using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>Data or SYNs were sent again after a timeout or by a tail-loss probe (LT121), or by fast retransmission (LT122).</summary>
internal static class TraceLossRule
{
    internal static IEnumerable<Finding> Evaluate(TraceEvidence evidence)
    {
        foreach (IGrouping<((uint? Id, int Generation) Owner, Side Side), TraceConnection> group in evidence.Connections
            .Where(c => Timeouts(c) + c.Losses.Probes + Syns(c) > 0).GroupBy(c => (c.Owner, c.Side)))
        {
            yield return Late(evidence, [.. group]);
        }

        foreach (IGrouping<((uint? Id, int Generation) Owner, Side Side), TraceConnection> group in evidence.Connections.Where(c => Fast(c) > 0)
            .GroupBy(c => (c.Owner, c.Side)))
        {
            TraceConnection[] connections = [.. group];
            long seen = connections.Sum(c => c.Losses.Fast);
            Finding finding = TraceFindingBuilder.Finding(
                evidence, Cause.LossFastRetransmit, Side.Network, connections, connections.Sum(Fast), connections.Sum(c => c.Losses.FastNs), 0,
                Confidence.Likely,
                [
                    seen > 0 ? $"retransmissions after at least three duplicate ACKs: {seen} [TCPIP events 1430, then 1351 or 1077]"
                        : $"fast retransmissions by the totals of the connections: {connections.Sum(Fast)} [TCPIP events 1352, 1477]"],
                seen > 0 ? [] : ["the totals do not show what they cost"], "Look for what drops packets: the path, a full queue, adapter errors.") with
            { Host = null, Process = connections[0].Process };
            yield return seen > 0 ? finding : finding with { CostMs = null, CostShare = null };
        }
    }

    private static Finding Late(TraceEvidence evidence, TraceConnection[] connections)
    {
        List<string> reasons = [];
        List<string> against = [];
        if (connections.Sum(Timeouts) is > 0 and var timeouts)
        {
            reasons.Add(
                $"rounds of retransmission after a timeout: {timeouts} [TCPIP events 1351, 1077, 1187; kernel TcpIp event 14; or totals of TCPIP events "
                + $"1352, 1477]{(connections.Sum(c => c.Losses.TimeoutNs) is > 0 and var ns ? $"; the data had waited {ns / 1e6:0.0} ms in all" : "")}");
            if (connections.Any(c => c.Losses.Timeouts > 0) && !evidence.Analyser.Has(1430))
            {
                against.Add(
                    "the trace has no duplicate ACK [TCPIP event 1430]; if these events were not captured, some of these retransmissions may be fast "
                        + "retransmissions");
            }
        }

        if (connections.Sum(c => c.Losses.Probes) is > 0 and var probes)
        {
            reasons.Add(
                $"tail-loss probes: {probes}, sent {connections.Sum(c => c.Losses.ProbeNs) / 1e6:0.0} ms in all after the data that they repeat "
                    + "[TCPIP event 1386]");
        }

        long syns = connections.Sum(Syns);
        long connecting = connections.Where(c => Syns(c) > 0).Sum(c => c.ConnectNs ?? 0);
        if (syns > 0)
        {
            double? longest = connections.Where(c => Syns(c) > 0).Max(c => c.ConnectNs) / 1e6;
            reasons.Add($"SYNs sent again: {syns} [TCPIP event 1186]" + (longest is { } ms ? $"; connecting took at most {ms:0.0} ms" : ""));
        }

        long cost = connections.Sum(c => c.Losses.TimeoutNs + c.Losses.ProbeNs) + connecting;
        if (cost == 0)
        {
            against.Add("these events do not show what the losses cost");
        }

        long stalls = connections.Sum(c => c.Losses.LongTimeouts) + connections.Count(c => Syns(c) > 0 && c.ConnectNs >= 100_000_000);
        return TraceFindingBuilder.Finding(
            evidence, Cause.LossRto, Side.Network, connections, connections.Sum(c => Timeouts(c) + c.Losses.Probes) + syns, cost, stalls, Confidence.Likely,
            reasons, against,
            "Look for what drops packets: the path, a full queue, a firewall, adapter errors.") with
        { Host = null, Process = connections[0].Process };
    }

    private static long Timeouts(TraceConnection c) => Math.Max(Math.Max(c.Losses.Timeouts, c.KernelRetransmissions - c.Losses.Fast), c.Totals?.Timeouts ?? 0);

    private static long Fast(TraceConnection c) => Math.Max(c.Losses.Fast, c.Totals?.FastRetransmissions ?? 0);

    private static long Syns(TraceConnection c) => Math.Max(c.Losses.Syns, c.Totals?.SynRetransmissions ?? 0);
}
