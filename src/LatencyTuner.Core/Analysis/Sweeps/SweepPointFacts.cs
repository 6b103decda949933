using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Analysis.Sweeps;

/// <summary>What one point of a sweep shows over all its rounds. Shares are of the connections' time, 0 to 1, and null where no kernel counts them.</summary>
internal sealed class SweepPointFacts
{
    /// <summary>From this 99th percentile of the send lateness on, in microseconds, the response times contain this machine's own delay.</summary>
    internal const double LateUs = 100;

    /// <summary>A rate is reached when this share (0 to 1) of its requests was sent in time and answered.</summary>
    private const double Reached = 0.99;

    internal SweepPointFacts(SweepPointResult point)
    {
        (Cell, Rounds) = (point.Cell, point.Rounds);
        LatencyHistogram total = new();
        LatencyHistogram lateness = new();
        foreach (SweepRound round in Rounds)
        {
            total.Add(round.Response);
            if (round.Lateness is { } late)
            {
                lateness.Add(late);
            }
        }

        Times = total;
        Response = LatencyFigures.From(LatencySummary.From(total, BlocksOf(Rounds), []));
        bool streams = Cell.Streams is not null;
        RequestsPerSecond = [.. Rounds.Select(r => PerSecond(Cell, r))];
        double seconds = Rounds.Sum(r => r.Elapsed.TotalSeconds);
        long exchanges = Rounds.Sum(r => r.Exchanges);
        EndCounters?[] counters = [.. Rounds.Select(r => EndCounters.From(r.SenderCounters))];
        long? Sum(Func<EndCounters, long?> field) =>
            counters.Length > 0 && counters.All(c => c is not null && field(c) is not null)
                ? (long)Math.Min(counters.Sum(c => (double)field(c!)!.Value), 1e18) : null;
        // The kernel counts the warm-up too; over HTTP/2 the first sample is behind it, and streams may share a connection.
        double counted = seconds + (streams ? 0 : Rounds.Count * Cell.Plan.Warmup.TotalSeconds);
        int sockets = streams ? Math.Max(Rounds.Select(r => r.SenderCounters.Count).DefaultIfEmpty().Max(), 1) : Cell.Plan.Connections;
        double? Share(Func<EndCounters, long?> field) => counted > 0 && Sum(field) is { } us ? Math.Clamp(us / 1e6 / counted / sockets, 0, 1) : null;
        SendBlockedShare = seconds > 0 ? Math.Clamp(Rounds.Sum(r => (double)r.SendNs) / 1e9 / seconds / Cell.Plan.Connections, 0, 1) : null;
        RwndLimitedShare = Share(c => c.RwndLimitedUs);
        SndbufLimitedShare = Share(c => c.SndbufLimitedUs);
        CwndLimitedShare = Share(c => c.CwndLimitedUs);
        BusyShare = Share(c => c.BusyUs);
        SegmentsPerRequest = exchanges > 0 && Sum(c => c.SegmentsOut) is { } segments ? (double)segments / exchanges : null;
        Streams = StreamShares.From(point);
        if (Cell.Plan.RatePerSecond is not null)
        {
            long late = lateness.ValueAtPercentile(99);
            SendLatenessP99Us = LatencyFigures.Us((double)late);
            bool answered = Rounds.All(r => r.Planned is not { } planned || r.Response.Count >= Reached * planned);
            bool inTime = late <= (1 - Reached) * seconds * 1e9 / Math.Max(Rounds.Count, 1);
            RateHeld = (answered && inTime) || (RequestsPerSecond.Count > 0 && RequestsPerSecond.Average() >= Reached * Cell.Plan.RatePerSecond);
        }
    }

    /// <summary>The values of the point.</summary>
    internal SweepCell Cell { get; }

    /// <summary>The rounds measured at the point.</summary>
    internal IReadOnlyList<SweepRound> Rounds { get; }

    /// <summary>Response times of all rounds.</summary>
    internal LatencyHistogram Times { get; }

    /// <summary>Response times of all rounds in figures.</summary>
    internal LatencyFigures Response { get; }

    /// <summary>Requests per second, one for each round.</summary>
    internal IReadOnlyList<double> RequestsPerSecond { get; }

    /// <summary>Share of the time inside send calls.</summary>
    internal double? SendBlockedShare { get; }

    /// <summary>Share of the time limited by the peer's receive window.</summary>
    internal double? RwndLimitedShare { get; }

    /// <summary>Share of the time limited by the own send buffer.</summary>
    internal double? SndbufLimitedShare { get; }

    /// <summary>Share of the time limited by the congestion window.</summary>
    internal double? CwndLimitedShare { get; }

    /// <summary>Share of the time with data outstanding.</summary>
    internal double? BusyShare { get; }

    /// <summary>Segments sent for each request; null where not counted.</summary>
    internal double? SegmentsPerRequest { get; }

    /// <summary>The parts of the time of HTTP/2 streams; null over TCP.</summary>
    internal StreamShares? Streams { get; }

    /// <summary>99th percentile of the delay behind the planned send time, microseconds; null in a closed loop.</summary>
    internal double? SendLatenessP99Us { get; }

    /// <summary>False when the planned rate was missed by more than 1 %. More requests than planned miss nothing.</summary>
    internal bool RateHeld { get; } = true;

    /// <summary>Requests per second in a round. For one-way messages, what the other end received counts, not what send calls took.</summary>
    internal static double PerSecond(SweepCell cell, SweepRound round) => cell.Plan.Workload.Pattern == WritePattern.Stream
        ? (round.StreamTime > TimeSpan.Zero ? (double)round.StreamBytes / cell.Plan.Workload.RequestSize / round.StreamTime.TotalSeconds : 0)
        : (round.Elapsed > TimeSpan.Zero ? round.Response.Count / round.Elapsed.TotalSeconds : 0);

    /// <summary>The cost of a round at a point: the median response time, for one-way messages the time per byte, in nanoseconds.</summary>
    internal static double Cost(SweepCell cell, SweepRound round) => cell.Plan.Workload.Pattern == WritePattern.Stream
        ? (round.StreamBytes > 0 ? round.StreamTime.TotalNanoseconds / round.StreamBytes : 0)
        : round.Response.ValueAtPercentile(50);

    /// <summary>The cost over all rounds as the tables show it: the median response time, for one-way messages the time per byte, in nanoseconds.</summary>
    internal double ShownCost => Cell.Plan.Workload.Pattern == WritePattern.Stream
        ? 1e9 / (RequestsPerSecond.Average() * Cell.Plan.Workload.RequestSize)
        : Times.ValueAtPercentile(50);

    /// <summary>The size of a buffer or window that took effect in the first round; null when the system did not say.</summary>
    internal static int? Effective(IReadOnlyList<SweepRound> rounds, SweepDimension dimension) => rounds.Count == 0 ? null
        : rounds[0].Streams is { } streams ? (int)Math.Min(streams.WindowBytes, int.MaxValue)
        : dimension == SweepDimension.SendBuffer ? rounds[0].LocalState?.SendBuffer : rounds[0].PeerState?.ReceiveBuffer;

    /// <summary>Rounds are the independent unit: blocks of all rounds, one after the other, carry the dependence within a round.</summary>
    private static LatencyBlockList BlocksOf(IReadOnlyList<SweepRound> rounds)
    {
        LatencyBlockList blocks = new();
        long at = 0;
        foreach ((LatencyHistogram times, long length) in rounds.SelectMany(r => r.Blocks))
        {
            blocks.Append(times, at, at + length);
            at += length;
        }

        return blocks;
    }
}
