namespace LatencyTuner.Core.Capture;

/// <summary>
/// Frames that were lost while capturing. Statistics blocks count from the start of the capture, so the last one of an interface counts.
/// Packet blocks count the frames lost since the previous packet, so they add up. Both count the same losses, so the larger value is used.
/// </summary>
internal sealed class PcapngLosses
{
    private readonly Dictionary<int, (ulong Total, ulong Between)> _section = [];
    private ulong _before;
    private bool _known;

    /// <summary>Frames lost in all sections so far; null when the file does not say.</summary>
    public long? Total => _known ? (long)Math.Min(Sum(), long.MaxValue) : null;

    /// <summary>Sets how many frames an interface has lost since the start of the capture.</summary>
    public void SetTotal(int interfaceId, ulong frames)
    {
        _known = true;
        _section[interfaceId] = (Math.Min(frames, long.MaxValue), _section.GetValueOrDefault(interfaceId).Between);
    }

    /// <summary>Adds the frames that were lost between two packets.</summary>
    public void AddBetween(int interfaceId, ulong frames)
    {
        _known = true;
        if (frames > 0)
        {
            (ulong total, ulong between) = _section.GetValueOrDefault(interfaceId);
            _section[interfaceId] = (total, Math.Min(between + Math.Min(frames, long.MaxValue), long.MaxValue));
        }
    }

    /// <summary>Ends a section: the next one numbers its interfaces from 0 again.</summary>
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
