using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>Takes the frames of one file, wherever they come from, to the capture point it belongs to.</summary>
internal sealed class CaptureFeed(string path, List<CapturePoint> points, CaptureFilter.SegmentTest? filter, bool several)
{
    public SegmentDecoder Decoder { get; } = new();

    public CapturePoint? Point { get; private set; }

    public long Packets { get; private set; }

    public long Filtered { get; private set; }

    /// <summary>Frames that their container gave no time.</summary>
    public long Timeless { get; private set; }

    public long FirstNs { get; private set; } = long.MaxValue;

    public long LastNs { get; private set; } = long.MinValue;

    public void Add(in CapturedFrame frame)
    {
        Packets++;
        (FirstNs, LastNs) = (Math.Min(FirstNs, frame.TimeNs), Math.Max(LastNs, frame.TimeNs));
        if (Decoder.Decode(in frame, out TcpSegment segment) != DecodeOutcome.Tcp)
        {
            return;
        }

        if (filter is not null && !filter.Passes(in segment))
        {
            Filtered++;
            return;
        }

        Point ??= PointOf(segment.TimeNs, several);
        Point.FirstNs = Math.Min(Point.FirstNs, segment.TimeNs);
        Point.LastNs = Math.Max(Point.LastNs, segment.TimeNs);
        Point.Tracker.Add(in segment);
    }

    /// <summary>Counts a frame without a time, of which nothing can be judged.</summary>
    public void LeaveOut()
    {
        Packets++;
        Timeless++;
    }

    /// <summary>A file without TCP is a capture point too: its gaps belong into the report.</summary>
    public void MakePoint() => Point ??= PointOf(FirstNs, true);

    /// <summary>What was left out, by reason.</summary>
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

        Add("not TCP", Decoder.CountOf(DecodeOutcome.NotTcp));
        Add("not IP", Decoder.CountOf(DecodeOutcome.NotIp));
        Add("truncated", Decoder.CountOf(DecodeOutcome.Truncated));
        Add("malformed", Decoder.CountOf(DecodeOutcome.Malformed));
        Add("incomplete fragments", Decoder.IncompleteDatagrams);
        Add("without time", Timeless);
        Add("filtered out", Filtered);
        foreach ((int type, long count) in Decoder.UnknownLinks)
        {
            Add(LinkTypes.NameOf(type), count);
        }

        return skipped;
    }

    /// <summary>The point that this file continues, when it begins where that one ended; else a new one.</summary>
    private CapturePoint PointOf(long firstNs, bool keepPrints)
    {
        CapturePoint? before = points.Where(p => p.LastNs <= firstNs && p.LastNs != long.MinValue).MaxBy(p => p.LastNs);
        if (before is not null && firstNs != long.MaxValue)
        {
            before.Paths.Add(path);
            return before;
        }

        points.Add(new CapturePoint(path, keepPrints));
        return points[^1];
    }
}
