using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// The segments of a capture by the fields that do not change on the path: all of them in one sum, the first ones one by one. A file with the same
/// packets was captured at another place with a clock that is ahead, although its times suggest that it continues this capture.
/// </summary>
internal sealed class SeenSegments
{
    private const int Most = 65_536;
    private const int Fewest = 3;
    private const double LeastShare = 0.1;

    private readonly HashSet<int> _seen = [];
    private long _count;
    private long _sum;

    /// <summary>True when another capture has the same packets at the same times. Two places of capture never agree in every time.</summary>
    public bool IsSameAs(SeenSegments other) => _count > 0 && _count == other._count && _sum == other._sum;

    /// <summary>Remembers segments, up to a bound.</summary>
    public void Add(ReadOnlySpan<TcpSegment> segments)
    {
        _count += segments.Length;
        foreach (ref readonly TcpSegment segment in segments)
        {
            // A copy in another file format may have cut its times to microseconds.
            _sum += HashCode.Combine(PrintOf(in segment), segment.TimeNs / 1000, segment.PayloadLength);
        }

        for (int i = 0; i < segments.Length && _seen.Count < Most; i++)
        {
            if (Tells(in segments[i]))
            {
                _seen.Add(PrintOf(in segments[i]));
            }
        }
    }

    /// <summary>True when enough of a file's first segments are known.</summary>
    public bool Contain(ReadOnlySpan<TcpSegment> segments)
    {
        int known = 0;
        int all = 0;
        foreach (ref readonly TcpSegment segment in segments)
        {
            if (Tells(in segment))
            {
                all++;
                known += _seen.Contains(PrintOf(in segment)) ? 1 : 0;
            }
        }

        return known >= Fewest && known >= LeastShare * all;
    }

    /// <summary>True for segments that can be recognised: keep-alives and ACKs without data look alike.</summary>
    private static bool Tells(in TcpSegment segment) => segment.PayloadLength > 1 || (segment.Flags & TcpFlags.Syn) != 0;

    // A retransmission has another IP identification. With IPv6 it has none, but few of a file's first segments are retransmissions.
    private static int PrintOf(in TcpSegment segment) =>
        HashCode.Combine(
            segment.Source, segment.Destination, segment.SourcePort, segment.DestinationPort, segment.Sequence, segment.Acknowledgement, segment.IpId,
            segment.Flags);
}
