using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>What could not be read or was not captured, one sentence each.</summary>
internal static class CaptureGaps
{
    // From this share of all packets on, timestamps that go back are reported.
    private const double NoticeableShare = 0.01;

    /// <summary>The gaps of one capture.</summary>
    /// <param name="point">The capture.</param>
    /// <param name="connections">Its connections that are shown.</param>
    /// <param name="files">Its files.</param>
    /// <param name="cancelled">True when reading was cancelled.</param>
    public static IReadOnlyList<string> Of(
        CapturePoint point, IReadOnlyList<ConnectionFacts> connections, IReadOnlyList<RecordingFileFacts> files, bool cancelled) =>
        [.. All(point, connections, files, cancelled)];

    private static IEnumerable<string> All(
        CapturePoint point, IReadOnlyList<ConnectionFacts> connections, IReadOnlyList<RecordingFileFacts> files, bool cancelled)
    {
        if (cancelled)
        {
            yield return "reading was cancelled";
        }

        foreach (RecordingFileFacts file in files)
        {
            if (file.Damage is { } damage)
            {
                yield return $"{file.Path} is damaged at byte {damage.Offset}: {damage.Reason}; {Counted.Of(file.Packets, "packet")} before it "
                    + $"{(file.Packets == 1 ? "was" : "were")} read";
            }

            if (file.FramesLost is > 0 and long lost)
            {
                yield return $"{file.Path}: the capturing program lost {Counted.Of(lost, "packet")}";
            }

            if (file.CoarseStepNs is { } step)
            {
                yield return $"{file.Path}: its clock moves in steps of {step / 1e6:0.##} ms; each time taken from it can be wrong by that much";
            }

            foreach ((string reason, long count) in file.Skipped)
            {
                if (reason is CaptureFeed.WithoutTime)
                {
                    yield return $"{file.Path}: {Counted.Were(count, "packet")} recorded without a timestamp and {(count == 1 ? "is" : "are")} left out";
                }
                else if (reason is CaptureFeed.Truncated or CaptureFeed.Malformed or CaptureFeed.IncompleteFragments)
                {
                    yield return $"{file.Path}: {Counted.Of(count, "packet")} could not be decoded ({reason})";
                }
                else if (reason.StartsWith(LinkTypes.Unnamed, StringComparison.Ordinal)
                    || (file is { Segments: 0, Events: 0 } && reason is not (CaptureFeed.NotTcp or CaptureFeed.NotIp)))
                {
                    yield return $"{file.Path}: {Counted.Of(count, "packet")} could not be decoded, because the link layer is not supported ({reason})";
                }
            }
        }

        ConnectionFacts[] batched = [.. connections.Where(c => c.BatchNs > 0)];
        if (batched.Length > 0)
        {
            yield return $"the capturing program got its packets in batches: on {Counted.Of(batched.Length, "connection")} the clocks of both ends went on by "
                + $"up to {batched.Max(c => c.BatchNs) / 1e6:0} ms between packets that the capture has at the same time; each time taken from it can be "
                + "wrong by that much. Capture somewhere else, such as at the server or the access point";
        }

        long missed = connections.Sum(c => c.MissedBytes);
        if (missed > 0)
        {
            yield return $"{Counted.Were(missed, "byte")} acknowledged but never captured: the capture dropped packets on "
                + $"{Counted.Of(connections.Count(c => c.MissedBytes > 0), "connection")}";
        }

        ConnectionFacts[] damaged = [.. connections.Where(c => c.IsDamaged)];
        if (damaged.Length > 0)
        {
            yield return $"{Counted.Of(damaged.Sum(c => c.DoubtfulPackets), "packet")} of {Counted.Of(damaged.Length, "connection")} have numbers that no "
                + "window explains: bits were changed after they were sent, and these packets are left out";
        }

        int oneSided = connections.Count(c => c.OneSided && c.Bytes > 0);
        if (oneSided > 0)
        {
            yield return $"{oneSided} of {Counted.Of(connections.Count, "connection")} {(oneSided == 1 ? "shows" : "show")} one direction only";
        }

        int halves = connections.Count(c => c.IsHalf);
        if (halves > 0)
        {
            yield return $"the two directions of {Counted.Of((halves + 1) / 2, "connection")} have other addresses, as where addresses are translated or were "
                + "changed afterwards: what was lost there is not judged";
        }

        foreach (IGrouping<string?, SideOfConnection> copied in SideOfConnection.All(connections).Where(s => s.WhyCopied is not null).GroupBy(s => s.WhyCopied))
        {
            yield return $"what {Counted.Of(copied.DistinctBy(s => s.Connection).Count(), "connection")} sent again is not judged: {copied.Key}";
        }

        long backward = connections.Sum(c => c.BackwardSteps);
        if (backward > NoticeableShare * connections.Sum(c => c.Packets))
        {
            yield return $"the clock steps back {Counted.Of(backward, "time")} within connections";
        }

        int cut = connections.Count(c => c.OptionsCut);
        if (cut > 0)
        {
            yield return $"the packets of {Counted.Of(cut, "connection")} are cut off within the TCP options, so SACK blocks, timestamps and the window "
                + "scale are missing. Capture at least 128 bytes of each packet";
        }

        ConnectionFacts[] ahead = [.. connections.Where(c => c.ForwardSteps > 0)];
        if (ahead.Length > 0)
        {
            yield return $"the clock jumps ahead by up to {ahead.Max(c => c.ForwardNs) / 1e9:0.0} s within {Counted.Of(ahead.Length, "connection")}, "
                + "although this time cannot have passed. The clock was set, or a machine was suspended; this time is not counted";
        }

        if (point.Analyser.Dropped > 0)
        {
            yield return $"{point.Analyser.Dropped} of {Counted.Of(point.Tracker.Connections, "connection")} were analysed but not kept one by one, because "
                + "there are too "
                + "many";
        }

        if (point.Tracker.GivenUp > 0)
        {
            yield return $"{Counted.Were(point.Tracker.GivenUp, "connection")} analysed before the end, because too many were open at the same time";
        }
    }
}
