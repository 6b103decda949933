using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Statistics;

/// <summary>Gathers the transactions of one target or connection as they were and as they would be without a wait.</summary>
internal sealed class CureReplay
{
    private const double Median = 0.5;
    private const double Tail = 0.99;
    private const double Alpha = 0.05;
    private const int MostBlocks = 40;

    private readonly List<(long Ns, long Count)> _now = [];
    private readonly List<(long Ns, long Count)> _after = [];
    private readonly List<(long AtNs, long Ns)> _inTime = [];
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

    /// <summary>Adds one transaction of known time. One pause often delays several transactions, which then say as much as one.</summary>
    /// <param name="atNs">When it began, nanoseconds.</param>
    /// <param name="nowNs">How long it took, nanoseconds.</param>
    /// <param name="afterNs">How long it would have taken without the wait, nanoseconds.</param>
    public void AddAt(long atNs, long nowNs, long afterNs)
    {
        Add(nowNs, afterNs);
        _inTime.Add((atNs, _after[^1].Ns));
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
        QuantileInterval ranks = QuantileInterval.Of(Tail, _count, Independent() / 2, Alpha);
        return new CurePrediction
        {
            Of = of,
            N = _count,
            SavesMs = _savedNs / 1e6,
            P50Us = AtRank(_now, Rank(Median)) / 1e3,
            P99Us = AtRank(_now, Rank(Tail)) / 1e3,
            P50AfterUs = AtRank(_after, Rank(Median)) / 1e3,
            P99AfterUs = AtRank(_after, Rank(Tail)) / 1e3,
            P99AfterLowUs = ranks.LowRank is { } low ? AtRank(_after, low) / 1e3 : null,
            P99AfterHighUs = ranks.HighRank is { } high ? AtRank(_after, high) / 1e3 : null,
            AtBest = atBest,
            Assumes = assumes,
        };
    }

    /// <summary>As many independent transactions show as much about the tail.</summary>
    private double Independent()
    {
        if (_inTime.Count < _count)
        {
            return _count;
        }

        _inTime.Sort();
        long tail = AtRank(_after, Rank(Tail));
        int blocks = Math.Min(MostBlocks, _inTime.Count);
        long[] below = new long[blocks];
        long[] counts = new long[blocks];
        for (int i = 0; i < _inTime.Count; i++)
        {
            int block = (int)((long)i * blocks / _inTime.Count);
            counts[block]++;
            below[block] += _inTime[i].Ns < tail ? 1 : 0;
        }

        return EffectiveSampleSize.FromBlocks(below, counts);
    }

    private long Rank(double quantile) => Math.Max(1, (long)Math.Ceiling(Math.BitDecrement(quantile * _count)));

    private static long AtRank(List<(long Ns, long Count)> sorted, long rank)
    {
        int i = 0;
        for (long seen = sorted[0].Count; seen < rank && i < sorted.Count - 1; seen += sorted[i].Count)
        {
            i++;
        }

        return sorted[i].Ns;
    }
}
