using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>Builds findings from the connections of one process.</summary>
internal static class TraceFindingBuilder
{
    private const int MostNamed = 20;

    /// <summary>The sentence that a finding carries when its events were never compared with real ones.</summary>
    public const string Unverified = "not verified: the meaning of these events is known only from their manifest; no real trace with them was available";

    public static Finding Finding(
        TraceEvidence evidence, Cause cause, Side side, IReadOnlyCollection<TraceConnection> connections, long count, long costNs, long longStalls,
        Confidence confidence,
        IReadOnlyList<string> reasons, IReadOnlyList<string> against, string recommendation)
    {
        long active = connections.Sum(c => Math.Max(c.ActiveNs, 0));
        double share = active <= 0 ? 0 : Math.Min((double)costNs / active, 1);
        TimeSpan elapsed = connections.Count == 0 ? TimeSpan.Zero
            : TimeSpan.FromTicks((connections.Max(c => c.LastNs) - connections.Min(c => c.FirstNs)) / 100);
        TraceConnection first = connections.First();
        bool verified = connections.All(c => c.Verified);
        return new Finding
        {
            Cause = cause,
            Side = side,
            Host = HostOf(first, side),
            Process = side == first.Side ? first.Process : first.Twin?.Process,
            Confidence = confidence,
            Severity = evidence.Limits.Of(share, longStalls, elapsed),
            Count = count,
            CostMs = costNs / 1e6,
            CostShare = share,
            Connections = [.. connections.OrderBy(c => c.Number).Select(c => c.Name).Distinct().Take(MostNamed)],
            For = reasons,
            Against = verified ? against : [.. against, Unverified],
            Verified = verified,
            Recommendation = recommendation,
        };
    }

    /// <summary>Median of a list, milliseconds.</summary>
    public static double MedianMs(IEnumerable<long> ns) => OrderStatistics.Median([.. ns.Select(v => v / 1e6).DefaultIfEmpty()]);

    private static string? HostOf(TraceConnection c, Side side)
    {
        TcpEndpoint end = side == c.Side ? c.Local : c.Remote;
        return end.IsKnown ? end.Address.ToString() : null;
    }
}
