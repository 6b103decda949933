using System.Globalization;

namespace LatencyTuner.Core.Analysis.Captures.Rules;

/// <summary>The server's processing (LT141) or the client's pauses (LT142) explain the time. Not faults of TCP.</summary>
internal static class ThinkRule
{
    private const long LeastNs = 5_000_000;
    private const double LeastShare = 0.2;
    private const long LongServerNs = 50_000_000;
    private const double OftenShare = 0.1;

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        foreach (var service in evidence.Connections.Where(c => c.Transactions.Count > 0 && !c.NotSeparable).GroupBy(c => (c.Server, c.ServerPort)))
        {
            ConnectionFacts[] connections = [.. service];
            Transaction[] all = [.. connections.SelectMany(c => c.Transactions)];
            if (ServerFinding(connections, all) is { } server)
            {
                yield return server;
            }

            foreach (var client in connections.GroupBy(c => c.Client))
            {
                if (ClientFinding([.. client], [.. client.SelectMany(c => c.Transactions)]) is { } pauses)
                {
                    yield return pauses;
                }
            }
        }
    }

    private static Finding? ServerFinding(ConnectionFacts[] connections, Transaction[] all)
    {
        // The lower end of each interval: a queue on the path is not the server's time.
        long median = Medians.Of(all.Select(t => t.ServerLowNs));
        long duration = Medians.Of(all.Select(t => t.DurationNs));
        int slow = all.Count(t => t.ServerLowNs >= LongServerNs);
        if (median < Math.Max(LeastNs, LeastShare * duration) && slow < OftenShare * all.Length)
        {
            return null;
        }

        long sum = all.Sum(t => t.ServerNs);
        long active = connections.Sum(c => c.ActiveNs);
        return new Finding
        {
            Id = CauseIds.IdOf(Cause.ServerThink),
            Cause = Cause.ServerThink,
            Side = Side.Server,
            Host = connections[0].Server.ToString(),
            Confidence = Confidence.Likely,
            Severity = Severity.Info,
            Count = all.Length,
            CostMs = sum / 1e6,
            CostShare = active <= 0 ? null : Math.Min((double)sum / active, 1),
            Connections = ConnectionNames.Of(connections),
            For = [string.Create(CultureInfo.InvariantCulture, $"the server {connections[0].Server}:{connections[0].ServerPort} took a median of {median / 1e6:0.0} ms from the whole request to its first byte, of a median transaction of {duration / 1e6:0.0} ms; {slow} of {all.Length} took 50 ms and more")],
            Against = [],
            Recommendation = "Look at the server's processing; the network and the TCP stacks are not what takes this time.",
        };
    }

    private static Finding? ClientFinding(ConnectionFacts[] connections, Transaction[] all)
    {
        Transaction[] followed = [.. all.Where(t => t.ClientAfterNs >= 0)];
        long inside = Medians.Of(all.Select(t => t.ClientInsideNs));
        long between = Medians.Of(followed.Select(t => t.ClientAfterNs));
        long cycle = Math.Max(Medians.Of(followed.Select(t => t.NextNs - t.RequestStartNs)), Medians.Of(all.Select(t => t.DurationNs)));
        long gap = Math.Max(inside, between);
        if (gap < Math.Max(LeastNs, LeastShare * cycle))
        {
            return null;
        }

        long sum = all.Sum(t => t.ClientInsideNs + Math.Max(0, t.ClientAfterNs));
        long span = all.Sum(t => t.DurationNs + Math.Max(0, t.ClientAfterNs));
        return new Finding
        {
            Id = CauseIds.IdOf(Cause.ClientThink),
            Cause = Cause.ClientThink,
            Side = Side.Client,
            Host = connections[0].Client.ToString(),
            Confidence = Confidence.Likely,
            Severity = Severity.Info,
            Count = all.Length,
            CostMs = sum / 1e6,
            CostShare = span <= 0 ? null : Math.Min((double)sum / span, 1),
            Connections = ConnectionNames.Of(connections),
            For = [inside > between
                ? string.Create(CultureInfo.InvariantCulture, $"the client {connections[0].Client} paused a median of {inside / 1e6:0.0} ms inside its requests, with nothing to wait for")
                : string.Create(CultureInfo.InvariantCulture, $"the client {connections[0].Client} paused a median of {between / 1e6:0.0} ms between a response and its next request")],
            Against = [],
            Recommendation = "Look at the client's processing, or how it gathers its requests; the network and the TCP stacks are not what takes this time.",
        };
    }
}
