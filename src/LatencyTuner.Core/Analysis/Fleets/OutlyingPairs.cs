using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Analysis.Fleets;

/// <summary>
/// Which pairs are far from the others, by the robust z of the logarithm of their 99th percentile: the distance from the median, in median absolute deviations
/// scaled to a standard deviation. Both hold with half of the pairs being slow.
/// </summary>
/// <remarks>
/// What would fool it: few pairs (the deviation is then chance), pairs that are all alike (any difference would be far), percentiles that rest on few samples,
/// and hosts at different distances (two groups of sites make the deviation large, so that less is found, not more).
/// </remarks>
internal static class OutlyingPairs
{
    /// <summary>The robust z from which a value is an outlier (Iglewicz and Hoaglin 1993).</summary>
    internal const double Limit = 3.5;

    /// <summary>Fewer pairs have no usual value.</summary>
    internal const int FewestPairs = 5;

    // Pairs that differ by less are alike, however little the others differ.
    private const double LeastRatio = 1.25;

    /// <summary>Judges pairs, each among those with the same workload; loopback among loopback.</summary>
    /// <param name="pairs">The pairs.</param>
    /// <returns>One judgement for each pair, in their order.</returns>
    internal static IReadOnlyList<FleetPairJudgement> Judge(IReadOnlyList<FleetPairFacts> pairs)
    {
        ArgumentNullException.ThrowIfNull(pairs);
        FleetPairJudgement[] judged = new FleetPairJudgement[pairs.Count];
        foreach (IGrouping<(string, bool), int> group in Enumerable.Range(0, pairs.Count).GroupBy(i => (pairs[i].Workload, pairs[i].IsLoopback)))
        {
            int[] known = [.. group.Where(i => pairs[i].P99Us > 0 && double.IsFinite(pairs[i].P99Us!.Value))];
            if (known.Length < FewestPairs)
            {
                continue;
            }

            double[] logs = Array.ConvertAll(known, i => Math.Log(pairs[i].P99Us!.Value));
            double centre = OrderStatistics.Median([.. logs]);
            // Equal values have no deviation: a difference below the least one stays below the limit.
            double scale = Math.Max(OrderStatistics.ScaleAroundZero(logs.Select(v => v - centre)), Math.Log(LeastRatio) / Limit);
            for (int k = 0; k < known.Length; k++)
            {
                judged[known[k]] = Of(pairs[known[k]], (logs[k] - centre) / scale, Math.Exp(centre));
            }
        }

        return judged;
    }

    private static FleetPairJudgement Of(FleetPairFacts pair, double z, double usualUs) => new(z, usualUs, z switch
    {
        // The interval must lie beyond the usual value as well: a percentile of few samples may be anywhere.
        >= Limit when pair.P99LowUs > usualUs * LeastRatio => FleetOutlier.Slower,
        <= -Limit when pair.P99HighUs < usualUs / LeastRatio => FleetOutlier.Faster,
        _ => FleetOutlier.None,
    });
}

/// <summary>How far a pair is from the others of its workload.</summary>
/// <param name="Z">The robust z of the logarithm of its 99th percentile; null with too few pairs or samples.</param>
/// <param name="UsualUs">The median of the 99th percentiles, microseconds; null with too few pairs.</param>
/// <param name="Outlier">Whether it is an outlier.</param>
internal readonly record struct FleetPairJudgement(double? Z, double? UsualUs, FleetOutlier Outlier);
