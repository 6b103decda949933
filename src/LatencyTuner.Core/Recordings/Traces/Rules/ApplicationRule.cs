using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>
/// The application's own time at the server (LT141) or the client (LT142): data lay ready before it was taken, or it was taken and answered
/// late. Not a fault of TCP: stays info. A connection whose sender had nothing to send is this, or idle.
/// </summary>
internal static class ApplicationRule
{
    private const double FewestMs = 5;
    private const double LongMs = 50;
    private const double OftenShare = 0.1;
    private const double LeastShare = 0.2;
    private const int Fewest = 3;

    internal static IEnumerable<Finding> Evaluate(TraceEvidence evidence)
    {
        foreach (IGrouping<((uint? Id, int Generation) Owner, Side Side), TraceConnection> group in evidence.Connections.GroupBy(c => (c.Owner, c.Side)))
        {
            if (Of(evidence, [.. group]) is { } finding)
            {
                yield return finding;
            }
        }

        foreach (TraceProcess process in evidence.Processes.Where(_ => !evidence.JoinedOnly).OrderBy(p => p.Id).ThenBy(p => p.Generation))
        {
            if (OfSockets(process) is { } finding)
            {
                yield return finding;
            }
        }
    }

    private static Finding? Of(TraceEvidence evidence, TraceConnection[] connections)
    {
        TraceConnection first = connections[0];
        string who = first.Process ?? "the application";
        List<string> reasons = [];
        (long count, long cost, long cycle) = (0, 0, 0);
        if (OwnTimes(connections) is { } own)
        {
            string between = first.IsClient ? "from a response (1074) to its next request"
                : "from the whole request (1074) to handing over the first of its response";
            reasons.Add($"{who} took {own.MedianMs:0.0} ms in the median {between} (n={own.Count}; {own.Long} took 50 ms and more)");
            (count, cost, cycle) = (own.Count, own.SumNs, own.CycleNs);
        }

        TraceConnection[] bySocket = [.. connections.Where(BySocket)];
        TraceConnection[] byTcp = [.. connections.Where(c => !BySocket(c))];
        long[] socketWaits = [.. bySocket.SelectMany(c => c.Calls!.ReadWaits)];
        long[] tcpWaits = [.. byTcp.SelectMany(c => c.Receiver.ReadWaits)];
        bool late = false;
        if (IsLate(socketWaits))
        {
            late = true;
            reasons.Add(
                $"data was indicated to its sockets (Winsock-AFD 3003) {TraceCost.MedianMs(socketWaits):0.0} ms in the median, "
                + $"{socketWaits.Max() / 1e6:0.0} ms at most, before a receive call took it (1004; n={socketWaits.Length})");
        }

        if (IsLate(tcpWaits))
        {
            late = true;
            reasons.Add(
                $"data lay ready (1157) {TraceCost.MedianMs(tcpWaits):0.0} ms in the median, {tcpWaits.Max() / 1e6:0.0} ms at most, before {who} took it "
                + $"(1158; n={tcpWaits.Length})");
        }

        if (reasons.Count == 0)
        {
            return null;
        }

        if (count == 0)
        {
            count = bySocket.Sum(c => c.Calls!.LateReads) + byTcp.Sum(c => c.Receiver.LateReads);
            cost = bySocket.Sum(c => c.Calls!.LateReadNs) + byTcp.Sum(c => c.Receiver.LateNs);
        }

        TraceConnection[] concerned =
            [.. connections.Where(
                c => c.Receiver.LateReads > 0 || c.Calls is { LateReads: > 0 } || c.Turns.All(c.IsClient).Any(t => t.OwnNs >= FewestMs * 1e6))];
        Finding finding = TraceCost.Finding(
            evidence, first.IsClient ? Cause.ClientThink : Cause.ServerThink, first.Side, concerned.Length > 0 ? concerned : connections, count, cost, 0,
            Confidence.Likely, reasons, [],
            late ? $"{Words(who)} is late to read: look for a busy or blocked thread there." : $"Look at what {who} does in that time; TCP waits for it.");

        // The pauses of a client lie outside the time in which something was waited for.
        return finding with { Severity = Severity.Info, CostShare = first.IsClient && cycle > 0 ? Math.Min((double)cost / cycle, 1) : finding.CostShare };
    }

    /// <summary>Sockets that could not be joined with a connection still tell of their process.</summary>
    private static Finding? OfSockets(TraceProcess process)
    {
        List<long> waits = process.Unjoined.ReadWaits;
        if (!IsLate(waits))
        {
            return null;
        }

        bool client = process.Owned.Count(c => c.IsClient) * 2 > process.Owned.Count;
        Cause cause = client ? Cause.ClientThink : Cause.ServerThink;
        return new Finding
        {
            Cause = cause,
            Side = client ? Side.Client : Side.Server,
            Process = process.Label,
            Confidence = Confidence.Likely,
            Severity = Severity.Info,
            Count = process.Unjoined.LateReads,
            CostMs = process.Unjoined.LateReadNs / 1e6,
            For = [
                $"data was indicated (Winsock-AFD 3003) {TraceCost.MedianMs(waits):0.0} ms in the median before a receive call of {process.Label} ended "
                + $"(1004; n={waits.Count})"],
            Against = ["which connections these sockets belong to cannot be told from the trace", TraceCost.Unverified],
            Verified = false,
            Recommendation = $"{Words(process.Label)} is late to read: look for a busy or blocked thread there.",
        };
    }

    /// <summary>Connections of which the sockets tell more than TCP: what AFD has taken from TCP may still lie there.</summary>
    private static bool BySocket(TraceConnection c) => c.Calls is { Reads: > 0 } calls && calls.LateReadNs >= c.Receiver.LateNs;

    private static (double MedianMs, long Count, long Long, long SumNs, long CycleNs)? OwnTimes(TraceConnection[] connections)
    {
        List<long> own = [];
        List<long> cycles = [];
        foreach (TraceConnection c in connections)
        {
            foreach (TraceTurn turn in c.Turns.All(c.IsClient).Where(t => t.OwnNs >= 0))
            {
                own.Add(turn.OwnNs);
                cycles.Add(c.IsClient ? turn.OwnNs + turn.DurationNs : turn.DurationNs);
            }
        }

        if (own.Count < Fewest)
        {
            return null;
        }

        double median = TraceCost.MedianMs(own);
        long many = own.Count(o => o >= LongMs * 1e6);
        bool usual = median >= FewestMs && median >= LeastShare * TraceCost.MedianMs(cycles);

        // A client that is idle now and then is not late; a server that now and then takes long is.
        return usual || (!connections[0].IsClient && many >= OftenShare * own.Count) ? (median, own.Count, many, own.Sum(), cycles.Sum()) : null;
    }

    private static bool IsLate(IReadOnlyCollection<long> waits) =>
        waits.Count >= Fewest && (TraceCost.MedianMs(waits) >= FewestMs || waits.Count(w => w >= LongMs * 1e6) >= Math.Max(Fewest, OftenShare * waits.Count));

    private static string Words(string who) => char.ToUpperInvariant(who[0]) + who[1..];
}
