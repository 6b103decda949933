using System.Net;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>
/// Nagle's algorithm kept data of a process that was ready (LT102), for an acknowledgement that came late (LT101). The cost is what the data
/// waited from being posted to being sent.
/// </summary>
internal static class TraceNagleRule
{
    private const int Fewest = 3;
    private const double FewestShare = 0.2;
    private const long LongNs = 100_000_000;

    internal static IEnumerable<Finding> Evaluate(TraceEvidence evidence)
    {
        foreach (IGrouping<((uint? Id, int Generation) Owner, Side Side, IPAddress?), TraceConnection> group in evidence.Connections
            .Where(c => c.Sender.MayHold).GroupBy(c => (c.Owner, c.Side, c.Local.IsKnown ? c.Local.Address : null)))
        {
            if (Of(evidence, Cause.NagleDelayedAck, [.. group.Where(c => c.LateHolds.Count > 0)], c => c.LateHolds) is { } chain)
            {
                yield return chain;
            }

            if (Of(evidence, Cause.NagleHold, [.. group.Where(c => c.PlainHolds.Count > 0)], c => c.PlainHolds) is { } hold)
            {
                yield return hold;
            }

            TraceConnection[] sws = [.. group.Where(c => c.Windows.Unexplained > 0)];
            if (sws.Length > 0)
            {
                yield return Sws(evidence, sws);
            }
        }
    }

    private static Finding? Of(TraceEvidence evidence, Cause cause, TraceConnection[] connections, Func<TraceConnection, List<TraceHold>> holdsOf)
    {
        TraceHold[] holds = [.. connections.SelectMany(holdsOf)];
        if (holds.Length == 0)
        {
            return null;
        }

        TraceConnection first = connections[0];
        long cost = holds.Sum(h => h.CostNs);
        bool enough = holds.Length >= Fewest || cost >= FewestShare * connections.Sum(c => c.ActiveNs);
        TraceConnection[] both = [.. connections.Where(c => c.Twin is { Receiver.Fired: > 0 })];
        List<string> reasons =
        [
            $"{holds.Length} times data was posted (1159), not sent (1332) while earlier data was unacknowledged and both windows had room, and sent "
            + "within 1 ms of the acknowledgement (1330) of all there was",
            $"it waited {TraceCost.MedianMs(holds.Select(h => h.CostNs)):0.0} ms in the median, {holds.Max(h => h.CostNs) / 1e6:0.0} ms at most; the "
            + $"acknowledgement took {TraceCost.MedianMs(holds.Select(h => h.AckDelayNs)):0.0} ms in the median",
        ];
        if (cause == Cause.NagleDelayedAck && both.Length > 0)
        {
            reasons.Add(
                $"the other end is on this machine, {both[0].Twin!.Process ?? "of an unknown process"}: its delayed-ACK timer expired (1066) "
                + $"{both.Sum(c => c.Twin!.ChainExpiries)} times while this data waited");
        }

        if (connections.Sum(c => c.Windows.Nagle) is > 0 and var told)
        {
            reasons.Add($"the stack itself told {told} times of avoiding small segments while both windows had room (1100, 1101)");
        }

        TraceResponses? responses = TraceResponses.Of(connections);
        if (responses is { } r)
        {
            reasons.Add(
                $"requests of these connections took p50 {r.MedianMs:0.0} ms and p99 {r.P99Ms:0.0} ms; without these waits p50 {r.MedianWithoutMs:0.0} "
                + $"ms and p99 {r.P99WithoutMs:0.0} ms (n={r.Count}, {r.Held} of them waited)");
        }

        List<string> against = [];
        if (cause == Cause.NagleDelayedAck && both.Length < connections.Length)
        {
            against.Add("the other end is not in this trace: that its delayed-ACK timer held the acknowledgement follows from the time alone");
        }

        string advice = $"In {first.Process ?? "the process"}: write a message with one call, or set TCP_NODELAY.";
        TraceConnection[] touched = [.. connections.Where(c => c.NoDelayNs is not null)];
        if (touched.Length == connections.Length && touched.All(c => holdsOf(c).All(h => h.ReleasedNs <= c.NoDelayNs)))
        {
            double late = touched.Max(c => (c.NoDelayNs!.Value - (c.FirstSendNs ?? c.NoDelayNs.Value)) / 1e6);
            reasons.Add($"TCP_NODELAY (1104) was set late: up to {late:0.0} ms after the first data; nothing waited from then on");
            advice = $"In {first.Process ?? "the process"}: set TCP_NODELAY before the first send, right after connecting or accepting.";
        }
        else if (touched.Length > 0)
        {
            against.Add(
                "TCP_NODELAY was set or cleared on some of these connections (1104 does not say which); data that waits all the same was posted while it "
                + "was off");
        }

        return TraceCost.Finding(
            evidence, cause, first.Side, connections, holds.Length + connections.Sum(c => c.Sender.MoreHolds), cost, holds.Count(h => h.CostNs >= LongNs),
            enough ? Confidence.Likely : Confidence.Possible, reasons, against, advice);
    }

    private static Finding Sws(TraceEvidence evidence, TraceConnection[] connections) => TraceCost.Finding(
        evidence, Cause.NagleHold, connections[0].Side, connections, connections.Sum(c => c.Windows.Unexplained),
        connections.Sum(c => c.Windows.UnexplainedNs), 0, Confidence.Possible,
        [
            $"the stack held small segments {connections.Sum(c => c.Windows.Unexplained)} times (1100, 1101), for "
            + $"{connections.Sum(c => c.Windows.UnexplainedNs) / 1e6:0.0} ms in all"],
        ["whether these events tell of Nagle's algorithm or of a window too small for a segment is not documented"],
        "Capture again with the profile Detail (latencytuner profiles Detail), whose events 1159, 1330 and 1332 tell what waited for what.");
}
