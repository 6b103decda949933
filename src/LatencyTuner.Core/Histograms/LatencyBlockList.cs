namespace LatencyTuner.Core.Histograms;

/// <summary>
/// The latencies of a run over time, in at most 64 consecutive blocks of equal length. When the 65th begins, neighbours are merged in pairs and the
/// block length doubles, so an hour takes the memory of a minute. Not thread-safe; appending allocates and belongs off the measuring thread.
/// </summary>
public sealed class LatencyBlockList
{
    /// <summary>The most blocks kept.</summary>
    public const int Capacity = 64;

    private readonly List<Entry> _entries = new(Capacity);
    private readonly LatencyHistogram _live = new();
    private readonly LatencyHistogram _scratch = new();
    private readonly LatencyHistogram _merged = new();
    private int _appendsInLast;

    /// <summary>Number of blocks, at most <see cref="Capacity"/>.</summary>
    public int Count => _entries.Count;

    /// <summary>How many appended blocks make one kept block: 1, 2, 4 ...; the last kept block may hold fewer.</summary>
    public int AppendsPerBlock { get; private set; } = 1;

    /// <summary>Bytes held by the encoded blocks; the last block is encoded when the next one begins.</summary>
    public long EncodedBytes => _entries.Sum(e => (long)e.Bytes.Length);

    /// <summary>The times, the count, the minimum and the maximum of one block.</summary>
    /// <param name="index">From 0, in time order.</param>
    public LatencyBlock this[int index] => _entries[index].Facts;

    /// <summary>Adds the values recorded after the last block. A long run allocates only when a kept block is full.</summary>
    /// <param name="block">Copied; may be empty. All appended blocks should cover the same time.</param>
    /// <param name="startNs">Start, nanoseconds on any clock; not before the end of the last block.</param>
    /// <param name="endNs">End on the same clock, not before the start.</param>
    /// <exception cref="ArgumentOutOfRangeException">The block ends before its start, or starts before the end of the last block.</exception>
    public void Append(LatencyHistogram block, long startNs, long endNs)
    {
        ArgumentNullException.ThrowIfNull(block);
        ArgumentOutOfRangeException.ThrowIfLessThan(endNs, startNs);
        if (Count > 0)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(startNs, _entries[^1].Facts.EndNs);
        }

        if (Count > 0 && _appendsInLast < AppendsPerBlock)
        {
            _live.Add(block);
            _entries[^1] = new([], FactsOf(_live, _entries[^1].Facts.StartNs, endNs), default);
            _appendsInLast++;
            return;
        }

        if (Count > 0)
        {
            _entries[^1] = Encode(_live, _entries[^1].Facts.StartNs, _entries[^1].Facts.EndNs);
        }

        if (Count == Capacity)
        {
            MergeNeighbours();
        }

        block.CopyTo(_live);
        _entries.Add(new([], FactsOf(_live, startNs, endNs), default));
        _appendsInLast = 1;
    }

    /// <summary>Decodes one block, with exact minimum, maximum, mean and standard deviation.</summary>
    /// <param name="index">From 0, in time order.</param>
    public LatencyHistogram Decode(int index)
    {
        LatencyHistogram histogram = new();
        Read(index, histogram);
        return histogram;
    }

    /// <summary>Decodes one block into an existing histogram.</summary>
    /// <param name="index">From 0, in time order.</param>
    /// <param name="target">Receives the block; its previous content is overwritten.</param>
    public void Read(int index, LatencyHistogram target)
    {
        ArgumentNullException.ThrowIfNull(target);
        Entry entry = _entries[index];
        if (index == Count - 1)
        {
            _live.CopyTo(target);
            return;
        }

        LatencyHistogram.DecodeCompressedV2(entry.Bytes, target);
        target.Moments = entry.Moments;
    }

    private static LatencyBlock FactsOf(LatencyHistogram histogram, long startNs, long endNs) =>
        new(startNs, endNs, histogram.Count, histogram.MinNs, histogram.MaxNs);

    private static Entry Encode(LatencyHistogram histogram, long startNs, long endNs) =>
        new(histogram.EncodeCompressedV2(), FactsOf(histogram, startNs, endNs), histogram.Moments);

    private void MergeNeighbours()
    {
        for (int i = 0; i < Capacity / 2; i++)
        {
            ReadEncoded(2 * i, _merged);
            ReadEncoded((2 * i) + 1, _scratch);
            _merged.Add(_scratch);
            _entries[i] = Encode(_merged, _entries[2 * i].Facts.StartNs, _entries[(2 * i) + 1].Facts.EndNs);
        }

        _entries.RemoveRange(Capacity / 2, Capacity / 2);
        AppendsPerBlock *= 2;
    }

    private void ReadEncoded(int index, LatencyHistogram target)
    {
        LatencyHistogram.DecodeCompressedV2(_entries[index].Bytes, target);
        target.Moments = _entries[index].Moments;
    }

    private readonly record struct Entry(byte[] Bytes, LatencyBlock Facts, HistogramMoments Moments);
}

/// <summary>The exact values of a histogram that its encoding does not contain.</summary>
internal readonly record struct HistogramMoments(
    long Min, long Max, WideSum Sum, WideSum SumOfSquares, long NegativeCount, long SaturatedCount);

/// <summary>One time block of a run, without its buckets (see <see cref="LatencyBlockList.Decode(int)"/>).</summary>
/// <param name="StartNs">Start of the block, nanoseconds on the run's clock.</param>
/// <param name="EndNs">End of the block on the same clock.</param>
/// <param name="Count">Recorded values.</param>
/// <param name="MinNs">Smallest value, exact; 0 when nothing was recorded.</param>
/// <param name="MaxNs">Largest value, exact; 0 when nothing was recorded.</param>
public readonly record struct LatencyBlock(long StartNs, long EndNs, long Count, long MinNs, long MaxNs);
