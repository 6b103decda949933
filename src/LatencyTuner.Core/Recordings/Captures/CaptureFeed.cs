using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Passes the frames of one file, whatever its format, to the capture point to which the file belongs.</summary>
internal sealed class CaptureFeed : IDisposable
{
    /// <summary>Reasons for leaving out a packet that are no gap in the evidence.</summary>
    public const string NotTcp = "not TCP";
    public const string NotIp = "not IP";
    public const string Truncated = "truncated";
    public const string Malformed = "malformed";
    public const string IncompleteFragments = "incomplete fragments";
    public const string WithoutTime = "without time";
    public const string Again = "held twice by the file";

    private readonly string _path;
    private readonly List<CapturePoint> _points;
    private readonly RecordingFilter.ConnectionTest? _filter;
    private readonly bool _several;
    private readonly SegmentQueue _queue;
    private readonly ClockSteps _steps = new();
    private CapturePoint? _point;
    private TcpSegment _first;
    private long _latestNs;
    private long _repeatedUntilNs;

    public CaptureFeed(string path, List<CapturePoint> points, RecordingFilter.ConnectionTest? filter, bool several)
    {
        (_path, _points, _filter, _several) = (path, points, filter, several);
        _queue = new SegmentQueue(Follow);
    }

    public SegmentDecoder Decoder { get; } = new();

    public long Packets { get; private set; }

    /// <summary>Number of frames without a timestamp.</summary>
    public long Timeless { get; private set; }

    /// <summary>Number of segments that the file holds a second time, as two copies of one capture behind each other.</summary>
    public long Repeated { get; private set; }

    public long FirstNs { get; private set; } = long.MaxValue;

    public long LastNs { get; private set; } = long.MinValue;

    /// <summary>The step of a coarse clock in nanoseconds, after all frames were followed; null for a finer clock.</summary>
    public long? CoarseStepNs => _steps.CoarseNs;

    public void Add(in CapturedFrame frame)
    {
        Packets++;
        (FirstNs, LastNs) = (Math.Min(FirstNs, frame.TimeNs), Math.Max(LastNs, frame.TimeNs));
        ref TcpSegment segment = ref _queue.Next;
        DecodeOutcome outcome = Decoder.Decode(in frame, out segment);
        if (outcome is not (DecodeOutcome.Tcp or DecodeOutcome.PathReport))
        {
            return;
        }

        if (outcome == DecodeOutcome.Tcp && IsRepeated(in segment))
        {
            Repeated++;
            return;
        }

        _queue.Add();
    }

    /// <summary>True from where the first segment comes again, with its time, up to the last segment before that.</summary>
    private bool IsRepeated(in TcpSegment segment)
    {
        const long LeastNs = 1_000_000;
        if (_latestNs == 0)
        {
            _first = segment;
        }
        else if (_repeatedUntilNs == 0 && segment.TimeNs == _first.TimeNs && _latestNs - segment.TimeNs > LeastNs && segment.Sequence == _first.Sequence
            && segment.Acknowledgement == _first.Acknowledgement && segment.SourcePort == _first.SourcePort
            && segment.DestinationPort == _first.DestinationPort && segment.Source == _first.Source && segment.Destination == _first.Destination
            && segment.PayloadLength == _first.PayloadLength && segment.IpId == _first.IpId && segment.Flags == _first.Flags)
        {
            _repeatedUntilNs = _latestNs;
        }

        _latestNs = Math.Max(_latestNs, segment.TimeNs);
        return _repeatedUntilNs != 0 && segment.TimeNs <= _repeatedUntilNs;
    }

    /// <summary>Counts a frame without a timestamp, which cannot be analysed.</summary>
    public void LeaveOut()
    {
        Packets++;
        Timeless++;
    }

    /// <summary>Waits until every frame has been followed.</summary>
    public void Finish() => _queue.Finish();

    /// <summary>Makes a capture point also for a file without TCP: its gaps belong in the report.</summary>
    public void MakePoint() => _point ??= PointOf(FirstNs, [], true);

    public void Dispose() => _queue.Dispose();

    /// <summary>Number of packets left out, by reason.</summary>
    public SortedDictionary<string, long> Skipped()
    {
        SortedDictionary<string, long> skipped = new(StringComparer.Ordinal);
        void Add(string reason, long count)
        {
            if (count > 0)
            {
                skipped[reason] = skipped.GetValueOrDefault(reason) + count;
            }
        }

        Add(NotTcp, Decoder.CountOf(DecodeOutcome.NotTcp) + Decoder.CountOf(DecodeOutcome.PathReport));
        Add(NotIp, Decoder.CountOf(DecodeOutcome.NotIp));
        Add(Truncated, Decoder.CountOf(DecodeOutcome.Truncated));
        Add(Malformed, Decoder.CountOf(DecodeOutcome.Malformed));
        Add(IncompleteFragments, Decoder.IncompleteDatagrams);
        Add(WithoutTime, Timeless);
        Add(Again, Repeated);
        foreach ((int type, long count) in Decoder.UnknownLinks)
        {
            Add(LinkTypes.NameOf(type), count);
        }

        return skipped;
    }

    private void Follow(ReadOnlySpan<TcpSegment> segments)
    {
        if (segments.IsEmpty)
        {
            return;
        }

        _point ??= PointOf(segments[0].TimeNs, segments, _several);
        (long first, long last) = (_point.FirstNs, _point.LastNs);
        foreach (ref readonly TcpSegment segment in segments)
        {
            (first, last) = (Math.Min(first, segment.TimeNs), Math.Max(last, segment.TimeNs));
        }

        (_point.FirstNs, _point.LastNs) = (first, last);
        _steps.Add(segments);
        _point.Seen?.Add(segments);
        _point.Tracker.Add(segments);
    }

    /// <summary>The capture point that this file continues, when it begins after that point's last packet; otherwise a new one.</summary>
    private CapturePoint PointOf(long firstNs, ReadOnlySpan<TcpSegment> first, bool keepPrints)
    {
        CapturePoint? before = _points.Where(p => p.LastNs <= firstNs && p.LastNs != long.MinValue).MaxBy(p => p.LastNs);
        if (before is not null && firstNs != long.MaxValue && before.Seen?.Contain(first) != true)
        {
            before.Paths.Add(_path);
            return before;
        }

        _points.Add(new CapturePoint(_path, _filter, keepPrints));
        return _points[^1];
    }
}
