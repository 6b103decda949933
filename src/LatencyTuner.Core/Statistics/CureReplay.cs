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

    /// <summary>The prediction; null when nothing was added or nothing would be saved.</summary>
    /// <param name="of">The target or connection.</param>
    /// <param name="assumes">What the prediction takes for granted.</param>
    /// <param name="atBest">True where another limit may come first.</param>
    public CurePrediction? Predict(string of, IReadOnlyList<string> assumes, bool atBest = false)
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
            P99AfterLowUs = AtRank(ranks.LowRank),
            P99AfterHighUs = AtRank(ranks.HighRank),
            AtBest = atBest,
            Assumes = assumes,
        };
    }

    private double? AtRank(long? rank) => rank is { } r ? _after.ValueAtRank(r) / 1e3 : null;
}
