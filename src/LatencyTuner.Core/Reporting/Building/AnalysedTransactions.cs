using LatencyTuner.Core.Analysis.Captures;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Building;

/// <summary>Transactions of an analysis.</summary>
internal static class AnalysedTransactions
{
    internal static AnalysedTransaction[] Of(ConnectionFacts[] connections, AnalysisOptions options)
    {
        (long least, int atLeast) = Least(connections, options);
        List<(ConnectionFacts Connection, Transaction Transaction, string Name)> chosen = [];
        foreach (ConnectionFacts c in connections)
        {
            string? name = null;
            for (int i = 0; i < Kept(c); i++)
            {
                // Of those as long as the shortest one listed, the first ones fill up.
                ref Transaction t = ref At(c, i);
                if (t.DurationNs > least || (t.DurationNs == least && atLeast-- > 0))
                {
                    chosen.Add((c, t, name ??= ConnectionNames.Of(c)));
                }
            }
        }

        return [.. chosen.OrderBy(t => t.Transaction.RequestStartNs).Select(t => Of(t.Connection, in t.Transaction, t.Name))];
    }

    private static int Kept(ConnectionFacts c) => c.Transactions.Count + c.Later.Count;

    private static ref Transaction At(ConnectionFacts c, int index)
    {
        if (index < c.Transactions.Count)
        {
            return ref c.Transactions[index];
        }

        return ref c.Later[index - c.Transactions.Count];
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
            for (int i = 0; i < Kept(c); i++)
            {
                long duration = At(c, i).DurationNs;
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

    private static AnalysedTransaction Of(ConnectionFacts c, in Transaction t, string name) =>
        new()
        {
            Connection = name,
            Index = t.Index,
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
