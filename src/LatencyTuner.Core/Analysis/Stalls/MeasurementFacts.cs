using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Statistics;

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

    /// <summary>Segments that both ends sent again, warm-up included; null where no kernel counts them.</summary>
    public long? Retransmitted { get; init; }

    /// <summary>Planned requests per second on each connection; null in a closed loop.</summary>
    public double? RatePerConnection { get; init; }

    /// <summary>True when requests are sent while others are unanswered: then times of requests add up to more than the time that passes.</summary>
    public bool Overlaps { get; init; }

    /// <summary>True when at least half of the waits can be losses: then a wait as long as a timer is no sign of an ACK timer.</summary>
    public bool LossesExplainWaits => Stalls.Count > 0 && Retransmitted >= 0.5 * Stalls.FirstShare * Stalls.Requests && Retransmitted > 0;

    /// <summary>True when an end writes its messages in several sends with TCP_NODELAY off (read back).</summary>
    public bool NagleMayHold => (Workload.Writes.Count > 1 && NoDelay == false) || (Workload.PeerWrites > 1 && PeerNoDelay == false);

    /// <summary>False when the measurement ended early.</summary>
    public required bool Complete { get; init; }

    /// <summary>Replies whose residence time cannot be.</summary>
    public long ImpossibleStamps { get; init; }

    /// <summary>Connections whose other end reported counters that cannot be.</summary>
    public long ImpossibleResults { get; init; }

    /// <summary>The requests, to be replayed without the hold of Nagle's algorithm; null where no rule needs that.</summary>
    public HoldReplay? Replay { get; init; }

    /// <summary>The facts of a measurement.</summary>
    /// <param name="result">What was measured.</param>
    /// <param name="longStallMs">What counts as a long stall, milliseconds.</param>
    public static MeasurementFacts From(MeasurementResult result, double longStallMs = 100)
    {
        EndCounters? local = EndCounters.From(result.LocalCounters);
        EndCounters? peer = EndCounters.From(result.PeerCounters);
        bool isStream = result.Plan.Workload.Pattern == WritePattern.Stream;
        long rtt = RttOf(result, local);
        long gaps = GapsOf(result.Plan.Workload);
        LatencyHistogram transport = isStream ? new LatencyHistogram() : result.Transport;
        StallAnalysis stalls = StallAnalysis.From(transport, rtt, jitterNs: 0, longStallMs, gaps, isStream ? null : result.FirstTransport);
        MeasurementFacts facts = new()
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
            Stalls = stalls,
            Overlaps = result.Plan.RatePerSecond is not null || result.Plan.Connections > 1,
            RatePerConnection = result.Plan.RatePerSecond / result.Plan.Connections,
            Local = local,
            Peer = peer,
            Retransmitted = RetransmittedBy(local, peer, result.Plan.Workload),
            Complete = result.Complete,
            ImpossibleStamps = result.ImpossibleStamps,
            ImpossibleResults = result.ImpossibleResults,
            Replay = isStream ? null : new HoldReplay
            {
                Response = result.Response,
                Stalls = stalls,
                RoundTripNs = TypicalRttOf(result, stalls, local, peer),
                ResidenceNs = result.Received > 0 ? result.ResidenceNs / result.Received : 0,
                Plan = result.Plan,
            },
        };
        // Minimum timeouts are as long as ACK timers: where losses explain the waits, none of them is shown.
        return facts.LossesExplainWaits ? facts with { Stalls = stalls with { Timer = null } } : facts;
    }

    private static long GapsOf(Workload workload) => (long)workload.Gap.TotalNanoseconds * Math.Max(workload.Writes.Count - 1, 0);

    private static long? RetransmittedBy(EndCounters? local, EndCounters? peer, Workload workload)
    {
        long? here = local?.SegmentsRetransmitted(workload.RequestSize);
        long? there = peer?.SegmentsRetransmitted(workload.ReplySize);
        return here is null && there is null ? null : (here ?? 0) + (there ?? 0);
    }

    /// <summary>
    /// The round trip that a request usually has. The end whose messages nobody holds back knows it: the other end's next message acknowledges each of
    /// them. Where that ACK was delayed too, what a stalled request took besides the timer is two round trips.
    /// </summary>
    private static long TypicalRttOf(MeasurementResult result, StallAnalysis stalls, EndCounters? local, EndCounters? peer)
    {
        bool clientSplits = result.Plan.Workload.Writes.Count > 1;
        bool serverSplits = result.Plan.Workload.PeerWrites > 1;
        if (clientSplits == serverSplits || (clientSplits ? peer : local)?.RttUs is not { } usualUs)
        {
            return stalls.RttNs;
        }

        double longest = stalls is { Timer: { Model: AckTimerModel.Fixed } timer, FirstMedianHoldNs: { } holdNs }
            ? stalls.RttNs + ((holdNs - (timer.ClusterMs * 1e6)) / 2)
            : result.ConnectTime?.TotalNanoseconds ?? 0;
        return (long)Math.Clamp(usualUs * 1e3, stalls.RttNs, Math.Max(stalls.RttNs, longest));
    }

    /// <summary>The path's own round trip: the kernel's minimum, else the time to connect or the fastest request, whichever is shorter.</summary>
    private static long RttOf(MeasurementResult result, EndCounters? local) =>
        local?.MinRttUs is { } min and > 0 ? min * 1000
        : result.ConnectTime is { } connect && (result.Received == 0 || connect.TotalNanoseconds < result.Transport.MinNs) ? (long)connect.TotalNanoseconds
        : result.Transport.MinNs;
}
