namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>A host and how it acknowledges.</summary>
public sealed record AnalysedHost
{
    /// <summary>Its address.</summary>
    public required string Address { get; init; }

    /// <summary>Its delayed-ACK timer, milliseconds; null when none shows.</summary>
    public double? AckTimerMs { get; init; }

    /// <summary>fixed, tick (counted in whole ticks), or unknown (the delays gather at no known value); null without a timer.</summary>
    public string? AckTimerModel { get; init; }

    /// <summary>Systems whose timer this could be. A timer never names the system: several share a value.</summary>
    public IReadOnlyList<string> AckTimerConsistentWith { get; init; } = [];

    /// <summary>Connections of this host.</summary>
    public long Connections { get; init; }

    /// <summary>Pure ACKs that came at once.</summary>
    public long ImmediateAcks { get; init; }

    /// <summary>Pure ACKs of every second segment.</summary>
    public long SecondSegmentAcks { get; init; }

    /// <summary>Pure ACKs held beyond the path's own time.</summary>
    public long LateAcks { get; init; }

    /// <summary>Late ones that no timer explains: a queue, scheduling.</summary>
    public long UnexplainedAcks { get; init; }

    /// <summary>ACKs that rode on data.</summary>
    public long PiggybackAcks { get; init; }

    /// <summary>Pure ACKs held for more than 100 ms.</summary>
    public long AcksAbove100Ms { get; init; }

    /// <summary>Median delay of the late ones, milliseconds.</summary>
    public double? LateP50Ms { get; init; }

    /// <summary>Longest delay of the late ones, milliseconds.</summary>
    public double? LateMaxMs { get; init; }

    /// <summary>Delayed ACKs that something waited for, in whichever finding they are counted.</summary>
    public long Harmful { get; init; }
}
