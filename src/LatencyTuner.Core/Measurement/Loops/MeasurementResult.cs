using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>What a measurement found, before any judgement.</summary>
public sealed class MeasurementResult
{
    internal MeasurementResult(MeasurementTarget target, MeasurementPlan plan, DateTimeOffset startedUtc)
    {
        Target = target;
        Plan = plan;
        StartedUtc = startedUtc;
        Totals = new IntervalHistograms(IsOpenLoop);
    }

    /// <summary>What was measured.</summary>
    public MeasurementTarget Target { get; }

    /// <summary>How.</summary>
    public MeasurementPlan Plan { get; }

    /// <summary>When.</summary>
    public DateTimeOffset StartedUtc { get; }

    /// <summary>True when requests had planned times.</summary>
    public bool IsOpenLoop => Plan.RatePerSecond is not null;

    /// <summary>False when it ended early.</summary>
    public bool Complete => EndedBecause is null && !Cancelled;

    /// <summary>The failure that ended it, a sentence; null when there was none.</summary>
    public string? EndedBecause { get; internal set; }

    /// <summary>True when it was cancelled.</summary>
    public bool Cancelled { get; internal set; }

    /// <summary>From the planned send time to the last byte of the reply.</summary>
    public LatencyHistogram Response => Totals.Response;

    /// <summary>From the actual send time to the last byte of the reply.</summary>
    public LatencyHistogram Service => Totals.Service ?? Totals.Response;

    /// <summary>From the planned to the actual send time; null in a closed loop.</summary>
    public LatencyHistogram? Lateness => Totals.Lateness;

    /// <summary>Service time less the server's residence time.</summary>
    public LatencyHistogram Transport => Totals.Transport;

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

    /// <summary>Bytes the peer counted over the whole stream, for one-way patterns; 0 else.</summary>
    public long StreamBytes { get; internal set; }

    /// <summary>Time from the first message to the peer's acknowledgement of all, for one-way patterns.</summary>
    public TimeSpan StreamTime { get; internal set; }

    /// <summary>Shortest connect time: one round trip.</summary>
    public TimeSpan? ConnectTime { get; internal set; }

    /// <summary>Garbage collections during the measured time.</summary>
    public int GcCount { get; internal set; }

    /// <summary>Time they paused the process.</summary>
    public TimeSpan GcPause { get; internal set; }

    /// <summary>What this machine did meanwhile; null when it was not watched.</summary>
    public HostUse? ClientHost { get; internal set; }

    /// <summary>What the responder says its machine did; null when it was not asked or does not know how.</summary>
    public HostUse? ServerHost { get; internal set; }

    /// <summary>What the responder calls itself.</summary>
    public string? ResponderSoftware { get; internal set; }

    /// <summary>Its operating system.</summary>
    public string? ResponderOs { get; internal set; }

    /// <summary>Problems that do not spoil the numbers, a sentence each.</summary>
    public IReadOnlyList<string> Notes => NoteList;

    internal IntervalHistograms Totals { get; }

    internal List<LatencyHistogram> RunHistograms { get; } = [];

    internal List<string> NoteList { get; } = [];

    internal EndState? LocalState { get; set; }

    internal EndState? PeerState { get; set; }

    internal List<(KernelCounters Start, KernelCounters End)> LocalCounters { get; } = [];

    internal List<(KernelCounters Start, KernelCounters End)> PeerCounters { get; } = [];

    /// <summary>Single requests, all or a uniform sample of them, in the order of their planned times; empty when not watched.</summary>
    internal List<RequestRow> Rows { get; } = [];

    /// <summary>The stalls of this machine that the stall clock kept, as timestamps of the run's clock; without what its own run queue explains.</summary>
    internal IReadOnlyList<(long Start, long End)> LocalStalls { get; set; } = [];

    /// <summary>Timestamps in a second.</summary>
    internal long TimestampFrequency { get; set; } = 1_000_000_000;

    /// <summary>Requests sent, warm-up included.</summary>
    internal long Exchanges { get; set; }

    internal long SendNs { get; set; }

    internal long LongestSendNs { get; set; }

    internal long ResidenceNs { get; set; }

    internal long ClockStepsBack { get; set; }
}
