using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>What could not be read or seen, a sentence each.</summary>
internal static class CaptureGaps
{
    // More than this of all packets left out casts doubt on the rest.
    private const double NoticeableShare = 0.01;

    public static IReadOnlyList<string> Of(CapturePoint point, IReadOnlyList<RecordingFileFacts> files, bool cancelled) => [.. All(point, files, cancelled)];

    private static IEnumerable<string> All(CapturePoint point, IReadOnlyList<RecordingFileFacts> files, bool cancelled)
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
                yield return $"{file.Path}: its clock moves in steps of {step / 1e6:0.##} ms, so that each time here is off by up to that";
            }

            foreach ((string reason, long count) in file.Skipped)
            {
                if (reason is "without time")
                {
                    yield return $"{file.Path}: {Counted.Were(count, "packet")} recorded without a time and {(count == 1 ? "is" : "are")} left out";
                }
                else if (reason is "truncated" or "malformed" or "incomplete fragments")
                {
                    yield return $"{file.Path}: {Counted.Of(count, "packet")} could not be decoded ({reason})";
                }
                else if (reason.StartsWith("link type", StringComparison.Ordinal)
                    || (file is { Segments: 0, Events: 0 } && reason is not (CaptureFeed.NotTcp or CaptureFeed.NotIp or CaptureFeed.FilteredOut)))
                {
                    yield return $"{file.Path}: {Counted.Of(count, "packet")} of a link layer that is not decoded ({reason})";
                }
            }
        }

        List<ConnectionFacts> connections = point.Analyser.Connections;
        long missed = connections.Sum(c => c.MissedBytes);
        if (missed > 0)
        {
            yield return $"{Counted.Were(missed, "byte")} acknowledged but never captured: the capture dropped packets on "
                + $"{Counted.Of(connections.Count(c => c.MissedBytes > 0), "connection")}";
        }

        int oneSided = connections.Count(c => c.OneSided && c.Bytes > 0);
        if (oneSided > 0)
        {
            yield return $"{oneSided} of {Counted.Of(connections.Count, "connection")} {(oneSided == 1 ? "shows" : "show")} one direction only";
        }

        long backward = connections.Sum(c => c.BackwardSteps);
        if (backward > NoticeableShare * connections.Sum(c => c.Packets))
        {
            yield return $"the clock steps back {Counted.Of(backward, "time")} within connections";
        }

        int cut = connections.Count(c => c.OptionsCut);
        if (cut > 0)
        {
            yield return $"the headers of {Counted.Of(cut, "connection")} are cut within their TCP options: SACK blocks, timestamps and the scale of "
                + "windows are missing; 128 bytes of each packet are enough";
        }

        ConnectionFacts[] ahead = [.. connections.Where(c => c.ForwardSteps > 0)];
        if (ahead.Length > 0)
        {
            yield return $"the clock goes ahead by up to {ahead.Max(c => c.ForwardNs) / 1e9:0.0} s within {Counted.Of(ahead.Length, "connection")}, in "
                + "which no such time can have passed: it was set, or a machine stood still; that time counts for nothing";
        }

        if (point.Analyser.Dropped > 0)
        {
            yield return $"{point.Analyser.Dropped} of {point.Tracker.Connections} connections were judged and not kept one by one, because there are so many";
        }

        if (point.Tracker.GivenUp > 0)
        {
            yield return $"{Counted.Were(point.Tracker.GivenUp, "connection")} judged before the end, because too many were open at once";
        }
    }
}
