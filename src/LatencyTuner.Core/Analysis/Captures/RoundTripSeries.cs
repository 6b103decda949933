namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>Round trips over time in a fixed number of intervals that double in length as the connection lasts.</summary>
internal sealed class RoundTripSeries
{
    private const int Most = 120;
    private const int Few = 8;

    private readonly List<long> _largest = [];

    /// <summary>Length of an interval, nanoseconds.</summary>
    public long IntervalNs { get; private set; } = 10_000_000;

    /// <summary>The largest round trip of each interval, nanoseconds; -1 where there was none.</summary>
    public IReadOnlyList<long> Largest => _largest;

    /// <summary>Adds a sample.</summary>
    /// <param name="atNs">Nanoseconds from the connection's first packet, 0 or more.</param>
    /// <param name="roundTripNs">The round trip.</param>
    public void Add(long atNs, long roundTripNs)
    {
        long index = Math.Max(atNs, 0) / IntervalNs;
        while (index >= Most)
        {
            for (int i = 0; i < _largest.Count; i += 2)
            {
                _largest[i / 2] = Math.Max(_largest[i], i + 1 < _largest.Count ? _largest[i + 1] : -1);
            }

            _largest.RemoveRange((_largest.Count + 1) / 2, _largest.Count / 2);
            IntervalNs *= 2;
            index /= 2;
        }

        // Once past a few intervals it soon has them all: growing step by step would leave more behind than it saves.
        _largest.EnsureCapacity(index < Few ? Few : Most);
        while (_largest.Count <= index)
        {
            _largest.Add(-1);
        }

        _largest[(int)index] = Math.Max(_largest[(int)index], roundTripNs);
    }
}
