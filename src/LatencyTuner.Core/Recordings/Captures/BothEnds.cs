using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Combines the findings of two captures of the same connections.</summary>
internal static class BothEnds
{
    /// <summary>Makes one finding for the same cause at the same host: confirmed when both captures show it, with the figures of the likelier one.</summary>
    public static IReadOnlyList<Finding> Merge(IEnumerable<IReadOnlyList<Finding>> captures, IReadOnlyList<CapturePair> pairs)
    {
        List<Finding> all = [.. captures.SelectMany((findings, capture) => findings)];
        // SYNs in the server's own capture were not lost on the path, although the client's capture cannot show that.
        Finding[] refused = [.. all.Where(f => f is { Cause: Cause.LossRto, Side: Side.Server })];
        all.RemoveAll(
            f => f is { Cause: Cause.LossRto, Side: Side.Network or null }
                && refused.Any(r => r.Count == f.Count && r.Connections.SequenceEqual(f.Connections)));
        // SYNs that the client's capture has and the server's has not were lost on the path.
        HashSet<string> lost =
            [.. pairs.Where(p => p.Server.SynRetransmissions < p.Client.SynRetransmissions).Select(p => ConnectionNames.Of(p.Client))];
        for (int i = 0; i < all.Count; i++)
        {
            bool onThePath = all[i] is { Cause: Cause.LossRto, Side: null } && all[i].Connections.All(lost.Contains);
            all[i] = onThePath ? all[i] with { Side = Side.Network, Against = [] } : all[i];
        }

        HashSet<string> paired = [.. pairs.Select(p => ConnectionNames.Of(p.Client))];
        List<Finding> merged = [];
        foreach (IGrouping<(string Id, Side? Side, string? Host, bool Shared), Finding> group in all.GroupBy(
            f => (f.Id, f.Side, f.Host, Shared: f.Connections.Any(paired.Contains))))
        {
            Finding[] same = [.. group];
            if (same.Length == 1 || !group.Key.Shared)
            {
                merged.AddRange(same);
                continue;
            }

            Finding best = same.OrderByDescending(f => f.Confidence).ThenByDescending(f => f.CostMs ?? 0).First();
            bool both = same.Count(f => f.Confidence >= Confidence.Likely) > 1;
            merged.Add(best with
            {
                Confidence = both ? Confidence.Confirmed : best.Confidence,
                For = [.. best.For, both ? "both captures of these connections show it" : "only one of the captures shows it"],
            });
        }

        return [.. merged.WorstFirst()];
    }

    /// <summary>Copies the server's time of each transaction from the server's own capture, which shows it best, to the client's capture.</summary>
    public static void TakeServerTimes(IEnumerable<CapturePair> pairs)
    {
        foreach (CapturePair pair in pairs)
        {
            if (pair.Client.Transactions.Count != pair.Server.Transactions.Count)
            {
                continue;
            }

            for (int i = 0; i < pair.Client.Transactions.Count; i++)
            {
                Transaction there = pair.Server.Transactions[i];
                pair.Client.Transactions[i] = pair.Client.Transactions[i] with
                {
                    ServerNs = there.ServerNs,
                    ServerLowNs = there.ServerLowNs,
                    ServerHighNs = there.ServerHighNs,
                };
            }
        }
    }
}
