using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Load;

/// <summary>What a measurement under load found, before any judgement.</summary>
public sealed record UnderLoadResult
{
    /// <summary>What was measured.</summary>
    public required MeasurementTarget Target { get; init; }

    /// <summary>How.</summary>
    public required LoadPlan Plan { get; init; }

    /// <summary>When.</summary>
    public required DateTimeOffset StartedUtc { get; init; }

    /// <summary>How long all of it took.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>The phases in their order: idle, loaded, idle and so on.</summary>
    public IReadOnlyList<LoadPhase> Phases { get; init; } = [];

    /// <summary>True when both ends are one machine: then there is no path.</summary>
    public bool SameMachine { get; init; }

    /// <summary>True when the load ended before its time because all its bytes were spent.</summary>
    public bool BytesSpent { get; init; }

    /// <summary>True when it was cancelled.</summary>
    public bool Cancelled { get; init; }

    /// <summary>The failure that ended it, a sentence; null when there was none.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>What the responder calls itself.</summary>
    public string? ResponderSoftware { get; init; }

    /// <summary>Its operating system.</summary>
    public string? ResponderOs { get; init; }

    /// <summary>False when it ended early.</summary>
    public bool Complete => EndedBecause is null && !Cancelled;
}

/// <summary>One idle or loaded phase.</summary>
public sealed record LoadPhase
{
    /// <summary>Start on the run's clock from the first phase on.</summary>
    public required TimeSpan Start { get; init; }

    /// <summary>The counted time.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Response times of the requests planned in it, in the order of their planned times, nanoseconds.</summary>
    public required IReadOnlyList<long> ResponsesNs { get; init; }

    /// <summary>What this machine did.</summary>
    public required HostUse Client { get; init; }

    /// <summary>The load, one entry for each direction; empty in an idle phase.</summary>
    public IReadOnlyList<LoadSide> Load { get; init; } = [];
}

/// <summary>The load of one phase in one direction.</summary>
public sealed record LoadSide
{
    /// <summary>True: towards the responder.</summary>
    public required bool Up { get; init; }

    /// <summary>Connections that made it.</summary>
    public required int Connections { get; init; }

    /// <summary>Bytes moved in the counted time.</summary>
    public required long Bytes { get; init; }

    /// <summary>The counted time.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Bytes per second in successive tenths of a second of the counted time.</summary>
    public IReadOnlyList<double> BytesPerSecond { get; init; } = [];

    /// <summary>Connections that ended by themselves, and why the first of them did, a phrase.</summary>
    public int Failed { get; init; }

    /// <summary>See <see cref="Failed"/>.</summary>
    public string? Failure { get; init; }

    /// <summary>What the responder's machine did while these connections were open; null when it did not tell.</summary>
    public HostUse? Server { get; init; }

    /// <summary>
    /// The sending end's counters: of the counted time at this end, of the whole connection at the responder's, of those connections whose result came.
    /// </summary>
    internal IReadOnlyList<(KernelCounters Start, KernelCounters End)> Sender { get; init; } = [];

    /// <summary>Time between the two samples of <see cref="Sender"/>.</summary>
    internal TimeSpan SenderElapsed { get; init; }
}
