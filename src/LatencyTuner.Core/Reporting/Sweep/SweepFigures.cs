using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Sweep;

/// <summary>The figures of one point of a sweep.</summary>
internal static class SweepFigures
{
    private const double LateP99Ns = 100_000;

    internal static SweepPoint Of(SweepPointResult point)
    {
        LatencyHistogram total = new();
        LatencyHistogram lateness = new();
        foreach (SweepRound round in point.Rounds)
        {
            total.Add(round.Response);
            if (round.Lateness is { } late)
            {
                lateness.Add(late);
            }
        }

        LatencyFigures figures = LatencyFigures.From(LatencySummary.From(total, BlocksOf(point), []));
        bool streams = point.Cell.Streams is not null;
        SweepPoint levels = Levels(point, streams);
        double[] perSecond = [.. point.Rounds.Select(r => PerSecond(point.Cell, r))];
        (double mean, double? low, double? high) = Interval(perSecond);
        int connections = point.Cell.Plan.Connections;
        double seconds = point.Rounds.Sum(r => r.Elapsed.TotalSeconds);
        long exchanges = point.Rounds.Sum(r => r.Exchanges);
        EndCounters?[] counters = [.. point.Rounds.Select(r => EndCounters.From(r.SenderCounters))];
        long? Sum(Func<EndCounters, long?> field) =>
            counters.Length > 0 && counters.All(c => c is not null && field(c) is not null) ? counters.Sum(c => field(c!)!.Value) : null;
        // The kernel counts the warm-up too; over HTTP/2 the first sample is behind it, and streams may share a connection.
        double counted = seconds + (streams ? 0 : point.Rounds.Count * point.Cell.Plan.Warmup.TotalSeconds);
        int sockets = streams ? Math.Max(point.Rounds.Select(r => r.SenderCounters.Count).DefaultIfEmpty().Max(), 1) : connections;
        double? Share(Func<EndCounters, long?> field) => counted > 0 && Sum(field) is { } us ? Math.Clamp(us / 1e6 / counted / sockets, 0, 1) : null;
        StreamShares? shares = StreamShares.Of(point);
        bool openLoop = point.Cell.Plan.RatePerSecond is not null;
        return levels with
        {
            FailedBecause = point.Failure,
            Rounds = point.Rounds.Count,
            N = total.Count,
            MeanUs = figures.MeanUs,
            P50Us = figures.P50Us,
            P90Us = figures.P90Us,
            P99Us = figures.P99Us,
            P999Us = figures.P999Us,
            MaxUs = figures.MaxUs,
            ThroughputPerSecond = mean,
            ThroughputLowPerSecond = low,
            ThroughputHighPerSecond = high,
            ThroughputBytesPerSecond = mean * (streams ? point.Cell.Load.RequestBytes : point.Cell.Plan.Workload.RequestSize),
            SendBlockedShare = seconds > 0 ? Math.Clamp(point.Rounds.Sum(r => (double)r.SendNs) / 1e9 / seconds / connections, 0, 1) : null,
            RwndLimitedShare = Share(c => c.RwndLimitedUs),
            SndbufLimitedShare = Share(c => c.SndbufLimitedUs),
            CwndLimitedShare = Share(c => c.CwndLimitedUs),
            BusyShare = Share(c => c.BusyUs),
            SegmentsPerRequest = exchanges > 0 && Sum(c => c.SegmentsOut) is { } segments ? (double)segments / exchanges : null,
            StreamWindowBytes = shares?.WindowBytes,
            RoundTripUs = shares?.RoundTripUs,
            FetchShare = shares?.Fetch,
            SendCallShare = shares?.Send,
            SendWaitShare = shares?.Wait,
            FetchOverlapShare = shares?.Overlap,
            FetchOverlapSeenShare = shares?.SeenOverlap,
            LongestSendUs = point.Rounds.Count > 0 ? LatencyFigures.Us((double)point.Rounds.Max(r => r.LongestSendNs)) : null,
            SendLatenessP99Us = openLoop ? LatencyFigures.Us((double)lateness.ValueAtPercentile(99)) : null,
            RateHeld = !openLoop || (lateness.ValueAtPercentile(99) <= LateP99Ns && point.Rounds.All(r => r.Response.Count == r.Planned)),
            Intervals = figures.Intervals,
        };
    }

    /// <summary>Requests per second in a round; one way what the other end had received counts, not what send calls had taken.</summary>
    internal static double PerSecond(SweepCell cell, SweepRound round) => cell.Plan.Workload.Pattern == WritePattern.Stream
        ? (round.StreamTime > TimeSpan.Zero ? (double)round.StreamBytes / cell.Plan.Workload.RequestSize / round.StreamTime.TotalSeconds : 0)
        : (round.Elapsed > TimeSpan.Zero ? round.Response.Count / round.Elapsed.TotalSeconds : 0);

    /// <summary>What a round cost at a point: the median request, one way the time per byte.</summary>
    internal static double Cost(SweepCell cell, SweepRound round) => cell.Plan.Workload.Pattern == WritePattern.Stream
        ? (round.StreamBytes > 0 ? round.StreamTime.TotalNanoseconds / round.StreamBytes : 0)
        : round.Response.ValueAtPercentile(50);

    /// <summary>The size of a buffer or window that took effect in the first round; null when the system did not say.</summary>
    internal static int? Effective(SweepPointResult point, SweepDimension dimension) => point.Rounds.Count == 0 ? null
        : point.Rounds[0].Streams is { } streams ? (int)Math.Min(streams.WindowBytes, int.MaxValue)
        : dimension == SweepDimension.SendBuffer ? point.Rounds[0].LocalState?.SendBuffer : point.Rounds[0].PeerState?.ReceiveBuffer;

    private static SweepPoint Levels(SweepPointResult point, bool streams)
    {
        SweepPoint levels = new() { N = 0 };
        foreach (SweepLevel level in point.Cell.Levels)
        {
            int? whole = level.Value is { } v ? (int)v : null;
            BufferSize Buffer() => new() { Requested = whole, Effective = Effective(point, level.Dimension) };
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
                    ReceiveBufferBytes = streams ? null : Buffer(),
                },
                _ => levels with { MessagesPerWrite = whole },
            };
        }

        return levels;
    }

    /// <summary>Rounds are the independent unit: blocks of all rounds, one after the other, carry the dependence within a round.</summary>
    private static LatencyBlocks BlocksOf(SweepPointResult point)
    {
        LatencyBlocks blocks = new();
        long at = 0;
        foreach ((LatencyHistogram times, long length) in point.Rounds.SelectMany(r => r.Blocks))
        {
            blocks.Append(times, at, at + length);
            at += length;
        }

        return blocks;
    }

    /// <summary>The mean over the rounds with Student's interval.</summary>
    private static (double Mean, double? Low, double? High) Interval(double[] values)
    {
        double mean = values.Length > 0 ? values.Average() : 0;
        if (values.Length < 2)
        {
            return (mean, null, null);
        }

        double deviation = Math.Sqrt(values.Sum(v => (v - mean) * (v - mean)) / (values.Length - 1));
        double half = Distributions.StudentQuantile(0.975, values.Length - 1) * deviation / Math.Sqrt(values.Length);
        return (mean, Math.Max(mean - half, 0), mean + half);
    }
}
