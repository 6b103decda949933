using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Recordings.Captures;

namespace LatencyTuner.Core.Analysis.Recordings;

/// <summary>Reads one capture into the capture point it belongs to.</summary>
internal static class CaptureReading
{
    public static RecordingFileFacts Run(
        Stream stream, RecordingInput input, FileHash hash, CaptureFeed feed, Action<long> progress, int step, CancellationToken cancellation)
    {
        using ICaptureReader reader = CaptureContainer.Open(hash.HashWhileReading(stream), input.Path);
        long timeless = 0;
        while (reader.TryRead(out CapturedFrame frame))
        {
            if ((feed.Packets + 1) % step == 0)
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
                feed.LeaveOut();
                continue;
            }

            feed.Add(in frame);
        }

        if (feed.Packets == 0 && reader.Damage is { } damage)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{input.Path}: nothing could be read; at byte {damage.Offset} {damage.Reason}.");
        }

        feed.Finish();
        feed.MakePoint();
        return new RecordingFileFacts
        {
            Path = input.Path,
            Hash = reader.Damage is null && !cancellation.IsCancellationRequested ? hash.Value() : null,
            Kind = reader.Kind,
            Packets = feed.Packets,
            Segments = feed.Decoder.CountOf(DecodeOutcome.Tcp),
            Bytes = reader.BytesRead,
            Skipped = feed.Skipped(),
            FramesLost = reader.FramesLost,
            Damage = reader.Damage,
            FirstNs = feed.Packets > feed.Timeless ? feed.FirstNs : null,
            LastNs = feed.Packets > feed.Timeless ? feed.LastNs : null,
            ClockStepNs = reader.ClockStepNs,
            CoarseStepNs = feed.CoarseStepNs,
        };
    }
}
