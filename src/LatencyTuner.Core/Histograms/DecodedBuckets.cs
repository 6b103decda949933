namespace LatencyTuner.Core.Histograms;

/// <summary>
/// The buckets of an encoded histogram that have a count, from low to high. A stored interval has a handful of them, a <see cref="LatencyHistogram"/> room
/// for 33,792: a week of intervals is read with these.
/// </summary>
internal sealed class DecodedBuckets
{
    private const int First = 16;

    private long[] _middles = new long[First];
    private long[] _counts = new long[First];
    private int _used;

    /// <summary>Number of values.</summary>
    internal long Count { get; private set; }

    /// <summary>The lower end of the lowest bucket, nanoseconds; 0 for none.</summary>
    internal long MinNs { get; private set; }

    /// <summary>The upper end of the highest bucket, nanoseconds; 0 for none.</summary>
    internal long MaxNs { get; private set; }

    /// <summary>Adds a bucket above all others.</summary>
    /// <param name="low">Its lowest value, nanoseconds.</param>
    /// <param name="width">Number of values that it holds.</param>
    /// <param name="count">How often it was counted, above 0.</param>
    internal void Add(long low, long width, long count)
    {
        if (_used == _middles.Length)
        {
            Array.Resize(ref _middles, 2 * _used);
            Array.Resize(ref _counts, 2 * _used);
        }

        (_middles[_used], _counts[_used]) = (low + (width / 2), count);
        MinNs = Math.Min(_used == 0 ? low : MinNs, LatencyHistogram.HighestTrackableNs);
        MaxNs = Math.Min(low + width - 1, LatencyHistogram.HighestTrackableNs);
        Count += count;
        _used++;
    }

    /// <summary>Records every value at the middle of its bucket.</summary>
    /// <param name="target">Receives the values.</param>
    internal void RecordInto(LatencyHistogram target)
    {
        for (int i = 0; i < _used; i++)
        {
            target.RecordMany(_middles[i], _counts[i]);
        }
    }

    /// <summary>As <see cref="LatencyHistogram.ValueAtPercentile"/> of a histogram of these buckets.</summary>
    /// <param name="percentile">Above 0, up to 100.</param>
    internal long ValueAtPercentile(double percentile)
    {
        long rank = LatencyHistogram.RankOf(percentile, Count);
        for (int i = 0; i < _used; i++)
        {
            rank -= _counts[i];
            if (rank <= 0)
            {
                return Math.Min(LatencyHistogram.HighOf(IndexOf(i)), MaxNs);
            }
        }

        return MaxNs;
    }

    /// <summary>As <see cref="LatencyHistogram.CountAbove"/> of a histogram of these buckets.</summary>
    /// <param name="ns">The value, nanoseconds.</param>
    internal long CountAbove(long ns)
    {
        if (ns < MinNs)
        {
            return Count;
        }

        long above = 0;
        int last = LatencyHistogram.IndexOf(Math.Min(ns, LatencyHistogram.HighestTrackableNs));
        for (int i = _used - 1; i >= 0 && ns < MaxNs && IndexOf(i) > last; i--)
        {
            above += _counts[i];
        }

        return above;
    }

    private int IndexOf(int i) => LatencyHistogram.IndexOf(Math.Min(_middles[i], LatencyHistogram.HighestTrackableNs));
}
