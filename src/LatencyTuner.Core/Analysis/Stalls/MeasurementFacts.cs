using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;

namespace LatencyTuner.Core.Analysis.Stalls;

/// <summary>The observations of one measurement that rules reason about.</summary>
internal sealed record MeasurementFacts
{
    /// <summary>Target by name.</summary>
    public required string Target { get; init; }

    /// <summary>Address of the target.</summary>
    public required string Address { get; init; }

    /// <summary>The workload that was measured.</summary>
    public required Workload Workload { get; init; }

    /// <summary>TCP_NODELAY at this end as read back.</summary>
    public bool? NoDelay { get; init; }

    /// <summary>TCP_NODELAY at the responder as read back.</summary>
    public bool? PeerNoDelay { get; init; }

    /// <summary>Number of replies.</summary>
    public required long Received { get; init; }

    /// <summary>Requests on the wire, warm-up included: what the kernel's counters saw.</summary>
    public required long Exchanges { get; init; }

    /// <summary>How long the measurement took.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Sum of all response times, nanoseconds: the active time of the workload.</summary>
    public required double ActiveNs { get; init; }

    /// <summary>Median response time, nanoseconds.</summary>
    public required long MedianNs { get; init; }

    /// <summary>Mean residence at the server, nanoseconds.</summary>
    public required double ServerMeanNs { get; init; }

    /// <summary>Which requests stalled, for how long, and at which timer.</summary>
    public required StallAnalysis Stalls { get; init; }

    /// <summary>Kernel counters of this end.</summary>
    public EndCounters? Local { get; init; }

    /// <summary>Kernel counters of the responder's end.</summary>
    public EndCounters? Peer { get; init; }

    /// <summary>False when the measurement ended early.</summary>
    public required bool Complete { get; init; }

    /// <summary>The facts of a measurement.</summary>
    /// <param name="result">What was measured.</param>
    /// <param name="longStallMs">What counts as a long stall, milliseconds.</param>
    public static MeasurementFacts From(MeasurementResult result, double longStallMs = 100)
    {
        EndCounters? local = EndCounters.From(result.LocalCounters);
        long rtt = RttOf(result, local);
        return new MeasurementFacts
        {
            Target = result.Target.Name,
            Address = result.Target.Endpoint.Address.ToString(),
            Workload = result.Plan.Workload,
            NoDelay = result.LocalState?.NoDelay,
            PeerNoDelay = result.PeerState?.NoDelay,
            Received = result.Received,
            Exchanges = result.Exchanges,
            Elapsed = result.Elapsed,
            ActiveNs = result.Response.MeanNs * result.Received,
            MedianNs = result.Response.ValueAtPercentile(50),
            ServerMeanNs = result.Received > 0 ? (double)result.ResidenceNs / result.Received : 0,
            Stalls = StallAnalysis.From(
                result.Plan.Workload.Pattern == WritePattern.Stream ? new LatencyHistogram() : result.Transport, rtt, jitterNs: 0, longStallMs,
                GapsOf(result.Plan.Workload)),
            Local = local,
            Peer = EndCounters.From(result.PeerCounters),
            Complete = result.Complete,
        };
    }

    private static long GapsOf(Workload workload) => (long)workload.Gap.TotalNanoseconds * Math.Max(workload.Writes.Count - 1, 0);

    /// <summary>The path's own round trip: the kernel's minimum, else the time to connect or the fastest request, whichever is shorter.</summary>
    private static long RttOf(MeasurementResult result, EndCounters? local) =>
        local?.MinRttUs is { } min and > 0 ? min * 1000
        : result.ConnectTime is { } connect && (result.Received == 0 || connect.TotalNanoseconds < result.Transport.MinNs) ? (long)connect.TotalNanoseconds
        : result.Transport.MinNs;
}
