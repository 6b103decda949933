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

    /// <summary>The timer at which the holds cluster; null when they do not.</summary>
    public AckTimer? Timer { get; init; }

    /// <summary>Stalled share, 0 to 1.</summary>
    public double Share => Requests == 0 ? 0 : (double)Count / Requests;

    /// <summary>Analyses a distribution.</summary>
    /// <param name="transport">Service time less the server's residence time.</param>
    /// <param name="rttNs">The path's own round trip, nanoseconds.</param>
    /// <param name="jitterNs">The spread of the round trip, nanoseconds.</param>
    /// <param name="longStallMs">What counts as a long stall, milliseconds.</param>
    /// <param name="gapsNs">Time that the sender itself leaves between the writes of one request, nanoseconds; not lost.</param>
    public static StallAnalysis From(LatencyHistogram transport, long rttNs, long jitterNs, double longStallMs = 100, long gapsNs = 0)
    {
        long rtt = Math.Clamp(rttNs, 0, LatencyHistogram.HighestTrackableNs);
        long jitter = Math.Clamp(jitterNs, 0, LatencyHistogram.HighestTrackableNs);
        long gaps = Math.Clamp(gapsNs, 0, LatencyHistogram.HighestTrackableNs);
        long threshold = (2 * rtt) + gaps + (long)AckTimer.SmallestHold.TotalNanoseconds + (2 * jitter);
        LatencyHistogram holds = new();
        double lost = 0;
        long longCount = 0;
        foreach (HistogramBucket bucket in transport)
        {
            long middle = bucket.LowNs + ((bucket.HighNs - bucket.LowNs) / 2);
            if (middle <= threshold)
            {
                continue;
            }

            holds.RecordMany(middle - (2 * rtt), bucket.Count);
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
            Timer = AckTimerInference.Infer(holds, jitter),
        };
    }
}
