using System.Numerics;
using System.Runtime.CompilerServices;

namespace LatencyTuner.Core.Histograms;

/// <summary>
/// Counts latencies from 0 ns to 1 h in buckets never wider than 0.1 % of their value, in a fixed 264 KiB. The layout is that of
/// HdrHistogram with lowest discernible value 1 and 3 significant digits (Gil Tene, "HdrHistogram", public domain), so its files are
/// interchangeable. Not thread-safe: one writer, and readers only while nobody writes.
/// </summary>
/// <remarks>Minimum, maximum, mean and standard deviation come from exact running integers, not from the buckets, unless the histogram was
/// decoded from bytes: the encoding carries buckets only. Sums are exact for up to 2^44 values.</remarks>
public sealed partial class LatencyHistogram
{
    /// <summary>The highest value with a bucket of its own, nanoseconds: one hour. A higher value is counted as this one.</summary>
    public const long HighestTrackableNs = 3_600_000_000_000;

    /// <summary>Significant decimal digits.</summary>
    public const int SignificantDigits = 3;

    internal const int SubBucketCount = 2048;
    internal const int BucketCount = 32;
    internal const int CountsLength = (BucketCount + 1) * SubBucketCount / 2;
    private const int HalfMagnitude = 10;
    private const int LeadingZerosOfBucketZero = 53;

    private readonly long[] _counts = new long[CountsLength];
    private long _min = long.MaxValue;
    private long _max;
    private WideSum _sum;
    private WideSum _sumOfSquares;

    /// <summary>Number of recorded values, clamped ones included.</summary>
    public long Count { get; private set; }

    /// <summary>How many recorded values were negative (a clock that ran backwards) and were counted as 0.</summary>
    public long NegativeCount { get; private set; }

    /// <summary>How many recorded values were above <see cref="HighestTrackableNs"/> and were counted as that value.</summary>
    public long SaturatedCount { get; private set; }

    /// <summary>The smallest recorded value, exact, nanoseconds; 0 when nothing was recorded.</summary>
    public long MinNs => Count == 0 ? 0 : _min;

    /// <summary>The largest recorded value, exact, nanoseconds; 0 when nothing was recorded.</summary>
    public long MaxNs => _max;

    /// <summary>The arithmetic mean from the exact sum, nanoseconds; 0 when nothing was recorded.</summary>
    public double MeanNs => Count == 0 ? 0 : (double)_sum / Count;

    /// <summary>The population standard deviation from the exact sums, nanoseconds; 0 when nothing was recorded.</summary>
    public double StandardDeviationNs
    {
        get
        {
            if (Count == 0)
            {
                return 0;
            }
            // n·Σx² − (Σx)² in whole numbers: in floating point the difference of two nearly equal numbers would lose all digits.
            BigInteger scaled = ((BigInteger)_sumOfSquares * Count) - ((BigInteger)_sum * (BigInteger)_sum);
            return Math.Sqrt((double)scaled) / Count;
        }
    }

    internal BigInteger Sum => _sum;

    internal HistogramMoments Moments
    {
        get => new(_min, _max, _sum, _sumOfSquares, NegativeCount, SaturatedCount);
        set
        {
            (_min, _max, _sum, _sumOfSquares) = (value.Min, value.Max, value.Sum, value.SumOfSquares);
            (NegativeCount, SaturatedCount) = (value.NegativeCount, value.SaturatedCount);
        }
    }

    internal ReadOnlySpan<long> Counts => _counts;

    /// <summary>Counts one value. Does not allocate.</summary>
    /// <param name="ns">Nanoseconds; below 0 counts as 0, above <see cref="HighestTrackableNs"/> as that value; both are also counted separately.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Record(long ns)
    {
        if ((ulong)ns > HighestTrackableNs)
        {
            ns = Clamp(ns, 1);
        }

        _counts[IndexOf(ns)]++;
        Count++;
        if (ns < _min)
        {
            _min = ns;
        }

        if (ns > _max)
        {
            _max = ns;
        }

        _sum += (ulong)ns;
        _sumOfSquares += WideSum.Square((ulong)ns);
    }

    /// <summary>Counts one value several times.</summary>
    /// <param name="ns">Nanoseconds, clamped as by <see cref="Record"/>.</param>
    /// <param name="count">Number of times to count it, 0 or more.</param>
    /// <exception cref="ArgumentOutOfRangeException">The count is negative.</exception>
    public void RecordMany(long ns, long count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        if (count == 0)
        {
            return;
        }

        if ((ulong)ns > HighestTrackableNs)
        {
            ns = Clamp(ns, count);
        }

        _counts[IndexOf(ns)] += count;
        Count += count;
        _min = Math.Min(_min, ns);
        _max = Math.Max(_max, ns);
        WideSum total = new WideSum(0, (ulong)ns) * (ulong)count;
        _sum += total;
        _sumOfSquares += total * (ulong)ns;
    }

    /// <summary>Adds all values that the other histogram counted; the result equals one that recorded both series.</summary>
    /// <param name="other">The histogram to add; not changed.</param>
    public void Add(LatencyHistogram other)
    {
        ArgumentNullException.ThrowIfNull(other);
        if (other.Count == 0)
        {
            return;
        }

        int last = IndexOf(other._max);
        for (int i = IndexOf(other._min); i <= last; i++)
        {
            _counts[i] += other._counts[i];
        }

        Count += other.Count;
        NegativeCount += other.NegativeCount;
        SaturatedCount += other.SaturatedCount;
        _min = Math.Min(_min, other._min);
        _max = Math.Max(_max, other._max);
        _sum += other._sum;
        _sumOfSquares += other._sumOfSquares;
    }

    /// <summary>Adds all values of an encoded histogram.</summary>
    /// <param name="other">The histogram to add; not changed.</param>
    internal void Add(DecodedBuckets other)
    {
        if (other.Count > 0)
        {
            other.RecordInto(this);
            _min = Math.Min(_min, other.MinNs);
            _max = Math.Max(_max, other.MaxNs);
        }
    }

    /// <summary>Clears all recorded values.</summary>
    public void Reset()
    {
        Array.Clear(_counts);
        Count = 0;
        Moments = new(long.MaxValue, 0, default, default, 0, 0);
    }

    /// <summary>Makes the other histogram equal to this one, without allocation.</summary>
    /// <param name="target">Receives the copy; its previous content is overwritten.</param>
    public void CopyTo(LatencyHistogram target)
    {
        ArgumentNullException.ThrowIfNull(target);
        _counts.CopyTo(target._counts, 0);
        target.Count = Count;
        target.Moments = Moments;
    }

    /// <summary>
    /// The highest value of the bucket that holds the given percentile, but no more than <see cref="MaxNs"/>; the same rank rule as
    /// HdrHistogram's. For 0 the smallest value; for an empty histogram 0.
    /// </summary>
    /// <param name="percentile">From 0 to 100.</param>
    /// <exception cref="ArgumentOutOfRangeException">Not from 0 to 100.</exception>
    public long ValueAtPercentile(double percentile)
    {
        if (!(percentile >= 0 && percentile <= 100))
        {
            throw new ArgumentOutOfRangeException(nameof(percentile), percentile, "A percentile is from 0 to 100.");
        }

        if (percentile == 0)
        {
            return MinNs;
        }
        return Count == 0 ? 0 : ValueAtRank(RankOf(percentile, Count));
    }

    /// <summary>The rank of a percentile among a number of values, at least 1.</summary>
    // One step down before rounding up: p/100·n may come out slightly above a whole number and would then skip a value.
    internal static long RankOf(double percentile, long count) =>
        Math.Clamp((long)Math.Ceiling(Math.BitDecrement(percentile / 100 * count)), 1, Math.Max(1, count));

    /// <summary>The highest value of the bucket that holds the n-th smallest value, but no more than <see cref="MaxNs"/>.</summary>
    /// <param name="rank">From 1 (the smallest) to <see cref="Count"/> (the largest).</param>
    /// <exception cref="ArgumentOutOfRangeException">The rank is not from 1 to <see cref="Count"/>.</exception>
    public long ValueAtRank(long rank)
    {
        if (rank < 1 || rank > Count)
        {
            throw new ArgumentOutOfRangeException(nameof(rank), rank, $"A rank is from 1 to {Count}.");
        }

        long seen = 0;
        int last = IndexOf(_max);
        for (int i = IndexOf(_min); i <= last; i++)
        {
            seen += _counts[i];
            if (seen >= rank)
            {
                return Math.Min(HighOf(i), _max);
            }
        }
        return _max;
    }

    internal long LowValueAtRank(long rank) => Math.Max(_min, LowOf(IndexOf(ValueAtRank(rank))));

    /// <summary>How many recorded values are at most the given one, counting the whole bucket the given value lies in.</summary>
    /// <param name="ns">The value, nanoseconds.</param>
    public long CountAtOrBelow(long ns)
    {
        if (Count == 0 || ns < _min)
        {
            return 0;
        }

        if (ns >= _max)
        {
            return Count;
        }

        long seen = 0;
        int last = IndexOf(ns);
        for (int i = IndexOf(_min); i <= last; i++)
        {
            seen += _counts[i];
        }

        return seen;
    }

    /// <summary>How many recorded values lie in buckets above that of the given value.</summary>
    /// <param name="ns">The value, nanoseconds.</param>
    public long CountAbove(long ns) => Count - CountAtOrBelow(ns);

    /// <summary>Enumerates the recorded buckets from low to high, without allocation.</summary>
    public BucketEnumerator GetEnumerator() => new(this);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int IndexOf(long ns)
    {
        int bucket = LeadingZerosOfBucketZero - BitOperations.LeadingZeroCount((ulong)ns | (SubBucketCount - 1));
        return (bucket << HalfMagnitude) + (int)(ns >> bucket);
    }

    internal static long LowOf(int index)
    {
        int bucket = Math.Max(0, (index >> HalfMagnitude) - 1);
        return (long)(index - (bucket << HalfMagnitude)) << bucket;
    }

    internal static long HighOf(int index) => LowOf(index) + (1L << Math.Max(0, (index >> HalfMagnitude) - 1)) - 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private long Clamp(long ns, long count)
    {
        if (ns < 0)
        {
            NegativeCount += count;
            return 0;
        }
        SaturatedCount += count;
        return HighestTrackableNs;
    }

    /// <summary>Walks the recorded buckets of one histogram.</summary>
    public struct BucketEnumerator
    {
        private readonly LatencyHistogram _histogram;
        private readonly int _last;
        private int _index;

        internal BucketEnumerator(LatencyHistogram histogram)
        {
            _histogram = histogram;
            _index = histogram.Count == 0 ? 0 : IndexOf(histogram._min) - 1;
            _last = histogram.Count == 0 ? -1 : IndexOf(histogram._max);
        }

        /// <summary>The current bucket.</summary>
        public readonly HistogramBucket Current => new(LowOf(_index), HighOf(_index), _histogram._counts[_index]);

        /// <summary>Moves to the next bucket with a count.</summary>
        public bool MoveNext()
        {
            while (++_index <= _last)
            {
                if (_histogram._counts[_index] != 0)
                {
                    return true;
                }
            }
            return false;
        }
    }
}
