namespace LatencyTuner.Core.Capture;

/// <summary>When nothing from anybody reached a host, as far as the capture shows.</summary>
internal sealed class HostSilences
{
    private const int Most = 1024;

    private readonly List<(long FromNs, long ToNs)> _all = [];
    private long _heardNs;

    /// <summary>A packet for the host passed.</summary>
    public void Hear(long timeNs)
    {
        if (timeNs - _heardNs >= TcpConnection.ShortestRtoNs && _heardNs != 0 && _all.Count < Most)
        {
            _all.Add((_heardNs, timeNs));
        }

        _heardNs = Math.Max(_heardNs, timeNs);
    }

    /// <summary>
    /// The silence in which something happened: from the last packet before to the first one behind it, <see cref="long.MaxValue"/> where none came;
    /// null where it was shorter than a retransmission timer, or is not known.
    /// </summary>
    public (long FromNs, long ToNs)? At(long timeNs)
    {
        if (timeNs > _heardNs)
        {
            return _heardNs == 0 ? null : (_heardNs, long.MaxValue);
        }

        int at = _all.BinarySearch((timeNs, long.MinValue));
        return (at < 0 ? ~at : at) is > 0 and var next && _all[next - 1].ToNs > timeNs ? _all[next - 1] : null;
    }
}
