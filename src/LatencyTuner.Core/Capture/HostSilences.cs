namespace LatencyTuner.Core.Capture;

/// <summary>When nothing from anybody reached a host that had sent something again, as far as the capture shows.</summary>
internal sealed class HostSilences
{
    private const int Most = 1024;

    private readonly List<(long FromNs, long ToNs)> _all = [];
    private long _heardNs;
    private bool _asks;

    /// <summary>A packet for the host passed.</summary>
    public void Hear(long timeNs)
    {
        if (_asks)
        {
            End(timeNs);
        }

        _heardNs = timeNs;
    }

    /// <summary>The host sent something again.</summary>
    public void Ask() => _asks = _heardNs != 0 && _all.Count < Most;

    /// <summary>
    /// The silence in which the host sent something again: from the last packet for it to the next one, <see cref="long.MaxValue"/> where none came; null
    /// where it was shorter than a retransmission timer, or is not known.
    /// </summary>
    public (long FromNs, long ToNs)? At(long timeNs)
    {
        if (_asks && timeNs > _heardNs)
        {
            return (_heardNs, long.MaxValue);
        }

        int at = _all.BinarySearch((timeNs, long.MinValue));
        return (at < 0 ? ~at : at) is > 0 and var next && _all[next - 1].ToNs > timeNs ? _all[next - 1] : null;
    }

    private void End(long timeNs)
    {
        if (timeNs - _heardNs >= TcpConnection.ShortestRtoNs)
        {
            _all.Add((_heardNs, timeNs));
        }

        _asks = false;
    }
}
