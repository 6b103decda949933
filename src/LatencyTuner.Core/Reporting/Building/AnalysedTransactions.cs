using LatencyTuner.Core.Analysis.Captures;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Building;

/// <summary>Transactions of an analysis.</summary>
internal static class AnalysedTransactions
{
    internal static AnalysedTransaction[] Of(ConnectionFacts[] connections, AnalysisOptions options)
    {
        (long least, int atLeast) = Least(connections, options);
        List<(ConnectionFacts Connection, int Index, string Name)> chosen = [];
        foreach (ConnectionFacts c in connections)
        {
            string? name = null;
            for (int i = 0; i < c.Transactions.Count; i++)
            {
                // Of those as long as the shortest one listed, the first ones fill up.
                long duration = c.Transactions[i].DurationNs;
                if (duration > least || (duration == least && atLeast-- > 0))
                {
                    chosen.Add((c, i, name ??= ConnectionNames.Of(c)));
                }
            }
        }

        return [.. chosen.OrderBy(t => t.Connection.Transactions[t.Index].RequestStartNs).Select(t => Of(t.Connection, t.Index, t.Name))];
    }

    /// <summary>The duration of the shortest transaction listed, and how many of that duration are.</summary>
    private static (long Ns, int Count) Least(ConnectionFacts[] connections, AnalysisOptions options)
    {
        long asked = (long)options.SlowerThan.TotalNanoseconds;
        int most = options.MostTransactions;
        if (most == 0)
        {
            return (long.MaxValue, 0);
        }

        PriorityQueue<long, long> longest = new();
        int n = 0;
        foreach (ConnectionFacts c in connections)
        {
            for (int i = 0; i < c.Transactions.Count; i++)
            {
                long duration = c.Transactions[i].DurationNs;
                if (duration < asked)
                {
                    continue;
                }

                n++;
                if (longest.Count < most)
                {
                    longest.Enqueue(duration, duration);
                }
                else if (duration > longest.Peek())
                {
                    longest.EnqueueDequeue(duration, duration);
                }
            }
        }

        return n <= most ? (asked, int.MaxValue) : (longest.Peek(), longest.UnorderedItems.Count(d => d.Element == longest.Peek()));
    }

    private static AnalysedTransaction Of(ConnectionFacts c, int index, string name)
    {
        Transaction t = c.Transactions[index];
        return new AnalysedTransaction
        {
            Connection = name,
            Index = index,
            StartUtc = AnalysisReports.Utc(t.RequestStartNs),
            StartMs = AnalysisReports.Ms(t.RequestStartNs - c.FirstNs),
            DurationMs = AnalysisReports.Ms(t.DurationNs),
            ServerMs = AnalysisReports.Ms(t.ServerNs),
            ServerLowMs = AnalysisReports.Ms(t.ServerLowNs),
            ServerHighMs = AnalysisReports.Ms(t.ServerHighNs),
            ClientMs = AnalysisReports.Ms(t.ClientInsideNs),
            StallMs = AnalysisReports.Ms(t.StallNs),
            Stall = t.WorstStall < 0 ? null : AnalysedConnections.NameOf((StallKind)t.WorstStall),
            NetworkMs = AnalysisReports.Ms(Math.Max(0, t.DurationNs - t.ServerNs - t.ClientInsideNs - t.StallNs)),
            ClientAfterMs = t.ClientAfterNs < 0 ? null : AnalysisReports.Ms(t.ClientAfterNs),
            RequestBytes = t.RequestBytes,
            ResponseBytes = t.ResponseBytes,
            FirstFrame = t.FirstFrame,
            LastFrame = t.LastFrame,
        };
    }
}
