namespace LatencyTuner.Core.Etw;

/// <summary>The open buffers, sorted by the time of their current event; with equal times, in file order.</summary>
internal sealed class EtlMergeHeap
{
    private EtlBufferCursor[] _items = new EtlBufferCursor[64];

    internal int Count { get; private set; }

    internal EtlBufferCursor Top => _items[0];

    /// <summary>The earliest time of all buffers except the first; the largest value when there is none.</summary>
    internal long Second => Count switch
    {
        0 or 1 => long.MaxValue,
        2 => _items[1].Header.Timestamp,
        _ => Math.Min(_items[1].Header.Timestamp, _items[2].Header.Timestamp),
    };

    internal void Push(EtlBufferCursor item)
    {
        if (Count == _items.Length)
        {
            Array.Resize(ref _items, Count * 2);
        }

        int at = Count++;
        while (at > 0 && IsBefore(item, _items[(at - 1) / 2]))
        {
            _items[at] = _items[(at - 1) / 2];
            at = (at - 1) / 2;
        }

        _items[at] = item;
    }

    /// <summary>Moves the first buffer to its place after its current event has changed.</summary>
    internal void Sink()
    {
        EtlBufferCursor item = _items[0];
        int at = 0;
        while (true)
        {
            int child = (2 * at) + 1;
            if (child >= Count)
            {
                break;
            }

            if (child + 1 < Count && IsBefore(_items[child + 1], _items[child]))
            {
                child++;
            }

            if (!IsBefore(_items[child], item))
            {
                break;
            }

            _items[at] = _items[child];
            at = child;
        }

        _items[at] = item;
    }

    /// <summary>Removes the first buffer.</summary>
    internal void Pop()
    {
        Count--;
        _items[0] = _items[Count];
        _items[Count] = null!;
        if (Count > 0)
        {
            Sink();
        }
    }

    private static bool IsBefore(EtlBufferCursor a, EtlBufferCursor b) =>
        a.Header.Timestamp != b.Header.Timestamp ? a.Header.Timestamp < b.Header.Timestamp : a.Order < b.Order;
}
