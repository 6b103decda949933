namespace LatencyTuner.Core.Capture;

/// <summary>The segments of one direction that wait for their ACK, by sequence number. It grows up to a limit and then drops the oldest.</summary>
internal struct OutstandingRing
{
    /// <summary>Largest number of segments that are kept.</summary>
    public const int Most = 16384;

    private OutstandingSegment[]? _items;
    private int _head;

    public int Count { get; private set; }

    /// <summary>The segment at an index from the lowest sequence number.</summary>
    public readonly ref OutstandingSegment this[int index] => ref _items![(_head + index) & (_items.Length - 1)];

    /// <summary>Prefetches the first segment.</summary>
    public void Fetch() => Prefetch.Of(ref _items, _head);

    public void Clear() => (Count, _head) = (0, 0);

    /// <summary>Clears the ring and releases a large array, so that a pooled connection does not keep a large one.</summary>
    public void Trim()
    {
        Clear();
        if (_items is { Length: > 64 })
        {
            _items = null;
        }
    }

    public void RemoveFirst()
    {
        _head = (_head + 1) & (_items!.Length - 1);
        Count--;
    }

    /// <summary>Inserts a segment in sequence number order: nearly always at the end.</summary>
    public void Add(in OutstandingSegment segment)
    {
        if (_items is null)
        {
            _items = new OutstandingSegment[4];
        }
        else if (Count == _items.Length)
        {
            Grow();
        }

        int at = Count++;
        while (at > 0 && SequenceNumber.Less(segment.Sequence, this[at - 1].Sequence))
        {
            this[at] = this[at - 1];
            at--;
        }

        this[at] = segment;
    }

    /// <summary>Index of the first segment that ends beyond a sequence number; <see cref="Count"/> when none does.</summary>
    public readonly int FirstBeyond(uint sequence)
    {
        int low = 0;
        int high = Count;
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            if (SequenceNumber.LessOrEqual(this[middle].End, sequence))
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return low;
    }

    private void Grow()
    {
        if (_items!.Length >= Most)
        {
            RemoveFirst();
            return;
        }

        OutstandingSegment[] larger = new OutstandingSegment[_items.Length * 2];
        for (int i = 0; i < Count; i++)
        {
            larger[i] = this[i];
        }

        (_items, _head) = (larger, 0);
    }
}

/// <summary>Bytes that were sent and are not acknowledged yet.</summary>
internal struct OutstandingSegment
{
    public uint Sequence;
    public uint End;
    public long FirstSentNs;
    public long LastSentNs;

    /// <summary>Timestamp values of the last transmission and of the first copy; the latter is 0 without one.</summary>
    public uint LastTimestamp;
    public uint CopyTimestamp;

    /// <summary>IP identifications of the first and of the last transmission.</summary>
    public ushort IpId;
    public ushort LastIpId;

    /// <summary>Transmissions seen, at most 65535.</summary>
    public ushort Sends;

    /// <summary>Of these, how many had a wrong checksum; and whether the last one had.</summary>
    public ushort WrongCopies;
    public bool LastIsWrong;

    /// <summary>Time to live (IPv4) or hop limit (IPv6) of the first transmission.</summary>
    public byte Ttl;

    /// <summary>True when the segment carries payload and not only SYN or FIN.</summary>
    public bool IsData;

    /// <summary>True when the segment passed the capture point out of order or fills a hole.</summary>
    public bool OutOfOrder;

    /// <summary>True when the peer's window was closed when it was sent: the peer refused it, until a copy is sent with the window open.</summary>
    public bool Refused;
}
