using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>Reads one file into the capture point it belongs to.</summary>
internal static class CaptureReading
{
    public static CaptureFileFacts Run(
        CaptureInput input, List<CapturePoint> points, CaptureFilter.SegmentTest? filter, bool several, Action<long> progress, int step, CancellationToken cancellation)
    {
        using FileHash hash = new(input);
        using ICaptureReader reader = CaptureContainer.Open(hash.Open(), input.Path);
        SegmentDecoder decoder = new();
        CapturePoint? point = null;
        (long packets, long filtered, long timeless, long first, long last) = (0, 0, 0, long.MaxValue, long.MinValue);
        while (reader.TryRead(out CapturedFrame frame))
        {
            if (++packets % step == 0)
            {
                progress(reader.BytesRead);
                if (cancellation.IsCancellationRequested)
                {
                    break;
                }
            }

            if (reader.FramesWithoutTime != timeless)
            {
                timeless = reader.FramesWithoutTime;
                continue;
            }

            (first, last) = (Math.Min(first, frame.TimeNs), Math.Max(last, frame.TimeNs));
            if (decoder.Decode(in frame, out TcpSegment segment) != DecodeOutcome.Tcp)
            {
                continue;
            }

            if (filter is not null && !filter.Passes(in segment))
            {
                filtered++;
                continue;
            }

            point ??= PointOf(points, input.Path, segment.TimeNs, several);
            point.FirstNs = Math.Min(point.FirstNs, segment.TimeNs);
            point.LastNs = Math.Max(point.LastNs, segment.TimeNs);
            point.Tracker.Add(in segment);
        }

        if (packets == 0 && reader.Damage is { } damage)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{input.Path}: nothing could be read; at byte {damage.Offset} {damage.Reason}.");
        }

        if (point is null)
        {
            // A file without TCP is a capture point too: its gaps belong into the report.
            PointOf(points, input.Path, first, several: true);
        }

        return new CaptureFileFacts
        {
            Path = input.Path,
            Sha256 = reader.Damage is null && !cancellation.IsCancellationRequested ? hash.Value() : null,
            Kind = reader.Kind,
            Packets = packets,
            Segments = decoder.CountOf(DecodeOutcome.Tcp),
            Bytes = reader.BytesRead,
            Skipped = Skipped(decoder, filtered, timeless),
            FramesLost = reader.FramesLost,
            Damage = reader.Damage,
            FirstNs = packets > timeless ? first : null,
            LastNs = packets > timeless ? last : null,
            ClockStepNs = reader.ClockStepNs,
        };
    }

    /// <summary>The point that this file continues, when it begins where that one ended; else a new one.</summary>
    private static CapturePoint PointOf(List<CapturePoint> points, string path, long firstNs, bool several)
    {
        CapturePoint? before = points.Where(p => p.LastNs <= firstNs && p.LastNs != long.MinValue).MaxBy(p => p.LastNs);
        if (before is not null && firstNs != long.MaxValue)
        {
            before.Paths.Add(path);
            return before;
        }

        points.Add(new CapturePoint(path, several));
        return points[^1];
    }

    private static SortedDictionary<string, long> Skipped(SegmentDecoder decoder, long filtered, long timeless)
    {
        SortedDictionary<string, long> skipped = new(StringComparer.Ordinal);
        void Add(string reason, long count)
        {
            if (count > 0)
            {
                skipped[reason] = skipped.GetValueOrDefault(reason) + count;
            }
        }

        Add("not TCP", decoder.CountOf(DecodeOutcome.NotTcp));
        Add("not IP", decoder.CountOf(DecodeOutcome.NotIp));
        Add("truncated", decoder.CountOf(DecodeOutcome.Truncated));
        Add("malformed", decoder.CountOf(DecodeOutcome.Malformed));
        Add("incomplete fragments", decoder.IncompleteDatagrams);
        Add("without time", timeless);
        Add("filtered out", filtered);
        foreach ((int type, long count) in decoder.UnknownLinks)
        {
            Add(LinkTypes.NameOf(type), count);
        }

        return skipped;
    }
}
