using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// The first segments of a capture, by what stays the same on their way. A file whose packets are among them was captured at another place by
/// a clock that is ahead, though its times say that it follows.
/// </summary>
internal sealed class SeenSegments
{
    private const int Most = 65_536;
    private const int Fewest = 3;
    private const double LeastShare = 0.1;

    private readonly HashSet<int> _seen = [];

    /// <summary>Remembers segments, up to a bound.</summary>
    public void Add(ReadOnlySpan<TcpSegment> segments)
    {
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

    /// <summary>Keep-alives and ACKs without data look alike again and again.</summary>
    private static bool Tells(in TcpSegment segment) => segment.PayloadLength > 1 || (segment.Flags & TcpFlags.Syn) != 0;

    // What was sent again has another IP identification; with IPv6 it has none, but few of a file's first segments were.
    private static int PrintOf(in TcpSegment segment) =>
        HashCode.Combine(
            segment.Source, segment.Destination, segment.SourcePort, segment.DestinationPort, segment.Sequence, segment.Acknowledgement, segment.IpId,
            segment.Flags);
}
