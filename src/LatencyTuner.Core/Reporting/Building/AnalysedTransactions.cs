using LatencyTuner.Core.Analysis.Captures;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Building;

/// <summary>Transactions of an analysis.</summary>
internal static class AnalysedTransactions
{
    internal static AnalysedTransaction[] Of(ConnectionFacts[] connections, AnalysisOptions options)
    {
        long least = (long)options.SlowerThan.TotalNanoseconds;
        List<(ConnectionFacts Connection, int Index, long DurationNs)> chosen = [];
        foreach (ConnectionFacts c in connections)
        {
            for (int i = 0; i < c.Transactions.Count; i++)
            {
                if (c.Transactions[i].DurationNs >= least)
                {
                    chosen.Add((c, i, c.Transactions[i].DurationNs));
                }
            }
        }

        return [.. chosen.OrderByDescending(t => t.DurationNs).Take(options.MostTransactions)
            .OrderBy(t => t.Connection.Transactions[t.Index].RequestStartNs).Select(t => Of(t.Connection, t.Index))];
    }

    private static AnalysedTransaction Of(ConnectionFacts c, int index)
    {
        Transaction t = c.Transactions[index];
        return new AnalysedTransaction
        {
            Connection = ConnectionNames.Of(c),
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
