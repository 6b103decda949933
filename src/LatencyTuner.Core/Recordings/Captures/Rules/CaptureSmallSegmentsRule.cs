using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>
/// A sender with Nagle's algorithm off sends many tiny segments (LT115): most of what it sends, or a whole congestion window of them at once.
/// </summary>
internal static class CaptureSmallSegmentsRule
{
    private const int Fewest = 100;
    private const double LeastShare = 0.5;
    private const double LargestMean = 100;

    // This many tiny segments in a row nearly fill an initial congestion window (RFC 6928: 10) before anything larger can leave.
    private const int LongRun = 8;

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        foreach (IGrouping<(IpAddressValue Host, Side Side), SideOfConnection> group in evidence.Sides.Where(Applies).GroupBy(s => (s.Host, s.Side)))
        {
            SideOfConnection[] sides = [.. group];
            long tiny = sides.Sum(s => s.Facts.Tinygrams);
            long bytes = sides.Sum(s => s.Facts.TinygramBytes);
            const int Headers = 40;
            yield return new Finding
            {
                Cause = Cause.SmallSegments,
                Side = sides[0].Side,
                Host = sides[0].Host.ToString(),
                Confidence = Confidence.Likely,
                Severity = Severity.Info,
                Count = tiny,
                Connections = ConnectionNames.Of(sides.Select(s => s.Connection)),
                For =
                [
                    $"{tiny} of {Counted.Of(sides.Sum(s => s.Facts.DataSegments), "segment")} with data carried a mean of {(double)bytes / tiny:0} bytes and "
                        + "were sent "
                    + "while another small segment was unacknowledged. Headers are at least "
                    + $"{(double)Headers / (Headers + ((double)bytes / tiny)):P0} of each packet",
                    $"up to {sides.Max(s => s.Facts.LongestTinygramRun)} of these segments were sent in a row",
                ],
                Against = [],
                Recommendation = $"On {sides[0].Host}: gather small writes before sending. TCP_NODELAY suits whole messages, not pieces of messages.",
            };
        }
    }

    private static bool Applies(SideOfConnection side)
    {
        SideFacts f = side.Facts;
        return f.Tinygrams > 0 && (double)f.TinygramBytes / f.Tinygrams < LargestMean
            && (f.LongestTinygramRun >= LongRun
                || (f.DataSegments >= Fewest && f.Tinygrams > LeastShare * f.DataSegments && (double)f.DataBytes / f.DataSegments < LargestMean));
    }
}
