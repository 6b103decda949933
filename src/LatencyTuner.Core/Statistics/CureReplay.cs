using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Statistics;

/// <summary>Gathers the transactions of one target or connection as they were and as they would be without a wait.</summary>
internal sealed class CureReplay
{
    private const double Median = 0.5;
    private const double Tail = 0.99;
    private const double Alpha = 0.05;

    private readonly List<(long Ns, long Count)> _now = [];
    private readonly List<(long Ns, long Count)> _after = [];
    private long _count;
    private double _savedNs;

    /// <summary>Adds transactions.</summary>
    /// <param name="nowNs">How long each took, nanoseconds.</param>
    /// <param name="afterNs">How long each would have taken without the wait, nanoseconds; more than <paramref name="nowNs"/> counts as that.</param>
    /// <param name="count">How many there are.</param>
    public void Add(long nowNs, long afterNs, long count = 1)
    {
        long after = Math.Clamp(afterNs, 0, Math.Max(0, nowNs));
        _now.Add((nowNs, count));
        _after.Add((after, count));
        _count += count;
        _savedNs += (double)(nowNs - after) * count;
    }

    /// <summary>The prediction; null when nothing was added or nothing would be saved.</summary>
    /// <param name="of">The target or connection.</param>
    /// <param name="assumes">What the prediction takes for granted, a clause each.</param>
    /// <param name="atBest">True where another limit may come first.</param>
    public CurePrediction? Predict(string of, IReadOnlyList<string> assumes, bool atBest = false)
    {
        if (_count == 0 || _savedNs <= 0)
        {
            return null;
        }

        _now.Sort();
        _after.Sort();
        // Another run has a scatter of its own: the variances of both add up, as if there were half as many transactions.
        QuantileInterval ranks = QuantileInterval.Of(Tail, _count, _count / 2.0, Alpha);
        return new CurePrediction
        {
            Of = of,
            N = _count,
            SavesMs = _savedNs / 1e6,
            P50Us = AtRank(_now, Rank(Median)),
            P99Us = AtRank(_now, Rank(Tail)),
            P50AfterUs = AtRank(_after, Rank(Median)),
            P99AfterUs = AtRank(_after, Rank(Tail)),
            P99AfterLowUs = ranks.LowRank is { } low ? AtRank(_after, low) : null,
            P99AfterHighUs = ranks.HighRank is { } high ? AtRank(_after, high) : null,
            AtBest = atBest,
            Assumes = assumes,
        };
    }

    private long Rank(double quantile) => Math.Max(1, (long)Math.Ceiling(Math.BitDecrement(quantile * _count)));

    private static double AtRank(List<(long Ns, long Count)> sorted, long rank)
    {
        int i = 0;
        for (long seen = sorted[0].Count; seen < rank && i < sorted.Count - 1; seen += sorted[i].Count)
        {
            i++;
        }

        return sorted[i].Ns / 1e3;
    }
}
