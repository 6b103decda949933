using System.Globalization;

namespace LatencyTuner.Core.Analysis.Traces.Rules;

/// <summary>Data or SYNs were sent again after a timeout or by a tail-loss probe (LT121), or by fast retransmission (LT122).</summary>
internal static class LossRule
{
    internal static IEnumerable<Finding> Evaluate(TraceEvidence evidence)
    {
        TraceConnection[] late = [.. evidence.Connections.Where(c => Timeouts(c) + c.TailLossProbes + Syns(c) > 0)];
        foreach (var group in late.GroupBy(c => (c.ProcessId, c.Side)))
        {
            TraceConnection[] connections = [.. group];
            long syns = connections.Sum(Syns);
            List<string> reasons = [];
            if (connections.Sum(Timeouts) is > 0 and var timeouts)
            {
                reasons.Add($"{timeouts} rounds of retransmission (1351, 1077, 1187, TcpIp 14, or timeouts of 1352 and 1477)");
            }

            if (connections.Sum(c => c.TailLossProbes) is > 0 and var probes)
            {
                reasons.Add($"{probes} tail-loss probes were sent (1386)");
            }

            if (syns > 0)
            {
                double? longest = connections.Max(c => c.ConnectNs) / 1e6;
                reasons.Add($"{syns} SYNs were sent again (1186)" + (longest is { } ms ? string.Create(CultureInfo.InvariantCulture, $"; connecting took {ms:0.0} ms at most") : ""));
            }

            long cost = connections.Sum(c => c.RetransmitNs + (Syns(c) > 0 ? c.ConnectNs ?? 0 : 0));
            yield return TraceCost.Finding(
                evidence, Cause.LossRto, Side.Network, connections, connections.Sum(c => Timeouts(c) + c.TailLossProbes) + syns, cost, 0, Confidence.Likely, reasons,
                cost == 0 ? ["what it cost cannot be told from these events"] : [], "Look for what loses packets: the path, a full queue, a firewall, an adapter's errors.") with
            { Host = null };
        }

        foreach (var group in evidence.Connections.Where(c => c.Totals?.FastRetransmissions > 0).GroupBy(c => (c.ProcessId, c.Side)))
        {
            TraceConnection[] connections = [.. group];
            long count = connections.Sum(c => c.Totals!.FastRetransmissions);
            yield return TraceCost.Finding(
                evidence, Cause.LossFastRetransmit, Side.Network, connections, count, 0, 0, Confidence.Likely, [$"{count} fast retransmissions by the totals of the connections (1352, 1477)"],
                ["what it cost cannot be told from totals"], "Look for what loses packets: the path, a full queue, an adapter's errors.") with
            { Host = null, CostMs = null, CostShare = null };
        }
    }

    private static long Timeouts(TraceConnection c) => Math.Max(Math.Max(c.RetransmitRounds, c.Retransmissions), Math.Max(c.KernelRetransmissions, c.Totals?.Timeouts ?? 0));

    private static long Syns(TraceConnection c) => Math.Max(c.SynRetransmissions, c.Totals?.SynRetransmissions ?? 0);
}
