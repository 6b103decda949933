namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>A host, and how it sends ACKs.</summary>
public sealed record AnalysedHost
{
    /// <summary>IP address of the host.</summary>
    public required string Address { get; init; }

    /// <summary>Delayed-ACK timer of the host, milliseconds; null when none was recognised.</summary>
    public double? AckTimerMs { get; init; }

    /// <summary>fixed, tick (counted in whole ticks), or unknown (the delays cluster at no known value); null without a timer.</summary>
    public string? AckTimerModel { get; init; }

    /// <summary>Systems that use this timer value. It does not identify the system: several systems share a value.</summary>
    public IReadOnlyList<string> AckTimerConsistentWith { get; init; } = [];

    /// <summary>Number of connections of this host.</summary>
    public long Connections { get; init; }

    /// <summary>Pure ACKs that were sent at once.</summary>
    public long ImmediateAcks { get; init; }

    /// <summary>Pure ACKs that acknowledge every second segment.</summary>
    public long SecondSegmentAcks { get; init; }

    /// <summary>Pure ACKs that were delayed by more than the path's own time.</summary>
    public long LateAcks { get; init; }

    /// <summary>Late pure ACKs that no timer explains, for example delayed by a queue or by scheduling.</summary>
    public long UnexplainedAcks { get; init; }

    /// <summary>ACKs that were sent together with data.</summary>
    public long PiggybackAcks { get; init; }

    /// <summary>Pure ACKs that were delayed by more than 100 ms.</summary>
    public long AcksAbove100Ms { get; init; }

    /// <summary>Median delay of the late ACKs, milliseconds.</summary>
    public double? LateP50Ms { get; init; }

    /// <summary>Longest delay of the late ACKs, milliseconds.</summary>
    public double? LateMaxMs { get; init; }

    /// <summary>Delayed ACKs that the other end waited for, whichever finding counts them.</summary>
    public long Harmful { get; init; }
}
