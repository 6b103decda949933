using LatencyTuner.Core.Analysis.Captures;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Building;

/// <summary>Transactions of an analysis.</summary>
internal static class AnalysedTransactions
{
    internal static AnalysedTransaction[] Of(ConnectionFacts[] connections, AnalysisOptions options)
    {
        (long least, int atLeast) = Least(connections, options);
        List<(ConnectionFacts Connection, Transaction Transaction)> chosen = [];
        foreach (ConnectionFacts c in connections)
        {
            for (int i = 0; i < Kept(c); i++)
            {
                // Of those as long as the shortest one listed, the first ones fill up.
                ref Transaction t = ref At(c, i);
                if (t.DurationNs > least || (t.DurationNs == least && atLeast-- > 0))
                {
                    chosen.Add((c, t));
                }
            }
        }

        return [.. chosen.OrderBy(t => t.Transaction.RequestStartNs).Select(t => Of(t.Connection, in t.Transaction))];
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
        long[] durations = new long[connections.Sum(Kept)];
        int n = 0;
        foreach (ConnectionFacts c in connections)
        {
            for (int i = 0; i < Kept(c); i++)
            {
                long duration = At(c, i).DurationNs;
                durations[n] = duration;
                n += duration >= asked ? 1 : 0;
            }
        }

        if (n <= options.MostTransactions)
        {
            return (asked, int.MaxValue);
        }

        if (options.MostTransactions == 0)
        {
            return (long.MaxValue, 0);
        }

        long least = Selection.At(durations.AsSpan(0, n), n - options.MostTransactions);
        return (least, options.MostTransactions - Above(durations.AsSpan(0, n), least));
    }

    private static int Above(ReadOnlySpan<long> durations, long ns)
    {
        int count = 0;
        foreach (long duration in durations)
        {
            count += duration > ns ? 1 : 0;
        }

        return count;
    }

    private static AnalysedTransaction Of(ConnectionFacts c, in Transaction t) =>
        new()
        {
            Connection = ConnectionNames.Of(c),
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
