using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Traces;

namespace LatencyTuner.Core.Analysis.Recordings;

/// <summary>Reads one trace: its events about TCP, and the packets in it, which are analysed like those of a capture.</summary>
internal static class TraceReading
{
    public static (RecordingFileFacts Facts, TraceEvidence Evidence) Run(
        Stream stream, RecordingInput input, FileHash hash, CaptureFeed feed, RecordingFilter filter, SeverityLimits limits, Action<long> progress,
        CancellationToken cancellation)
    {
        hash.HashSeparately();
        long length = stream.CanSeek ? stream.Length : 0;
        using EtlReader reader = Open(stream, input.Path);

        // The progress of a packed trace counts bytes of the packed file.
        double share = length > 0 ? (double)length / Math.Max(1, reader.Counts.FileBytes) : 1;
        reader.Progress = read => progress((long)(read * share));
        EtwLayouts layouts = reader.ReadLayouts(CancellationToken.None);
        long origin = reader.Clock.StartUtc is { } start ? (start - DateTimeOffset.UnixEpoch).Ticks * 100 : 0;
        TraceIntake intake = new(layouts, feed.Add, filter, origin);
        bool cancelled = false;
        try
        {
            reader.Read(intake.Take, cancellation);
        }
        catch (OperationCanceledException)
        {
            cancelled = true;
        }

        if (!cancelled && reader.Counts is { Events: 0, Located: [EtlDamage fault, ..] })
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{input.Path}: nothing could be read; at byte {fault.Offset} {fault.Detail}.");
        }

        feed.Finish();
        EtlCounts read = reader.Counts;
        TraceEvidence evidence = intake.Feed.Evidence(input.Path, limits, read, feed.Packets > 0, cancelled);
        if (feed.Packets > 0 && evidence.Connections.Count == 0)
        {
            feed.MakePoint();
        }

        SortedDictionary<string, long> skipped = intake.AddSkipped(feed.Skipped(), evidence.Decoded);
        foreach ((EtlDamageKind kind, long count) in read.Damages)
        {
            TraceIntake.AddTo(skipped, "trace: " + System.Text.Json.JsonNamingPolicy.KebabCaseLower.ConvertName(kind.ToString()), count);
        }

        EtlDamage? damage = read.Located.FirstOrDefault(d => d.Kind is not (EtlDamageKind.Message or EtlDamageKind.Order or EtlDamageKind.EventForm));
        return (new RecordingFileFacts
        {
            Path = input.Path,
            Hash = cancelled ? null : hash.Value(),
            Kind = "etl",
            Packets = feed.Packets,
            Segments = feed.Decoder.CountOf(DecodeOutcome.Tcp),
            Bytes = read.FileBytes,
            Skipped = skipped,
            Damage = damage is null ? null : new CaptureDamage(damage.Offset, damage.Detail),
            FirstNs = intake.FirstNs,
            LastNs = intake.LastNs,
            ClockStepNs = Math.Max(1, 1_000_000_000 / reader.Clock.Frequency),
            Events = read.Events,
            DroppedHere = intake.Drops(),
            EventsLost = read.EventsLost,
            BuffersLost = read.BuffersLost,
            EventCounts = intake.EventCounts(reader.InlineNames),
        }, evidence);
    }

    private static EtlReader Open(Stream stream, string path)
    {
        using (stream)
        {
            if (stream is FileStream file)
            {
                return EtlReader.Open(path == "-" ? file.Name : path);
            }

            using MemoryStream whole = new();
            stream.CopyTo(whole);
            return EtlReader.Open(whole.ToArray(), path);
        }
    }
}
