using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Analysis.Stalls;

/// <summary>
/// Requests that waited for something that is neither the path nor the server. A request whose second write waited for an ACK pays the
/// round trip twice and the ACK's delay once; the hold is what is left after two round trips. The timer starts at the first write: a gap
/// before the second does not shorten it.
/// </summary>
internal sealed record StallAnalysis
{
    private long _jitterNs;
    private double _longStallMs;

    /// <summary>The times that were analysed, without the server's own.</summary>
    public LatencyHistogram Transport { get; private init; } = new();

    /// <summary>The part of them that was sent while nothing was unanswered; null when that is all of them.</summary>
    public LatencyHistogram? First { get; private init; }

    /// <summary>Time that the sender itself leaves between the writes of one request, nanoseconds.</summary>
    public long GapsNs { get; private init; }

    /// <summary>Number of requests that were analysed.</summary>
    public required long Requests { get; init; }

    /// <summary>Number of requests that stalled.</summary>
    public required long Count { get; init; }

    /// <summary>Number of long stalls, of 100 ms and more unless another limit was given.</summary>
    public required long LongCount { get; init; }

    /// <summary>The path's own round trip that was assumed, nanoseconds.</summary>
    public required long RttNs { get; init; }

    /// <summary>A request whose time without the server's own exceeds this counts as stalled, nanoseconds.</summary>
    public required long ThresholdNs { get; init; }

    /// <summary>Time lost by stalled requests against one round trip, nanoseconds.</summary>
    public required double LostNs { get; init; }

    /// <summary>Median hold, nanoseconds; null without stalls.</summary>
    public long? MedianHoldNs { get; init; }

    /// <summary>
    /// The timer at which the holds cluster; null when they do not. Where requests overlap, those count that were sent while nothing was unanswered:
    /// the others wait for the rest of a timer that was already running.
    /// </summary>
    public AckTimer? Timer { get; init; }

    /// <summary>Share (0 to 1) of the requests that stalled and were sent while nothing was unanswered: each of these waits for an ACK of its own.</summary>
    public double FirstShare { get; init; }

    /// <summary>Median hold of the requests that stalled and were sent while nothing was unanswered, nanoseconds; null without one.</summary>
    public long? FirstMedianHoldNs { get; init; }

    /// <summary>Stalled share, 0 to 1.</summary>
    public double Share => Requests == 0 ? 0 : (double)Count / Requests;

    /// <summary>Analyses a distribution.</summary>
    /// <param name="transport">Service time less the server's residence time.</param>
    /// <param name="rttNs">The path's own round trip, nanoseconds.</param>
    /// <param name="jitterNs">The spread of the round trip, nanoseconds.</param>
    /// <param name="longStallMs">What counts as a long stall, milliseconds.</param>
    /// <param name="gapsNs">Time that the sender itself leaves between the writes of one request, nanoseconds; not lost.</param>
    /// <param name="first">The part of the distribution that was sent while nothing was unanswered; null when that is all of it.</param>
    public static StallAnalysis From(
        LatencyHistogram transport, long rttNs, long jitterNs, double longStallMs = 100, long gapsNs = 0, LatencyHistogram? first = null)
    {
        long rtt = Math.Clamp(rttNs, 0, LatencyHistogram.HighestTrackableNs);
        long jitter = Math.Clamp(jitterNs, 0, LatencyHistogram.HighestTrackableNs);
        long gaps = Math.Clamp(gapsNs, 0, LatencyHistogram.HighestTrackableNs);
        long threshold = (2 * rtt) + gaps + (long)AckTimer.SmallestHold.TotalNanoseconds + (2 * jitter);
        LatencyHistogram holds = Holds(transport, threshold, rtt);
        LatencyHistogram firstHolds = first is null ? holds : Holds(first, threshold, rtt);
        double lost = 0;
        long longCount = 0;
        foreach (HistogramBucket bucket in transport)
        {
            long middle = bucket.MiddleNs;
            if (middle <= threshold)
            {
                continue;
            }

            lost += (double)(middle - rtt - gaps) * bucket.Count;
            longCount += middle - rtt - gaps >= longStallMs * 1e6 ? bucket.Count : 0;
        }

        return new StallAnalysis
        {
            Requests = transport.Count,
            Count = holds.Count,
            LongCount = longCount,
            RttNs = rtt,
            ThresholdNs = threshold,
            LostNs = lost,
            MedianHoldNs = holds.Count > 0 ? holds.ValueAtPercentile(50) : null,
            Timer = AckTimerInference.Infer(firstHolds, jitter),
            FirstShare = transport.Count == 0 ? 0 : (double)firstHolds.Count / transport.Count,
            FirstMedianHoldNs = firstHolds.Count > 0 ? firstHolds.ValueAtPercentile(50) : null,
            Transport = transport,
            First = first,
            _jitterNs = jitter,
            GapsNs = gaps,
            _longStallMs = longStallMs,
        };
    }

    /// <summary>The stalls of the slowest requests alone, by the same threshold.</summary>
    /// <param name="count">Number of requests, at least 1.</param>
    public StallAnalysis Slowest(long count)
    {
        LatencyHistogram slowest = new();
        long skip = Math.Max(Transport.Count - count, 0);
        foreach (HistogramBucket bucket in Transport)
        {
            long taken = bucket.Count - Math.Min(skip, bucket.Count);
            skip -= bucket.Count - taken;
            if (taken > 0)
            {
                slowest.RecordMany(bucket.MiddleNs, taken);
            }
        }

        return From(slowest, RttNs, _jitterNs, _longStallMs, GapsNs) with { Requests = Requests };
    }

    private static LatencyHistogram Holds(LatencyHistogram transport, long threshold, long rtt)
    {
        LatencyHistogram holds = new();
        foreach (HistogramBucket bucket in transport)
        {
            long middle = bucket.MiddleNs;
            if (middle > threshold)
            {
                holds.RecordMany(middle - (2 * rtt), bucket.Count);
            }
        }

        return holds;
    }
}
