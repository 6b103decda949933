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
