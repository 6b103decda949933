using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Stalls;

/// <summary>
/// The requests of a run replayed without the wait for an ACK before the last write: each takes one round trip, the gaps that its sender leaves and the
/// server's own time. What a stalled request took beyond two round trips and the timer had another reason and stays.
/// </summary>
internal sealed record HoldReplay
{
    // With fewer, the slowest of them says nothing about the slowest of the others.
    private const int EnoughOthers = 20;

    // The coarsest clock tick of a common system is 15.6 ms: a timer expires that late at most, unless the machine stood still.
    private const double LatestTimerNs = 16e6;

    // A timer with a coarse tick ends at most here.
    private const double LongestTickNs = 210e6;

    // From this share of the possible requests in flight on, some may have to wait until another one is answered.
    private const double MuchInFlight = 0.5;
    private const int MostQueued = 1_000_000;
    private const double HalfOfScatter = 0.5;

    /// <summary>Response times as they were.</summary>
    public required LatencyHistogram Response { get; init; }

    /// <summary>The stalls among them.</summary>
    public required StallAnalysis Stalls { get; init; }

    /// <summary>The round trip that a request usually has, nanoseconds.</summary>
    public required long RoundTripNs { get; init; }

    /// <summary>Mean residence at the server, nanoseconds.</summary>
    public required long ResidenceNs { get; init; }

    /// <summary>The settings of the run.</summary>
    public required MeasurementPlan Plan { get; init; }

    /// <summary>Times of requests in one write on the same path, without the server's own; null where none were measured.</summary>
    public LatencyHistogram? Plain { get; init; }

    /// <summary>What one write for each message, or TCP_NODELAY, would bring; null when nothing stalled.</summary>
    /// <param name="target">The target by name.</param>
    /// <param name="bothSplit">True when both ends write their messages in several sends.</param>
    public CurePrediction? Predict(string target, bool bothSplit = false)
    {
        if (Stalls.Count == 0)
        {
            return null;
        }

        LatencyHistogram unheld = Unheld(joined: false);
        (LatencyHistogram? drawn, string assumption) =
            Plain is { Count: > 0 } plain ? (plain, "the requests that waited then take as long as those in one write")
            : Plan.RatePerSecond is null && unheld.Count >= EnoughOthers ? (unheld, "the requests that waited then take as long as the others")
            : (null, $"the requests that waited then take one round trip of {Format.Us(RoundTripNs / 1e3)}");
        List<string> assumes = [assumption, "nothing else delays them"];
        if (bothSplit)
        {
            assumes.Add("both ends write each message with one send");
        }

        // Half of what scatters belongs to the round trip that stays, unless it is the timer's own scatter.
        CurePrediction? prediction = Replayed(HalfOfScatter);
        if (drawn is not null || prediction is null)
        {
            return prediction;
        }

        return prediction with
        {
            P99AfterLowUs = prediction.P99AfterLowUs is { } low ? Math.Min(low, Replayed(0)?.P99AfterLowUs ?? low) : null,
            P99AfterHighUs = prediction.P99AfterHighUs is { } high && HoldIsFixed ? Math.Max(high, Replayed(1)?.P99AfterHighUs ?? high) : null,
        };

        CurePrediction? Replayed(double scatter)
        {
            CureReplay replay = new();
            LatencyHistogram cured = Queued(Cured(scatter < 1 ? unheld : Unheld(joined: true), drawn, scatter));
            foreach ((long nowNs, long afterNs, long count) in RankPairs.Of(Response, cured))
            {
                replay.Add(nowNs, afterNs, count);
            }

            return replay.Predict(target, assumes);
        }
    }

    /// <summary>The requests that did not stall, without the round trip for which Nagle's algorithm held their second write.</summary>
    /// <param name="joined">
    /// True when requests sent while another one was unanswered keep what they took beyond a round trip. It may be the path's time, or the short rest of a
    /// wait that they joined.
    /// </param>
    private LatencyHistogram Unheld(bool joined)
    {
        LatencyHistogram unheld = new();
        long once = RoundTripNs + Stalls.GapsNs;
        long saved = Math.Max(RoundTripNs - Stalls.GapsNs, 0);
        foreach (HistogramBucket bucket in Stalls.Transport)
        {
            long middle = bucket.MiddleNs;
            if (middle <= Stalls.ThresholdNs)
            {
                long without = Math.Max(Math.Min(middle, once), middle - saved);
                long alone = joined || Stalls.First is not { } first ? bucket.Count
                    : first.CountAtOrBelow(bucket.HighNs) - (bucket.LowNs == 0 ? 0 : first.CountAtOrBelow(bucket.LowNs - 1));
                unheld.RecordMany(without, Math.Min(alone, bucket.Count));
                unheld.RecordMany(Math.Min(without, once), Math.Max(bucket.Count - alone, 0));
            }
        }

        return unheld;
    }

    /// <summary>All requests without the hold, with the server's time.</summary>
    /// <param name="unheld">The requests that did not stall.</param>
    /// <param name="drawn">The times from which the requests that stalled take theirs; null for the usual round trip.</param>
    /// <param name="scatter">The share (0 to 1) of the scatter of the stalled requests that stays with them where no times are drawn.</param>
    private LatencyHistogram Cured(LatencyHistogram unheld, LatencyHistogram? drawn, double scatter)
    {
        LatencyHistogram cured = new();
        foreach (HistogramBucket bucket in unheld)
        {
            cured.RecordMany(bucket.MiddleNs + ResidenceNs, bucket.Count);
        }

        double typical = (2.0 * Stalls.RttNs) + (Stalls.FirstMedianHoldNs ?? Stalls.MedianHoldNs ?? 0);
        LatencyHistogram stalled = new();
        foreach (HistogramBucket bucket in Stalls.Transport)
        {
            if (bucket.MiddleNs > Stalls.ThresholdNs)
            {
                stalled.RecordMany(bucket.MiddleNs, bucket.Count);
                double kept = HoldIsFixed ? scatter * Math.Max(bucket.MiddleNs - typical, 0) : 0;
                long usual = RoundTripNs + Stalls.GapsNs + Math.Max(Excess(bucket.MiddleNs), (long)kept) + ResidenceNs;
                cured.RecordMany(usual, drawn is null ? bucket.Count : 0);
            }
        }

        long gaps = ReferenceEquals(drawn, unheld) ? 0 : Stalls.GapsNs;
        foreach ((long tookNs, long drawnNs, long count) in RankPairs.Of(stalled, drawn ?? new LatencyHistogram()))
        {
            cured.RecordMany(drawnNs + gaps + Excess(tookNs) + ResidenceNs, count);
        }

        return cured;
    }

    /// <summary>What a stalled request took beyond two round trips and the longest wait that the delayed ACK explains, nanoseconds.</summary>
    private long Excess(long tookNs) => (long)Math.Max(tookNs - (2 * RoundTripNs) - LongestHoldNs(), 0);

    /// <summary>
    /// True where each hold lasts as long as the others. Those of a timer with a tick, or of an ACK that no timer delays, scatter more than any path: what
    /// the path adds to a round trip is then not visible.
    /// </summary>
    private bool HoldIsFixed => Stalls.Timer is { Model: AckTimerModel.Fixed };

    /// <summary>The longest wait that the delayed ACK explains.</summary>
    private double LongestHoldNs() => Stalls.Timer switch
    {
        { Model: AckTimerModel.Fixed } timer => (timer.ClusterMs * 1e6) + LatestTimerNs,
        { Model: AckTimerModel.Tick } => LongestTickNs + LatestTimerNs,
        _ => 2.0 * (Stalls.FirstMedianHoldNs ?? Stalls.MedianHoldNs ?? 0),
    };

    /// <summary>
    /// Response times from service times. Where few requests may be in flight, one that is due while all of them are unanswered waits for the first
    /// answer: the planned times of the run are replayed.
    /// </summary>
    private LatencyHistogram Queued(LatencyHistogram service)
    {
        long slots = (long)Plan.Connections * Plan.InFlight;
        if (Plan.RatePerSecond is not { } rate || rate * service.ValueAtPercentile(99) / 1e9 < MuchInFlight * slots)
        {
            return service;
        }

        int n = (int)Math.Min(service.Count, MostQueued);
        long[] times = new long[n];
        int filled = 0;
        long seen = 0;
        foreach (HistogramBucket bucket in service)
        {
            seen += bucket.Count;
            for (long until = (long)((Int128)seen * n / service.Count); filled < until; filled++)
            {
                times[filled] = bucket.MiddleNs;
            }
        }

        new Random(Plan.Seed).Shuffle(times);
        SendSchedule schedule = new(rate, Plan.Arrivals, n, Plan.Seed);
        PriorityQueue<long, long> answered = new();
        LatencyHistogram response = new();
        for (int i = 0; i < n; i++)
        {
            long planned = schedule.NextNs;
            schedule.Advance();
            long sent = answered.Count < slots ? planned : Math.Max(planned, answered.Dequeue());
            answered.Enqueue(sent + times[i], sent + times[i]);
            response.Record(sent + times[i] - planned);
        }

        return response;
    }
}
