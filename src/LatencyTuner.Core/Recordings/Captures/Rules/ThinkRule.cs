using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>The server's processing (LT141) or the client's pauses (LT142) explain the time. Not faults of TCP.</summary>
internal static class ThinkRule
{
    private const long LeastNs = 5_000_000;
    private const double LeastShare = 0.2;
    private const long LongServerNs = 50_000_000;
    private const double OftenShare = 0.1;
    private const int BeyondTimes = 5;
    private const double BeyondShare = 2;
    private const int FewTransactions = 3;
    private const double DominantShare = 0.9;

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        TransactionFigures figures = new();
        foreach (IGrouping<(IpAddressValue Server, ushort ServerPort), ConnectionFacts> service in evidence.Connections
            .Where(c => c.Transactions.Count > 0 && !c.NotSeparable).GroupBy(c => (c.Server, c.ServerPort)))
        {
            ConnectionFacts[] connections = [.. service];
            if (ServerFinding(connections, figures) is { } server)
            {
                yield return server;
            }

            foreach (IGrouping<IpAddressValue, ConnectionFacts> client in connections.GroupBy(c => c.Client))
            {
                if (ClientFinding([.. client], figures) is { } pauses)
                {
                    yield return pauses;
                }
            }
        }
    }

    private static Finding? ServerFinding(ConnectionFacts[] connections, TransactionFigures figures)
    {
        int all = connections.Sum(c => c.Transactions.Count);
        // The lower end of each interval: a queue on the path is not the server's time.
        long median = figures.Median(connections, static (in Transaction t) => t.ServerLowNs);
        // As the client sees it, wherever the tap was.
        long duration = figures.Median(connections, static (in Transaction t) => t.DurationNs) + connections.Min(c => c.ClientBaseNs ?? 0);
        long slow = TransactionFigures.Sum(connections, static (in Transaction t) => t.ServerLowNs >= LongServerNs ? 1 : 0);
        if (median < Math.Max(LeastNs, LeastShare * duration) && slow < OftenShare * all)
        {
            return null;
        }

        long sum = TransactionFigures.Sum(connections, static (in Transaction t) => t.ServerNs);
        long active = connections.Sum(c => c.ActiveNs);
        long varies = VariesNs(connections, static c => c.ServerHandshakeNs - c.ServerBaseNs);
        string[] against = [.. Against(connections, all, sum, median < BeyondShare * varies ? varies : 0)];
        long beyond = Math.Max(BeyondNs(connections), varies);
        return new Finding
        {
            Cause = Cause.ServerThink,
            Side = Side.Server,
            Host = connections[0].Server.ToString(),
            Confidence = median < BeyondShare * beyond ? Confidence.Possible : Confidence.Likely,
            Severity = Severity.Info,
            Count = all,
            CostMs = sum / 1e6,
            CostShare = active <= 0 ? null : Math.Min((double)sum / active, 1),
            Connections = ConnectionNames.Of(connections),
            For = [
                $"the server {connections[0].Server}:{connections[0].ServerPort} took a median of {median / 1e6:0.0} ms from the whole request to its "
                + $"first byte, of a median transaction of {duration / 1e6:0.0} ms; {slow} of {all} took 50 ms and more"],
            Against = against,
            Recommendation = "Look at the server's processing; the network and the TCP stacks are not what takes this time.",
        };
    }

    /// <summary>
    /// How much longer the path takes than at its best, as connecting shows, which waits for no application: the usual of the connections. What an
    /// application seems to take is no more certain than that.
    /// </summary>
    private static long VariesNs(ConnectionFacts[] connections, Func<ConnectionFacts, long?> beyondBase)
    {
        long[] sorted = [.. connections.Select(beyondBase).OfType<long>().Order()];
        return sorted.Length > 0 && sorted[sorted.Length / 2] >= LeastNs ? sorted[sorted.Length / 2] : 0;
    }

    private static string Varies(long ns) =>
        $"connecting, which no application takes part in, took {ns / 1e6:0.0} ms longer than the quickest answer: the path itself takes now more, now "
        + "less, and this may be it";

    private static IEnumerable<string> Against(ConnectionFacts[] connections, int all, long sum, long varies)
    {
        if (varies > 0 && BeyondNs(connections) == 0)
        {
            yield return Varies(varies);
        }

        if (BeyondNs(connections) is > 0 and var beyond)
        {
            yield return $"connecting took {beyond / 1e6:0.0} ms and more, though its ACKs come within "
                + $"{connections.Min(c => c.ServerBaseNs ?? 0) / 1e6:0.0} ms: something nearer answers for it (the NAT of a virtual machine, a proxy, a "
                + "load balancer), and the way from there to the server counts as the server's";
        }

        long longest = connections.Max(c => Longest(c.Transactions));
        if (all >= FewTransactions && longest >= DominantShare * sum)
        {
            yield return $"one of {all} took {longest / 1e9:0.0} s and is {(double)longest / sum * 100:0} % of it: what came then may be no answer, but "
                + "the server's word at the end of an idle connection";
        }
    }

    private static long Longest(TransactionLog transactions)
    {
        long longest = 0;
        for (int i = 0; i < transactions.Count; i++)
        {
            longest = Math.Max(longest, transactions[i].ServerNs);
        }

        return longest;
    }

    /// <summary>
    /// The quickest handshake, where it took many times what the ACKs of data take; 0 otherwise. What opens a connection to the server before it
    /// answers itself, and acknowledges by itself from then on, is seen so.
    /// </summary>
    private static long BeyondNs(ConnectionFacts[] connections)
    {
        long handshake = connections.Min(c => c.ServerHandshakeNs ?? long.MaxValue);
        long answers = connections.Max(c => c.ServerBaseNs ?? 0);
        return handshake != long.MaxValue && handshake >= LeastNs && handshake >= BeyondTimes * answers ? handshake : 0;
    }

    private static Finding? ClientFinding(ConnectionFacts[] connections, TransactionFigures figures)
    {
        long inside = figures.Median(connections, static (in Transaction t) => t.ClientInsideNs);
        long between = figures.Median(connections, static (in Transaction t) => t.ClientAfterNs >= 0 ? t.ClientAfterNs : null);
        if (connections.Any(c => c.PathBaseNs is not null))
        {
            // Beyond a queue, its wait looks like a pause of the client's.
            between = 0;
        }

        long gap = Math.Max(inside, between);
        if (gap < LeastNs)
        {
            return null;
        }

        long cycle = Math.Max(
            figures.Median(connections, static (in Transaction t) => t.ClientAfterNs >= 0 ? t.NextNs - t.RequestStartNs : null),
            figures.Median(connections, static (in Transaction t) => t.DurationNs));
        if (gap < LeastShare * cycle)
        {
            return null;
        }

        long varies = VariesNs(connections, static c => c.ClientHandshakeNs - c.ClientBaseNs);
        bool unsure = inside <= between && between < BeyondShare * varies;
        long sum = TransactionFigures.Sum(connections, static (in Transaction t) => t.ClientInsideNs + Math.Max(0, t.ClientAfterNs));
        long span = TransactionFigures.Sum(connections, static (in Transaction t) => t.DurationNs + Math.Max(0, t.ClientAfterNs));
        return new Finding
        {
            Cause = Cause.ClientThink,
            Side = Side.Client,
            Host = connections[0].Client.ToString(),
            Confidence = unsure ? Confidence.Possible : Confidence.Likely,
            Severity = Severity.Info,
            Count = connections.Sum(c => c.Transactions.Count),
            CostMs = sum / 1e6,
            CostShare = span <= 0 ? null : Math.Min((double)sum / span, 1),
            Connections = ConnectionNames.Of(connections),
            For = [inside > between
                ? $"the client {connections[0].Client} paused a median of {inside / 1e6:0.0} ms inside its requests, with nothing to wait for"
                : $"the client {connections[0].Client} paused a median of {between / 1e6:0.0} ms between a response and its next request"],
            Against = unsure ? [Varies(varies)] : [],
            Recommendation = "Look at the client's processing, or how it gathers its requests; the network and the TCP stacks are not what takes this time.",
        };
    }
}
