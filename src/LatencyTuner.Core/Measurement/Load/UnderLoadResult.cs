using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Load;

/// <summary>The results of a measurement under load, before any verdict.</summary>
public sealed record UnderLoadResult
{
    /// <summary>The responder that was measured.</summary>
    public required MeasurementTarget Target { get; init; }

    /// <summary>The settings of the measurement.</summary>
    public required LoadPlan Plan { get; init; }

    /// <summary>Start of the measurement, UTC.</summary>
    public required DateTimeOffset StartedUtc { get; init; }

    /// <summary>Duration of the whole measurement.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>The phases in their order: idle, loaded, idle and so on.</summary>
    public IReadOnlyList<LoadPhase> Phases { get; init; } = [];

    /// <summary>True when both ends are the same machine: then there is no network path.</summary>
    public bool SameMachine { get; init; }

    /// <summary>True when the load ended early because it reached its limit of bytes (<c>--load-limit</c>).</summary>
    public bool BytesSpent { get; init; }

    /// <summary>True when it was cancelled.</summary>
    public bool Cancelled { get; init; }

    /// <summary>The failure that ended the measurement early, a sentence; null when there was none.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>Name and version of the responder's software, as it reports them.</summary>
    public string? ResponderSoftware { get; init; }

    /// <summary>The responder's operating system, as it reports it.</summary>
    public string? ResponderOs { get; init; }

    /// <summary>False when it ended early.</summary>
    public bool Complete => EndedBecause is null && !Cancelled;
}

/// <summary>One idle or loaded phase.</summary>
public sealed record LoadPhase
{
    /// <summary>Start of the phase, counted from the start of the first phase.</summary>
    public required TimeSpan Start { get; init; }

    /// <summary>The counted time.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Response times of the requests planned in it, in the order of their planned times, nanoseconds.</summary>
    public required IReadOnlyList<long> ResponsesNs { get; init; }

    /// <summary>Processor use and scheduling delays of this machine during the phase.</summary>
    public required HostUse Client { get; init; }

    /// <summary>The load, one entry for each direction; empty in an idle phase.</summary>
    public IReadOnlyList<LoadSide> Load { get; init; } = [];
}

/// <summary>The load of one phase in one direction.</summary>
public sealed record LoadSide
{
    /// <summary>True: towards the responder.</summary>
    public required bool Up { get; init; }

    /// <summary>Number of connections that made the load.</summary>
    public required int Connections { get; init; }

    /// <summary>Bytes moved in the counted time.</summary>
    public required long Bytes { get; init; }

    /// <summary>The counted time.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Bytes per second in successive tenths of a second of the counted time.</summary>
    public IReadOnlyList<double> BytesPerSecond { get; init; } = [];

    /// <summary>Number of connections that ended before they were stopped.</summary>
    public int Failed { get; init; }

    /// <summary>Why the first of the <see cref="Failed"/> connections ended, a phrase; null when none did.</summary>
    public string? Failure { get; init; }

    /// <summary>Processor use and scheduling delays of the responder's machine while these connections were open; null when it did not report them.</summary>
    public HostUse? Server { get; init; }

    /// <summary>
    /// The counters of the sending end: for the counted time at this end; for the whole connection at the responder's end, if its result arrived.
    /// </summary>
    internal IReadOnlyList<(KernelCounters Start, KernelCounters End)> Sender { get; init; } = [];

    /// <summary>Time between the two samples of <see cref="Sender"/>.</summary>
    internal TimeSpan SenderElapsed { get; init; }
}
