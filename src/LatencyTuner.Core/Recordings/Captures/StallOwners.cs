namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Divides overlapping stalls into pieces with one kind each, by precedence.</summary>
internal sealed class StallOwners
{
    private CompactList<Edge> _edges;
    private CompactList<Stall> _kept;

    /// <summary>Disjoint pieces in order of time.</summary>
    public CompactList<Stall> Pieces;

    /// <summary>Divides stalls into <see cref="Pieces"/>.</summary>
    /// <param name="stalls">The stalls.</param>
    /// <param name="held">The end that owns the time in which segments of both ends were held: 0 the client, 1 the server.</param>
    public void Divide(ref CompactList<Stall> stalls, int held)
    {
        Pieces.Clear();
        _edges.Clear();
        for (int i = 0; i < stalls.Count; i++)
        {
            ref Stall stall = ref stalls[i];
            if (stall.EndNs > stall.StartNs)
            {
                _edges.Add(new Edge(stall.StartNs, stall.Key, true));
                _edges.Add(new Edge(stall.EndNs, stall.Key, false));
            }
        }

        if (_edges.Count == 0)
        {
            return;
        }

        _edges.Sort(static (a, b) => a.TimeNs.CompareTo(b.TimeNs));
        Span<int> open = stackalloc int[Stall.Keys];
        open.Clear();
        long since = 0;
        int owner = -1;
        for (int i = 0; i < _edges.Count; i++)
        {
            (long time, int key, bool start) = _edges[i];
            if (owner >= 0 && time > since)
            {
                Pieces.Add(new Stall(since, time, (StallKind)(owner / 2), (byte)(owner % 2)));
            }

            open[key] += start ? 1 : -1;
            since = time;
            owner = First(open, held);
        }
    }

    /// <summary>Removes times from the pieces.</summary>
    public void LeaveOut(ref CompactList<(long StartNs, long EndNs)> times)
    {
        for (int i = 0; i < times.Count && Pieces.Count > 0; i++)
        {
            (long start, long end) = times[i];
            int count = Pieces.Count;
            _kept.Clear();
            for (int k = 0; k < count; k++)
            {
                Stall piece = Pieces[k];
                Keep(piece with { EndNs = Math.Min(piece.EndNs, start) });
                Keep(piece with { StartNs = Math.Max(piece.StartNs, end) });
            }

            (Pieces, _kept) = (_kept, Pieces);
        }
    }

    /// <summary>The time of all pieces between two times, nanoseconds.</summary>
    public long TimeWithin(long startNs, long endNs)
    {
        long all = 0;
        for (int at = FirstEndingAfter(startNs); at < Pieces.Count && Pieces[at].StartNs < endNs; at++)
        {
            all += Pieces[at].TimeWithin(startNs, endNs);
        }

        return all;
    }

    /// <summary>The part of a stall that its own cause owns, nanoseconds.</summary>
    public long OwnTime(in Stall stall)
    {
        long own = 0;
        for (int at = FirstEndingAfter(stall.StartNs); at < Pieces.Count && Pieces[at].StartNs < stall.EndNs; at++)
        {
            own += Pieces[at].Key == stall.Key ? Pieces[at].TimeWithin(stall.StartNs, stall.EndNs) : 0;
        }

        return own;
    }

    /// <summary>The index of the first piece that ends after a time; their number when there is none.</summary>
    public int FirstEndingAfter(long timeNs)
    {
        int low = 0;
        int high = Pieces.Count;
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            (low, high) = Pieces[middle].EndNs <= timeNs ? (middle + 1, high) : (low, middle);
        }

        return low;
    }

    private void Keep(in Stall piece)
    {
        if (piece.EndNs > piece.StartNs)
        {
            _kept.Add(in piece);
        }
    }

    private static int First(ReadOnlySpan<int> open, int held)
    {
        for (int i = 0; i < open.Length; i++)
        {
            int key = (StallKind)(i / 2) is StallKind.NagleDelayedAck or StallKind.NagleHold ? i ^ held : i;
            if (open[key] > 0)
            {
                return key;
            }
        }

        return -1;
    }

    private readonly record struct Edge(long TimeNs, int Key, bool Start);
}
