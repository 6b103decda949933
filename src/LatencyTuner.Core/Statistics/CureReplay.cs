using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Statistics;

/// <summary>Gathers the transactions of one target or connection as they were and as they would be without a wait.</summary>
internal sealed class CureReplay
{
    private const double Tail = 0.99;
    private const double Alpha = 0.05;

    private readonly LatencyHistogram _now = new();
    private readonly LatencyHistogram _after = new();
    private double _savedNs;

    /// <summary>Adds transactions.</summary>
    /// <param name="nowNs">How long each took, nanoseconds.</param>
    /// <param name="afterNs">How long each would have taken without the wait, nanoseconds; more than <paramref name="nowNs"/> counts as that.</param>
    /// <param name="count">How many there are.</param>
    public void Add(long nowNs, long afterNs, long count = 1)
    {
        long after = Math.Clamp(afterNs, 0, Math.Max(0, nowNs));
        _now.RecordMany(nowNs, count);
        _after.RecordMany(after, count);
        _savedNs += (double)(nowNs - after) * count;
    }

    /// <summary>Adds transactions of which both distributions are known: the one as it was, and the one without the wait. Equal ranks make a pair.</summary>
    /// <param name="now">How long they took.</param>
    /// <param name="after">How long they would have taken; it may hold another number of values.</param>
    public void Add(LatencyHistogram now, LatencyHistogram after)
    {
        List<HistogramBucket> targets = [];
        foreach (HistogramBucket bucket in after)
        {
            targets.Add(bucket);
        }

        (int target, long below, long done) = (0, 0, 0);
        foreach (HistogramBucket bucket in now)
        {
            for (long left = bucket.Count; left > 0 && targets.Count > 0;)
            {
                bool isLast = target == targets.Count - 1;
                long until = (long)((Int128)(below + targets[target].Count) * now.Count / after.Count);
                if (until <= done && !isLast)
                {
                    below += targets[target++].Count;
                    continue;
                }

                long pairs = isLast ? left : Math.Min(left, until - done);
                Add(Math.Min(bucket.HighNs, now.MaxNs), Math.Min(targets[target].HighNs, after.MaxNs), pairs);
                (done, left) = (done + pairs, left - pairs);
            }
        }
    }

    /// <summary>The prediction; null when nothing was added or nothing would be saved.</summary>
    /// <param name="of">The target or connection.</param>
    /// <param name="assumes">What the prediction takes for granted.</param>
    /// <param name="atBest">True where another limit may come first.</param>
    /// <param name="shortest">
    /// The same transactions without the wait, each as short as it may be; null where the evidence says how long each would be.
    /// </param>
    /// <param name="longest">The same, each as long as it may be.</param>
    public CurePrediction? Predict(
        string of, IReadOnlyList<string> assumes, bool atBest = false, LatencyHistogram? shortest = null, LatencyHistogram? longest = null)
    {
        long n = _after.Count;
        if (n == 0 || _savedNs <= 0)
        {
            return null;
        }

        // Another run has a scatter of its own: the variances of both add up, as if there were half as many transactions.
        QuantileInterval ranks = QuantileInterval.Of(Tail, n, n / 2.0, Alpha);
        return new CurePrediction
        {
            Of = of,
            N = n,
            SavesMs = _savedNs / 1e6,
            P50Us = _now.ValueAtPercentile(50) / 1e3,
            P99Us = _now.ValueAtPercentile(100 * Tail) / 1e3,
            P50AfterUs = _after.ValueAtPercentile(50) / 1e3,
            P99AfterUs = _after.ValueAtPercentile(100 * Tail) / 1e3,
            P99AfterLowUs = AtRank(_after, ranks.LowRank) is { } low ? Math.Min(low, AtRank(shortest ?? _after, ranks.LowRank)!.Value) : null,
            P99AfterHighUs = AtRank(_after, ranks.HighRank) is { } high ? Math.Max(high, AtRank(longest ?? _after, ranks.HighRank)!.Value) : null,
            AtBest = atBest,
            Assumes = assumes,
        };
    }

    private static double? AtRank(LatencyHistogram times, long? rank) => rank is { } r ? times.ValueAtRank(Math.Min(r, times.Count)) / 1e3 : null;
}
