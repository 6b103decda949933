using LatencyTuner.Core.Analysis.Sweeps;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Sweep;

/// <summary>Fills the points of a <c>sweep</c> document.</summary>
internal static class SweepPointBuilder
{
    internal static SweepPoint From(SweepPointResult point)
    {
        SweepPointFacts facts = new(point);
        (double mean, double? low, double? high) = Interval(facts.RequestsPerSecond);
        return Levels(facts) with
        {
            FailedBecause = point.Failure,
            Rounds = point.Rounds.Count,
            N = facts.Response.Count,
            MeanUs = facts.Response.MeanUs,
            P50Us = facts.Response.P50Us,
            P90Us = facts.Response.P90Us,
            P99Us = facts.Response.P99Us,
            P999Us = facts.Response.P999Us,
            MaxUs = facts.Response.MaxUs,
            ThroughputPerSecond = mean,
            ThroughputLowPerSecond = low,
            ThroughputHighPerSecond = high,
            ThroughputBytesPerSecond =
                mean * (facts.Cell.Streams is not null ? point.Cell.Load.RequestBytes : point.Cell.Plan.Workload.RequestSize),
            SendBlockedShare = facts.SendBlockedShare,
            RwndLimitedShare = facts.RwndLimitedShare,
            SndbufLimitedShare = facts.SndbufLimitedShare,
            CwndLimitedShare = facts.CwndLimitedShare,
            BusyShare = facts.BusyShare,
            SegmentsPerRequest = facts.SegmentsPerRequest,
            StreamWindowBytes = facts.Streams?.WindowBytes,
            RoundTripUs = facts.Streams?.RoundTripUs,
            FetchShare = facts.Streams?.Fetch,
            SendCallShare = facts.Streams?.Send,
            SendWaitShare = facts.Streams?.Wait,
            FetchOverlapShare = facts.Streams?.Overlap,
            FetchOverlapSeenShare = facts.Streams?.SeenOverlap,
            LongestSendUs = point.Rounds.Count > 0 ? LatencyFigures.Us((double)point.Rounds.Max(r => r.LongestSendNs)) : null,
            SendLatenessP99Us = facts.SendLatenessP99Us,
            RateHeld = facts.RateHeld,
            Intervals = facts.Response.Intervals,
        };
    }

    private static SweepPoint Levels(SweepPointFacts facts)
    {
        SweepPoint levels = new() { N = 0 };
        foreach (SweepLevel level in facts.Cell.Levels)
        {
            int? whole = level.Value is { } v ? (int)v : null;
            BufferSize Buffer() => new() { Requested = whole, Effective = SweepPointFacts.Effective(facts.Rounds, level.Dimension) };
            levels = level.Dimension switch
            {
                SweepDimension.Rate => levels with { Rate = level.Value },
                SweepDimension.Size => levels with { SizeBytes = whole },
                SweepDimension.Connections => levels with { Connections = whole },
                SweepDimension.ReceiveBuffer => levels with { ReceiveBufferBytes = Buffer() },
                SweepDimension.SendBuffer => levels with { SendBufferBytes = Buffer() },
                SweepDimension.Window => levels with
                {
                    WindowBytes = whole is { } bytes ? (long)bytes : WindowBytesConverter.Dynamic,
                    ReceiveBufferBytes = facts.Cell.Streams is not null ? null : Buffer(),
                },
                _ => levels with { MessagesPerWrite = whole },
            };
        }

        return levels;
    }

    /// <summary>The mean over the rounds with its 95 % interval (Student's t).</summary>
    private static (double Mean, double? Low, double? High) Interval(IReadOnlyList<double> values)
    {
        double mean = values.Count > 0 ? values.Average() : 0;
        if (values.Count < 2)
        {
            return (mean, null, null);
        }

        double deviation = Math.Sqrt(values.Sum(v => (v - mean) * (v - mean)) / (values.Count - 1));
        double half = Distributions.StudentQuantile(0.975, values.Count - 1) * deviation / Math.Sqrt(values.Count);
        return (mean, Math.Max(mean - half, 0), mean + half);
    }
}
