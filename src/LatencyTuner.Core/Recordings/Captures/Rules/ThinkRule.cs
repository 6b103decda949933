using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

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

    // Hardly anybody lets a request run for this long and asks again at once: it rather is a heartbeat, or a poll that waits on purpose.
    private const long PushNs = 5_000_000_000;
    private const int PromptPart = 10;

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
                if ((ClientFinding([.. client], figures) ?? BeforeFinding([.. client])) is { } pauses)
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
        // The duration as the client sees it, wherever the tap was.
        long duration = figures.Median(connections, static (in Transaction t) => t.DurationNs) + connections.Min(c => c.ClientBaseNs ?? 0);
        long slow = TransactionFigures.Sum(connections, static (in Transaction t) => t.ServerLowNs >= LongServerNs ? 1 : 0);
        if (median < Math.Max(LeastNs, LeastShare * duration) && slow < OftenShare * all)
        {
            return null;
        }

        long sum = connections.Sum(c => c.Time.ServerNs);
        // A queue, or stalls, may own all of it.
        if (sum <= 0)
        {
            return null;
        }

        long active = connections.Sum(c => c.ActiveNs);
        long varies = VariesNs(connections, static c => c.ServerHandshakeNs - c.ServerBaseNs);
        long between = figures.Median(connections, static (in Transaction t) => t.ClientAfterNs >= 0 ? t.ClientAfterNs : null);
        bool pushes = median >= PushNs && between < median / PromptPart;
        string[] others = [.. Doubts(connections, "its pauses between two requests"), .. pushes ? [Pushes(connections, between)] : Array.Empty<string>()];
        string[] against = [.. Against(connections, all, sum, median < BeyondShare * varies ? varies : 0), .. others];
        long beyond = Math.Max(BeyondNs(connections), varies);
        string server = ConnectionNames.Endpoint(connections[0].Server, connections[0].ServerPort);
        return new Finding
        {
            Cause = Cause.ServerThink,
            Side = Side.Server,
            Host = connections[0].Server.ToString(),
            Confidence = median < BeyondShare * beyond || others.Length > 0 ? Confidence.Possible : Confidence.Likely,
            Severity = Severity.Info,
            Count = all,
            CostMs = sum / 1e6,
            CostShare = active <= 0 ? null : Math.Min((double)sum / active, 1),
            Connections = ConnectionNames.Of(connections),
            For = [
                $"the server {server} took a median of {median / 1e6:0.0} ms from the complete request to the first byte of its response. "
                + $"The median transaction took {duration / 1e6:0.0} ms; {slow} of {Counted.Of(all, "request")} took the server 50 ms or more"],
            Against = against,
            Recommendation = "Look at the server's processing. The network and the TCP stacks do not take the time.",
        };
    }

    /// <summary>
    /// How much longer than its shortest round trip the path takes in the median of the connections, nanoseconds; 0 below 5 ms. The handshakes
    /// show it, because they wait for no application. The time of an application is no more certain than this.
    /// </summary>
    private static long VariesNs(ConnectionFacts[] connections, Func<ConnectionFacts, long?> beyondBase)
    {
        long[] sorted = [.. connections.Select(beyondBase).OfType<long>().Order()];
        return sorted.Length > 0 && sorted[sorted.Length / 2] >= LeastNs ? sorted[sorted.Length / 2] : 0;
    }

    private static string Varies(long ns) =>
        $"the TCP handshake, which waits for no application, took {ns / 1e6:0.0} ms longer than the fastest answer. The path's own time varies and may "
        + "explain this";

    private static IEnumerable<string> Against(ConnectionFacts[] connections, int all, long sum, long varies)
    {
        if (varies > 0 && BeyondNs(connections) == 0)
        {
            yield return Varies(varies);
        }

        if (BeyondNs(connections) is > 0 and var beyond)
        {
            yield return $"the TCP handshake took at least {beyond / 1e6:0.0} ms, although the server's ACKs come within "
                + $"{connections.Min(c => c.ServerBaseNs ?? 0) / 1e6:0.0} ms. A nearer device seems to answer for the server (the NAT of a virtual machine, a "
                + "proxy, a load balancer). The path from there to the server then counts as server time";
        }

        long longest = connections.Max(c => Longest(c.Transactions));
        if (all >= FewTransactions && longest >= DominantShare * sum)
        {
            yield return $"one of {Counted.Of(all, "request")} took {longest / 1e9:0.0} s, {(double)longest / sum * 100:0} % of all server time. What the "
                + "server sent then "
                + "may be no response, but a message that ended an idle connection";
        }
    }

    /// <summary>What makes these times doubtful, one sentence each: a clock that steps back, and ends that may have changed places.</summary>
    private static IEnumerable<string> Doubts(ConnectionFacts[] connections, string these)
    {
        const int FewestSteps = 10;
        const int OneOf = 50;
        long steps = connections.Sum(c => c.BackwardSteps);
        if (steps >= FewestSteps && OneOf * steps >= connections.Sum(c => c.Packets))
        {
            yield return $"the clock of the capture steps back {steps} times within these connections, as where each direction has a clock of its own: then "
                + "these times are not true";
        }

        if (connections.Any(c => c.RolesDoubtful))
        {
            yield return $"the capture lacks the beginning of the connection, and the ports {connections[0].ClientPort} and {connections[0].ServerPort} do not "
                + $"tell which end asks. If it is the other one, these are {these}";
        }
    }

    private static string Pushes(ConnectionFacts[] connections, long betweenNs) =>
        $"the client's next message comes only {betweenNs / 1e6:0.0} ms after the one of the server. So the server may send by itself, and the client answers "
        + $"(a heartbeat, a push), or the client lets its request wait on purpose (a long poll): then nobody waits for {connections[0].Server}";

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
    /// The fastest handshake in nanoseconds, where it took at least five times as long as the ACKs of data; 0 otherwise. This shows a device that
    /// connects to the server before it answers the client, and that acknowledges data itself from then on.
    /// </summary>
    private static long BeyondNs(ConnectionFacts[] connections)
    {
        long handshake = connections.Min(c => c.ServerHandshakeNs ?? long.MaxValue);
        long answers = connections.Max(c => c.ServerBaseNs ?? 0);
        return handshake != long.MaxValue && handshake >= LeastNs && handshake >= BeyondTimes * answers ? handshake : 0;
    }

    /// <summary>The client opens connections and lets them wait before its first request.</summary>
    private static Finding? BeforeFinding(ConnectionFacts[] connections)
    {
        long[] pauses = [.. connections.Where(c => c.BeforeFirstNs is not null).Select(c => c.Time.BeforeFirstNs).Order()];
        if (pauses.Length == 0 || pauses[pauses.Length / 2] < LeastNs)
        {
            return null;
        }

        long median = pauses[pauses.Length / 2];
        long sum = pauses.Sum();
        long span = sum + TransactionFigures.Sum(connections, static (in Transaction t) => t.DurationNs + Math.Max(0, t.ClientAfterNs));
        return sum < LeastShare * span ? null : new Finding
        {
            Cause = Cause.ClientThink,
            Side = Side.Client,
            Host = connections[0].Client.ToString(),
            Confidence = median < BeyondShare * VariesNs(connections, static c => c.ClientHandshakeNs - c.ClientBaseNs) ? Confidence.Possible
                : Confidence.Likely,
            Severity = Severity.Info,
            Count = pauses.Length,
            CostMs = sum / 1e6,
            CostShare = Math.Min((double)sum / span, 1),
            Connections = ConnectionNames.Of(connections),
            For = [$"the client {connections[0].Client} paused a median of {median / 1e6:0.0} ms between opening a connection and its first request"],
            Against = [],
            Recommendation = "Look at what the client does between opening a connection and its first request.",
        };
    }

    private static Finding? ClientFinding(ConnectionFacts[] connections, TransactionFigures figures)
    {
        long inside = figures.Median(connections, static (in Transaction t) => t.ClientInsideNs);
        long between = figures.Median(connections, static (in Transaction t) => t.ClientAfterNs >= 0 ? t.ClientAfterNs : null);
        if (connections.Any(c => c.PathBaseNs is not null))
        {
            // Beyond a queue on the path, the wait in it looks like a pause of the client.
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
        bool pathVaries = inside <= between && between < BeyondShare * varies;
        string[] against = [.. pathVaries ? [Varies(varies)] : Array.Empty<string>(), .. Doubts(connections, "the times of its answers")];
        long sum = connections.Sum(c => c.Time.ClientNs);
        if (sum <= 0)
        {
            return null;
        }

        long span = TransactionFigures.Sum(connections, static (in Transaction t) => t.DurationNs + Math.Max(0, t.ClientAfterNs));
        return new Finding
        {
            Cause = Cause.ClientThink,
            Side = Side.Client,
            Host = connections[0].Client.ToString(),
            Confidence = against.Length > 0 ? Confidence.Possible : Confidence.Likely,
            Severity = Severity.Info,
            Count = connections.Sum(c => c.Transactions.Count),
            CostMs = sum / 1e6,
            CostShare = span <= 0 ? null : Math.Min((double)sum / span, 1),
            Connections = ConnectionNames.Of(connections),
            For = [inside > between
                ? $"the client {connections[0].Client} paused a median of {inside / 1e6:0.0} ms inside its requests, with nothing to wait for"
                : $"the client {connections[0].Client} paused a median of {between / 1e6:0.0} ms between a response and its next request"],
            Against = against,
            Recommendation = "Look at the client's processing, or at how it gathers its requests. The network and the TCP stacks do not take the time.",
        };
    }
}
