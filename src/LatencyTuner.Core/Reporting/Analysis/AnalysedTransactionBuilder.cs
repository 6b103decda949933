using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>Builds the transactions of an analysis.</summary>
internal static class AnalysedTransactionBuilder
{
    internal static AnalysedTransaction[] Of(ConnectionFacts[] connections, AnalysisOptions options)
    {
        (long least, int atLeast) = Least(connections, options);
        CompactList<Chosen> chosen = default;
        foreach (ConnectionFacts c in connections)
        {
            int count = Kept(c);
            for (int i = 0; i < count; i++)
            {
                // Several may be as long as the shortest one listed: the first of them fill the list.
                (TransactionLog log, int index) = At(c, i);
                long duration = log.DurationNs(index);
                if (duration > least || (duration == least && atLeast-- > 0))
                {
                    chosen.Add(new Chosen(c, log, index, log[index].RequestStartNs, chosen.Count));
                }
            }
        }

        // Transactions that start at the same time keep their order.
        chosen.Sort(static (a, b) => a.StartNs != b.StartNs ? a.StartNs.CompareTo(b.StartNs) : a.Place.CompareTo(b.Place));
        AnalysedTransaction[] all = new AnalysedTransaction[chosen.Count];
        Dictionary<ConnectionFacts, string> names = [];
        for (int i = 0; i < all.Length; i++)
        {
            ref Chosen one = ref chosen[i];
            if (!names.TryGetValue(one.Connection, out string? name))
            {
                names.Add(one.Connection, name = ConnectionNames.Of(one.Connection));
            }

            all[i] = Of(one.Connection, one.Log[one.Index], name);
        }

        return all;
    }

    private static int Kept(ConnectionFacts c) => c.Transactions.Count + c.Later.Count;

    private static (TransactionLog Log, int Index) At(ConnectionFacts c, int index) =>
        index < c.Transactions.Count ? (c.Transactions, index) : (c.Later, index - c.Transactions.Count);

    /// <summary>The duration of the shortest transaction listed, and how many of that duration are listed.</summary>
    private static (long Ns, int Count) Least(ConnectionFacts[] connections, AnalysisOptions options)
    {
        long asked = (long)options.SlowerThan.TotalNanoseconds;
        long shortest = long.MinValue;
        int most = options.MostTransactions;
        if (most == 0)
        {
            return (long.MaxValue, 0);
        }

        // Room for twice as many as are listed: when it is full, the shorter half is dropped.
        long[] longest = new long[Math.Min(2L * most, 1 + connections.Sum(c => (long)Kept(c)))];
        int count = 0;
        long n = 0;
        foreach (ConnectionFacts c in connections)
        {
            int kept = Kept(c);
            for (int i = 0; i < kept; i++)
            {
                (TransactionLog log, int index) = At(c, i);
                long duration = log.DurationNs(index);
                n += duration >= asked ? 1 : 0;
                if (duration < asked || duration <= shortest)
                {
                    continue;
                }

                if (count == longest.Length)
                {
                    shortest = Selection.At(longest, most);
                    Array.Copy(longest, most, longest, 0, most);
                    count = most;
                }

                longest[count++] = duration;
            }
        }

        if (n <= most)
        {
            return (asked, int.MaxValue);
        }

        Span<long> all = longest.AsSpan(0, count);
        long least = Selection.At(all, count - most);
        int equal = 0;
        for (int i = count - most; i < count; i++)
        {
            equal += all[i] == least ? 1 : 0;
        }

        return (least, equal);
    }

    private static AnalysedTransaction Of(ConnectionFacts c, in Transaction t, string name) =>
        new()
        {
            Connection = name,
            Index = t.Index,
            StartUtc = AnalysisReportBuilder.Utc(t.RequestStartNs).UtcDateTime,
            StartMs = AnalysisReportBuilder.Ms(t.RequestStartNs - c.FirstNs),
            DurationMs = AnalysisReportBuilder.Ms(t.DurationNs),
            ServerMs = Share(c, t.ServerNs),
            ServerLowMs = Share(c, t.ServerLowNs),
            ServerHighMs = Share(c, t.ServerHighNs),
            ServerPausesMs = Share(c, t.ServerInsideNs),
            ClientMs = Share(c, t.ClientInsideNs),
            StallMs = AnalysisReportBuilder.Ms(t.StallNs),
            Stall = t.WorstStall < 0 ? null : AnalysedConnectionBuilder.NameOf((StallKind)t.WorstStall),
            NetworkMs = Share(c, Math.Max(0, t.DurationNs - t.ServerNs - t.ServerInsideNs - t.ClientInsideNs - t.StallNs)),
            ClientAfterMs = t.ClientAfterNs < 0 ? null : Share(c, t.ClientAfterNs),
            RequestBytes = t.RequestBytes,
            ResponseBytes = t.ResponseBytes,
            FirstFrame = t.FirstFrame,
            LastFrame = t.LastFrame,
        };

    /// <summary>Where requests and responses overlap, the time cannot be divided among client, server and network.</summary>
    private static double? Share(ConnectionFacts c, long ns) => c.NotSeparable ? null : AnalysisReportBuilder.Ms(ns);

    /// <summary>A transaction that is listed: where it is stored, and its place among those chosen.</summary>
    private readonly record struct Chosen(ConnectionFacts Connection, TransactionLog Log, int Index, long StartNs, int Place);
}
