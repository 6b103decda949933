using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>The results of a measurement, before any verdict.</summary>
public sealed class MeasurementResult
{
    internal MeasurementResult(MeasurementTarget target, MeasurementPlan plan, DateTimeOffset startedUtc)
    {
        Target = target;
        Plan = plan;
        StartedUtc = startedUtc;
        Totals = new IntervalHistograms(IsOpenLoop);
    }

    /// <summary>The responder that was measured.</summary>
    public MeasurementTarget Target { get; }

    /// <summary>The settings of the measurement.</summary>
    public MeasurementPlan Plan { get; }

    /// <summary>Start of the measurement, UTC.</summary>
    public DateTimeOffset StartedUtc { get; }

    /// <summary>True when requests had planned times.</summary>
    public bool IsOpenLoop => Plan.RatePerSecond is not null;

    /// <summary>False when it ended early.</summary>
    public bool Complete => EndedBecause is null && !Cancelled;

    /// <summary>The failure that ended the measurement early, a sentence; null when there was none.</summary>
    public string? EndedBecause { get; internal set; }

    /// <summary>True when it was cancelled.</summary>
    public bool Cancelled { get; internal set; }

    /// <summary>From the planned send time to the last byte of the reply.</summary>
    public LatencyHistogram Response => Totals.Response;

    /// <summary>From the actual send time to the last byte of the reply.</summary>
    public LatencyHistogram Service => Totals.Service ?? Totals.Response;

    /// <summary>From the planned to the actual send time; null in a closed loop.</summary>
    public LatencyHistogram? Lateness => Totals.Lateness;

    /// <summary>Service time minus the server's residence time.</summary>
    public LatencyHistogram Transport => Totals.Transport;

    /// <summary>
    /// <see cref="Transport"/> of the requests that were sent while no other request was unanswered on their connection. Only these wait for the
    /// whole of an ACK timer; one that joins them waits for the rest of it. In a closed loop, all requests.
    /// </summary>
    public LatencyHistogram FirstTransport => Totals.First ?? Totals.Transport;

    /// <summary>The response times over time, all runs one after the other.</summary>
    public LatencyBlockList Blocks { get; } = new();

    /// <summary>The response times of each run.</summary>
    public IReadOnlyList<LatencyHistogram> Runs => RunHistograms;

    /// <summary>The first response times one by one.</summary>
    public ReadOnlyMemory<long> FirstSamples { get; internal set; }

    /// <summary>Requests planned; null in a closed loop ended by time.</summary>
    public long? Planned { get; internal set; }

    /// <summary>Requests sent after the warm-up.</summary>
    public long Sent { get; internal set; }

    /// <summary>Replies received.</summary>
    public long Received => Response.Count;

    /// <summary>Measured time without warm-up.</summary>
    public TimeSpan Elapsed { get; internal set; }

    /// <summary>Bytes the peer counted over the whole stream, for one-way patterns; otherwise 0.</summary>
    public long StreamBytes { get; internal set; }

    /// <summary>Time from the first message to the peer's acknowledgement of all, for one-way patterns.</summary>
    public TimeSpan StreamTime { get; internal set; }

    /// <summary>Shortest connect time: one round trip; null when no connection was opened.</summary>
    public TimeSpan? ConnectTime { get; internal set; }

    /// <summary>The timer that waits ended by; null when nothing was measured.</summary>
    public TimerInForce? Timer { get; internal set; }

    /// <summary>Garbage collections during the measured time.</summary>
    public int GcCount { get; internal set; }

    /// <summary>Time for which garbage collections paused the process.</summary>
    public TimeSpan GcPause { get; internal set; }

    /// <summary>Processor use and scheduling delays of this machine during the measurement; null when they were not observed.</summary>
    public HostUse? ClientHost { get; internal set; }

    /// <summary>Processor use and scheduling delays of the responder's machine, as it reports them; null when it does not.</summary>
    public HostUse? ServerHost { get; internal set; }

    /// <summary>Name and version of the responder's software, as it reports them.</summary>
    public string? ResponderSoftware { get; internal set; }

    /// <summary>The responder's operating system, as it reports it.</summary>
    public string? ResponderOs { get; internal set; }

    /// <summary>Problems that do not invalidate the results, a sentence each.</summary>
    public IReadOnlyList<string> Notes => NoteList;

    internal IntervalHistograms Totals { get; }

    internal List<LatencyHistogram> RunHistograms { get; } = [];

    internal List<string> NoteList { get; } = [];

    internal EndState? LocalState { get; set; }

    internal EndState? PeerState { get; set; }

    internal List<(KernelCounters Start, KernelCounters End)> LocalCounters { get; } = [];

    internal List<(KernelCounters Start, KernelCounters End)> PeerCounters { get; } = [];

    /// <summary>
    /// Single requests, all or a uniform sample of them, in the order of their planned times; empty when
    /// <see cref="MeasurementPlan.Watch"/> is false.
    /// </summary>
    internal List<RequestRow> Rows { get; } = [];

    /// <summary>
    /// The stalls of this machine that the stall clock kept, as timestamps of the run's clock, without the clock's own waits in the run
    /// queue.
    /// </summary>
    internal IReadOnlyList<(long Start, long End)> LocalStalls { get; set; } = [];

    /// <summary>Timestamp ticks per second.</summary>
    internal long TimestampFrequency { get; set; } = 1_000_000_000;

    /// <summary>Requests sent, warm-up included.</summary>
    internal long Exchanges { get; set; }

    internal long SendNs { get; set; }

    internal long LongestSendNs { get; set; }

    internal long ResidenceNs { get; set; }

    internal long ClockStepsBack { get; set; }

    /// <summary>Replies whose residence time was negative, or longer than the request took here: it was taken as 0.</summary>
    internal long ImpossibleStamps { get; set; }

    /// <summary>Connections whose results held kernel counters, or figures of the host, that cannot be: they were left out.</summary>
    internal long ImpossibleResults { get; set; }
}
