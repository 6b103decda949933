using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Statistics;

/// <summary>Pairs the values of two distributions: the same share of each lies below both values of a pair.</summary>
internal static class RankPairs
{
    /// <summary>The pairs in ascending order.</summary>
    /// <param name="first">The distribution whose values are all paired, each once.</param>
    /// <param name="second">The other one; it may hold another number of values. Nothing is paired when it holds none.</param>
    /// <returns>A value of each, nanoseconds, as the histograms resolve them, and the number of pairs.</returns>
    public static IEnumerable<(long FirstNs, long SecondNs, long Count)> Of(LatencyHistogram first, LatencyHistogram second)
    {
        List<HistogramBucket> partners = [.. Buckets(second)];
        (int partner, long below, long done) = (0, 0, 0);
        foreach (HistogramBucket bucket in Buckets(first))
        {
            for (long left = bucket.Count; left > 0 && partners.Count > 0;)
            {
                bool isLast = partner == partners.Count - 1;
                long until = (long)((Int128)(below + partners[partner].Count) * first.Count / second.Count);
                if (until <= done && !isLast)
                {
                    below += partners[partner++].Count;
                    continue;
                }

                long pairs = isLast ? left : Math.Min(left, until - done);
                yield return (Math.Min(bucket.HighNs, first.MaxNs), Math.Min(partners[partner].HighNs, second.MaxNs), pairs);
                (done, left) = (done + pairs, left - pairs);
            }
        }
    }

    private static List<HistogramBucket> Buckets(LatencyHistogram histogram)
    {
        List<HistogramBucket> buckets = [];
        foreach (HistogramBucket bucket in histogram)
        {
            buckets.Add(bucket);
        }

        return buckets;
    }
}
