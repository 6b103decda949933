namespace LatencyTuner.Core.Analysis;

/// <summary>The order in which findings are listed everywhere.</summary>
public static class FindingOrder
{
    /// <summary>The severest first; of these the costliest, then by id and host, so that equal evidence always reads the same.</summary>
    /// <param name="findings">Any findings.</param>
    public static IOrderedEnumerable<Finding> WorstFirst(this IEnumerable<Finding> findings) =>
        findings.OrderByDescending(f => f.Severity).ThenByDescending(f => f.CostMs ?? 0).ThenBy(f => f.Id, StringComparer.Ordinal)
            .ThenBy(f => f.Host, StringComparer.Ordinal);
}
