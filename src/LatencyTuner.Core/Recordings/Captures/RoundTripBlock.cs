namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>The shortest of a few successive round trips.</summary>
internal struct RoundTripBlock
{
    private int _count;
    private long _running;
    private long _endNs;

    /// <summary>When the last whole block began, nanoseconds since 1970.</summary>
    public long StartNs { get; private set; }

    /// <summary>The shortest round trip of the last whole block, nanoseconds.</summary>
    public long LeastNs { get; private set; }

    /// <summary>Adds a sample.</summary>
    /// <returns>True when it completes a block.</returns>
    public bool Add(long atNs, long roundTripNs, int length)
    {
        if (_count == 0)
        {
            // A block begins where the last one ended, unless there was a pause.
            StartNs = Math.Max(_endNs, atNs - roundTripNs);
            _running = long.MaxValue;
        }

        _running = Math.Min(_running, roundTripNs);
        if (++_count < length)
        {
            return false;
        }

        (_count, LeastNs, _endNs) = (0, _running, atNs);
        return true;
    }
}
