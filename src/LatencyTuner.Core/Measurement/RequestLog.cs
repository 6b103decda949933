namespace LatencyTuner.Core.Measurement;

/// <summary>
/// Single requests of one measuring thread: all of them while there is room, afterwards a uniform sample of all (Vitter's algorithm R), so
/// that memory does not grow with the run. Adding allocates nothing.
/// </summary>
internal sealed class RequestLog(int capacity, int seed)
{
    private readonly RequestRow[] _rows = new RequestRow[capacity];
    private readonly Random _random = new(seed);

    /// <summary>Requests offered, kept or not.</summary>
    internal long Seen { get; private set; }

    internal void Add(RequestRow row)
    {
        long place = Seen < _rows.Length ? Seen : _random.NextInt64(Seen + 1);
        if (place < _rows.Length)
        {
            _rows[place] = row;
        }

        Seen++;
    }

    /// <summary>The rows by their planned time; only after the thread has ended.</summary>
    internal RequestRow[] Rows()
    {
        RequestRow[] rows = _rows[..(int)Math.Min(Seen, _rows.Length)];
        Array.Sort(rows, (a, b) => a.Planned.CompareTo(b.Planned));
        return rows;
    }
}
