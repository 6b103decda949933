namespace LatencyTuner.Core.Capture;

/// <summary>
/// Frames that were lost while capturing. Statistics blocks count from the begin of the capture, so the last one of an interface counts;
/// packet blocks say how many were lost since the one before, so they add up. Both tell the same story: the larger one counts.
/// </summary>
internal sealed class PcapngLosses
{
    private readonly Dictionary<int, (ulong Total, ulong Between)> _section = [];
    private ulong _before;
    private bool _known;

    /// <summary>Frames lost in all sections so far; null when nothing was said.</summary>
    public long? Total => _known ? (long)Math.Min(Sum(), long.MaxValue) : null;

    /// <summary>Sets what an interface lost from the begin of the capture on.</summary>
    public void SetTotal(int interfaceId, ulong frames)
    {
        _known = true;
        _section[interfaceId] = (Math.Min(frames, long.MaxValue), _section.GetValueOrDefault(interfaceId).Between);
    }

    /// <summary>Adds what was lost between two packets.</summary>
    public void AddBetween(int interfaceId, ulong frames)
    {
        _known = true;
        if (frames > 0)
        {
            (ulong total, ulong between) = _section.GetValueOrDefault(interfaceId);
            _section[interfaceId] = (total, Math.Min(between + Math.Min(frames, long.MaxValue), long.MaxValue));
        }
    }

    /// <summary>Interfaces are numbered anew in the next section.</summary>
    public void EndSection()
    {
        _before = Sum();
        _section.Clear();
    }

    private ulong Sum()
    {
        ulong sum = _before;
        foreach ((ulong total, ulong between) in _section.Values)
        {
            sum = Math.Min(sum + Math.Max(total, between), long.MaxValue);
        }

        return sum;
    }
}
