namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Round trips over time in a fixed number of intervals that double in length as the connection lasts.</summary>
internal sealed class RoundTripSeries
{
    private const int Most = 120;
    private const int Few = 8;

    private const uint None = uint.MaxValue;

    private long[] _largest = [];
    private uint[]? _trimmed;
    private int _count;

    /// <summary>Length of an interval, nanoseconds.</summary>
    public long IntervalNs { get; private set; } = 10_000_000;

    /// <summary>The largest round trip of each interval, nanoseconds; -1 where there was none.</summary>
    public long[] Largest()
    {
        long[] largest = new long[_count];
        for (int i = 0; i < _count; i++)
        {
            largest[i] = _trimmed is null ? _largest[i] : _trimmed[i] == None ? -1 : _trimmed[i];
        }

        return largest;
    }

    /// <summary>Adds a sample.</summary>
    /// <param name="atNs">Nanoseconds from the connection's first packet, 0 or more.</param>
    /// <param name="roundTripNs">The round trip.</param>
    public void Add(long atNs, long roundTripNs)
    {
        long index = Math.Max(atNs, 0) / IntervalNs;
        while (index >= Most)
        {
            Halve();
            index /= 2;
        }

        if (index >= _count)
        {
            Extend((int)index + 1);
        }

        _largest[index] = Math.Max(_largest[index], roundTripNs);
    }

    /// <summary>Begins a series in the memory that an ended series returned.</summary>
    public void Begin(long[] room) => _largest = room;

    /// <summary>Frees unused memory; nothing may be added afterwards.</summary>
    /// <returns>Memory for another series.</returns>
    public long[] Trim()
    {
        long[] room = _largest;
        // Times below four seconds fit into 32 bits: half the memory is enough for nearly all connections.
        uint[] trimmed = new uint[_count];
        for (int i = 0; i < _count; i++)
        {
            if (_largest[i] >= None)
            {
                _largest = _largest.AsSpan(0, _count).ToArray();
                return room;
            }

            trimmed[i] = _largest[i] < 0 ? None : (uint)_largest[i];
        }

        (_trimmed, _largest) = (trimmed, []);
        return room;
    }

    private void Halve()
    {
        for (int i = 0; i < _count; i += 2)
        {
            _largest[i / 2] = Math.Max(_largest[i], i + 1 < _count ? _largest[i + 1] : -1);
        }

        _count = (_count + 1) / 2;
        IntervalNs *= 2;
    }

    private void Extend(int count)
    {
        // A series with more than a few intervals soon has them all: growing step by step would waste more memory than it saves.
        int room = count <= Few ? Few : Most;
        if (_largest.Length < room)
        {
            Array.Resize(ref _largest, room);
        }

        for (; _count < count; _count++)
        {
            _largest[_count] = -1;
        }
    }
}
