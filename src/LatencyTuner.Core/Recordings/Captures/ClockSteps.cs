using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// Whether the clock of a capture moves in steps that are too long for the analysis: some capturing programs use the time of the system's timer
/// interrupt (1 to 16 ms), some tools cut times to seconds. Then many packets have the time of the packet before, and all others are at least a step
/// apart. In a short capture that may be chance, unless all are apart by whole steps.
/// </summary>
internal sealed class ClockSteps
{
    private const int Most = 10_000;
    private const int Fewest = 100;
    private const int FewestEven = 10;
    private const int FewestEqual = 2;
    private const double LeastEqual = 0.1;
    private const long ShortestNs = 1_000_000;

    // Times are written in microseconds or finer, and a step is no whole number of them.
    private const long RoundedNs = 2_000;

    private long _beforeNs;
    private long _stepNs = long.MaxValue;
    private long _evenNs;
    private int _equal;
    private int _count;

    /// <summary>True once enough packets have been seen or the clock has proved to be fine: more packets change nothing.</summary>
    private bool IsKnown => _count >= Most || _stepNs < ShortestNs;

    /// <summary>Adds segments, until enough have been seen or the clock has proved to be fine.</summary>
    public void Add(ReadOnlySpan<TcpSegment> segments)
    {
        for (int i = 0; i < segments.Length && !IsKnown; i++)
        {
            Add(segments[i].TimeNs);
        }
    }

    /// <summary>Adds packets of one connection, likewise: a file may be joined from captures with different clocks.</summary>
    public void Add(ReadOnlySpan<PacketRecord> records)
    {
        for (int i = 0; i < records.Length && !IsKnown; i++)
        {
            Add(records[i].TimeNs);
        }
    }

    /// <summary>Forgets all packets.</summary>
    public void Reset() => (_beforeNs, _stepNs, _evenNs, _equal, _count) = (0, long.MaxValue, 0, 0, 0);

    private void Add(long timeNs)
    {
        long apart = Math.Abs(timeNs - _beforeNs);
        _beforeNs = timeNs;
        if (_count++ > 0)
        {
            _equal += apart == 0 ? 1 : 0;
            _stepNs = apart == 0 ? _stepNs : Math.Min(_stepNs, apart);
            _evenNs = _count < Fewest ? Common(apart, _evenNs) : _evenNs;
        }
    }

    /// <summary>The step in nanoseconds, at least a millisecond; null when the clock is finer, or there are too few packets.</summary>
    public long? CoarseNs => _stepNs is < ShortestNs or long.MaxValue ? null
        : _count >= Fewest ? _equal >= LeastEqual * _count ? _stepNs : null
        : _count >= FewestEven && _equal >= FewestEqual && _evenNs >= ShortestNs ? _evenNs : null;

    /// <summary>The largest time that both are whole multiples of, as exactly as times are written (Euclid).</summary>
    private static long Common(long a, long b)
    {
        while (b > RoundedNs)
        {
            long rest = a % b;
            (a, b) = (b, Math.Min(rest, b - rest));
        }

        return a;
    }
}
