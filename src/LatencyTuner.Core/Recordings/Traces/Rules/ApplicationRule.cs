using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>
/// The application's own time at the server (LT141) or the client (LT142): data was ready before the application took it, or the application
/// answered late. Not a fault of TCP: always info. A connection whose sender had nothing to send shows this cause, or was idle.
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
            string between = first.IsClient ? "from a response to its next request [TCPIP event 1074]"
                : "from the complete request to the first send of its response [TCPIP event 1074]";
            reasons.Add($"{who} took a median of {own.MedianMs:0.0} ms {between}. Of {own.Count} such times, {own.Long} were 50 ms or more");
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
                $"data was indicated to its sockets a median of {TraceFindingBuilder.MedianMs(socketWaits):0.0} ms, at most "
                + $"{socketWaits.Max() / 1e6:0.0} ms, before a "
                + $"receive call took it ({socketWaits.Length} reads) [Winsock-AFD events 3003, 1004]");
        }

        if (IsLate(tcpWaits))
        {
            late = true;
            reasons.Add(
                $"data was ready for a median of {TraceFindingBuilder.MedianMs(tcpWaits):0.0} ms, at most {tcpWaits.Max() / 1e6:0.0} ms, before {who} took it "
                + $"({tcpWaits.Length} reads) [TCPIP events 1156 to 1158]");
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
        Finding finding = TraceFindingBuilder.Finding(
            evidence, first.IsClient ? Cause.ClientThink : Cause.ServerThink, first.Side, concerned.Length > 0 ? concerned : connections, count, cost, 0,
            Confidence.Likely, reasons, [],
            late ? $"{Words(who)} reads late: look for a busy or blocked thread there." : $"Look at what {who} does in this time. TCP waits for it.");

        // The pauses of a client are outside the active time.
        return finding with { Severity = Severity.Info, CostShare = first.IsClient && cycle > 0 ? Math.Min((double)cost / cycle, 1) : finding.CostShare };
    }

    /// <summary>The finding of sockets that could not be joined with a connection, for their process; null when they did not read late.</summary>
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
                $"data was indicated a median of {TraceFindingBuilder.MedianMs(waits):0.0} ms before a receive call of {process.Label} ended "
                + $"({waits.Count} reads) [Winsock-AFD events 3003, 1004]"],
            Against = ["the trace does not show which connections these sockets belong to", TraceFindingBuilder.Unverified],
            Verified = false,
            Recommendation = $"{Words(process.Label)} reads late: look for a busy or blocked thread there.",
        };
    }

    /// <summary>True for connections whose sockets show more than TCP does: data that AFD took from TCP may still wait in AFD.</summary>
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

        double median = TraceFindingBuilder.MedianMs(own);
        long many = own.Count(o => o >= LongMs * 1e6);
        bool usual = median >= FewestMs && median >= LeastShare * TraceFindingBuilder.MedianMs(cycles);

        // A client that is sometimes idle is not late; a server that sometimes takes long is.
        return usual || (!connections[0].IsClient && many >= OftenShare * own.Count) ? (median, own.Count, many, own.Sum(), cycles.Sum()) : null;
    }

    private static bool IsLate(IReadOnlyCollection<long> waits) =>
        waits.Count >= Fewest
            && (TraceFindingBuilder.MedianMs(waits) >= FewestMs || waits.Count(w => w >= LongMs * 1e6) >= Math.Max(Fewest, OftenShare * waits.Count));

    private static string Words(string who) => char.ToUpperInvariant(who[0]) + who[1..];
}
