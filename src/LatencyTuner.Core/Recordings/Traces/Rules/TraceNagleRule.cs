using System.Net;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>
/// Nagle's algorithm held data that a process had posted (LT102), for an ACK that came late (LT101). The cost is the time from posting the data to
/// sending it.
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
            $"holds: {holds.Length}. Posted data waited while earlier data was unacknowledged, although both windows had room. It was sent within 1 ms of "
            + "the ACK that acknowledged all earlier data [TCPIP events 1159, 1332, 1330]",
            $"the data waited a median of {TraceFindingBuilder.MedianMs(holds.Select(h => h.CostNs)):0.0} ms, at most "
            + $"{holds.Max(h => h.CostNs) / 1e6:0.0} ms; the ACK "
            + $"took a median of {TraceFindingBuilder.MedianMs(holds.Select(h => h.AckDelayNs)):0.0} ms",
        ];
        if (cause == Cause.NagleDelayedAck && both.Length > 0)
        {
            reasons.Add(
                $"the other end is on this machine ({both[0].Twin!.Process ?? "unknown process"}). Expirations of its delayed-ACK timer while this data "
                + $"waited: {both.Sum(c => c.Twin!.ChainExpiries)} [TCPIP event 1066]");
        }

        if (connections.Sum(c => c.Windows.Nagle) is > 0 and var told)
        {
            reasons.Add($"holds of small segments that the TCP stack itself reported while both windows had room: {told} [TCPIP events 1100, 1101]");
        }

        List<string> against = [];
        if (cause == Cause.NagleDelayedAck && both.Length < connections.Length)
        {
            against.Add("the other end is not in this trace: only the time shows that its delayed-ACK timer held the ACK");
        }

        bool unknown = holds.Count(h => h.SizeUnknown) * 2 > holds.Length;
        if (unknown)
        {
            against.Add("the trace does not show how large a full segment of these connections is; full segments that are sent one by one look the same");
        }

        string advice = CureCatalogue.NagleRemedy(first.Side, $"In {first.Process ?? "the process"}");
        TraceConnection[] touched = [.. connections.Where(c => c.NoDelay.Any(n => n.On != false))];
        if (touched.Length == connections.Length && touched.All(c => holdsOf(c).All(h => h.ReleasedNs <= SetNs(c))))
        {
            double late = touched.Max(c => (SetNs(c) - (c.FirstSendNs ?? SetNs(c))) / 1e6);
            reasons.Add($"TCP_NODELAY was set late, up to {late:0.0} ms after the first data; nothing waited after that [TCPIP events 1104, 1544]");
            advice = $"In {first.Process ?? "the process"}: set TCP_NODELAY before the first send, right after connecting or accepting.";
        }
        else if (touched.Any(c => c.NoDelay.Any(n => n.On is null)))
        {
            against.Add(
                "TCP_NODELAY was set on some of these connections, or cleared: the event does not show which [TCPIP event 1104]. Data that still waited was "
                + "posted while the option was off");
        }

        if (connections.Count(c => c.NoDelay.Any(n => n.On == false)) is > 0 and var cleared)
        {
            reasons.Add($"TCP_NODELAY was set to 0 on {Counted.Of(cleared, "connection")} [TCPIP event 1544]");
        }

        Finding finding = TraceFindingBuilder.Finding(
            evidence, cause, first.Side, connections, holds.Length + connections.Sum(c => c.Sender.MoreHolds), cost, holds.Count(h => h.CostNs >= LongNs),
            enough && !unknown ? Confidence.Likely : Confidence.Possible, reasons, against, advice);
        return finding with
        {
            Severity = unknown ? Severity.Info : finding.Severity,
            Predictions = TraceResponses.Without(connections, w => w.HeldNs, CureAssumptions.NoHold),
            Parts = unknown ? null : () => [.. connections.Select(c => PartOf(c, holdsOf(c)))],
        };
    }

    /// <summary>What one connection has of the figures of a finding.</summary>
    private static FindingPart PartOf(TraceConnection connection, List<TraceHold> holds) => new()
    {
        Connection = connection.Name,
        Count = holds.Count + connection.Sender.MoreHolds,
        CostNs = holds.Sum(h => h.CostNs),
        ActiveNs = Math.Max(connection.ActiveNs, 0),
        LongStalls = holds.Count(h => h.CostNs >= LongNs),
        FirstNs = connection.FirstNs,
        LastNs = connection.LastNs,
        Predictions = TraceResponses.Without([connection], w => w.HeldNs, CureAssumptions.NoHold),
    };

    /// <summary>When TCP_NODELAY was first set, as far as the events show it.</summary>
    private static long SetNs(TraceConnection c) => c.NoDelay.Find(n => n.On != false).Ns;

    private static Finding Sws(TraceEvidence evidence, TraceConnection[] connections) => TraceFindingBuilder.Finding(
        evidence, Cause.NagleHold, connections[0].Side, connections, connections.Sum(c => c.Windows.Unexplained),
        connections.Sum(c => c.Windows.UnexplainedNs), 0, Confidence.Possible,
        [
            $"the TCP stack held small segments for {connections.Sum(c => c.Windows.UnexplainedNs) / 1e6:0.0} ms in all; holds: "
            + $"{connections.Sum(c => c.Windows.Unexplained)} [TCPIP events 1100, 1101]"],
        ["it is not documented whether these events mean Nagle's algorithm or a window too small for a segment"],
        "Capture again with the profile Detail: latencytuner profiles Detail shows how. Its TCPIP events 1159, 1330 and 1332 show what waited for what.");
}
