using System.Globalization;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>What could not be read or seen, a sentence each.</summary>
internal static class CaptureGaps
{
    // More than this of all packets left out casts doubt on the rest.
    private const double NoticeableShare = 0.01;

    public static IReadOnlyList<string> Of(CapturePoint point, IReadOnlyList<CaptureFileFacts> files, bool cancelled) => [.. All(point, files, cancelled)];

    private static IEnumerable<string> All(CapturePoint point, IReadOnlyList<CaptureFileFacts> files, bool cancelled)
    {
        if (cancelled)
        {
            yield return "reading was cancelled";
        }

        foreach (CaptureFileFacts file in files)
        {
            if (file.Damage is { } damage)
            {
                yield return $"{file.Path} is damaged at byte {damage.Offset}: {damage.Reason}; {file.Packets} packets before it were read";
            }

            if (file.FramesLost is > 0 and long lost)
            {
                yield return $"{file.Path}: the capturing program lost {lost} packets";
            }

            foreach ((string reason, long count) in file.Skipped)
            {
                if (reason is "without time")
                {
                    yield return $"{file.Path}: {count} packets were recorded without a time and are left out";
                }
                else if (reason is "truncated" or "malformed" or "incomplete fragments" || (reason.StartsWith("link type", StringComparison.Ordinal) && count > 0))
                {
                    yield return $"{file.Path}: {count} packets could not be decoded ({reason})";
                }
            }
        }

        List<ConnectionFacts> connections = point.Analyser.Connections;
        long missed = connections.Sum(c => c.MissedBytes);
        if (missed > 0)
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"{missed} bytes were acknowledged but never captured: the capture dropped packets on {connections.Count(c => c.MissedBytes > 0)} connections");
        }

        int oneSided = connections.Count(c => c.OneSided && c.Bytes > 0);
        if (oneSided > 0)
        {
            yield return $"{oneSided} of {connections.Count} connections show one direction only";
        }

        long backward = connections.Sum(c => c.BackwardSteps);
        if (backward > NoticeableShare * connections.Sum(c => c.Packets))
        {
            yield return $"the clock steps back {backward} times within connections";
        }

        if (point.Analyser.Dropped > 0)
        {
            yield return $"{point.Analyser.Dropped} of {point.Tracker.Connections} connections were judged and not kept one by one, because there are so many";
        }

        if (point.Tracker.GivenUp > 0)
        {
            yield return $"{point.Tracker.GivenUp} connections were judged before they ended, because too many were open at once";
        }
    }
}
