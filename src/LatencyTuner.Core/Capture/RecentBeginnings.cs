namespace LatencyTuner.Core.Capture;

/// <summary>The first packets of the connections that began last.</summary>
internal sealed class RecentBeginnings
{
    /// <summary>A device that translates addresses passes a packet on within this time, nanoseconds.</summary>
    public const long NearNs = 5_000_000;

    private const int Most = 64;

    private readonly (uint Sequence, uint Acknowledgement, long TimeNs)[] _first = new (uint, uint, long)[Most];
    private int _next;
    private int _count;

    /// <summary>Remembers the first packet of a connection.</summary>
    /// <returns>True when another connection has just begun with the same sequence numbers.</returns>
    public bool Repeat(in TcpSegment first)
    {
        bool repeats = false;
        for (int i = 0; i < _count && !repeats; i++)
        {
            (uint sequence, uint acknowledgement, long timeNs) = _first[i];
            repeats = sequence == first.Sequence && acknowledgement == first.Acknowledgement && Math.Abs(first.TimeNs - timeNs) <= NearNs;
        }

        _first[_next] = (first.Sequence, first.Acknowledgement, first.TimeNs);
        _next = (_next + 1) % Most;
        _count = Math.Min(Most, _count + 1);
        return repeats;
    }
}
