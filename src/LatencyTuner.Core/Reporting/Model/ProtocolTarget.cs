namespace LatencyTuner.Core.Reporting.Model;

/// <summary>What came of one target asked in one way.</summary>
public sealed record ProtocolTarget
{
    /// <summary>What was asked.</summary>
    public required TargetDescription Target { get; init; }

    /// <summary>With what, for example <c>icmp</c> or <c>http/1.1</c>.</summary>
    public required string Protocol { get; init; }

    /// <summary><c>kept</c> for one connection, <c>new</c> for one a request; null where there is none.</summary>
    public string? Connection { get; init; }

    /// <summary>Requests made.</summary>
    public required long Sent { get; init; }

    /// <summary>Answers that were timed.</summary>
    public required long Answered { get; init; }

    /// <summary>Requests that failed.</summary>
    public required long Errors { get; init; }

    /// <summary>Planned requests that were not made because an earlier one was still waited for.</summary>
    public long Skipped { get; init; }

    /// <summary>Answers left out because the server had closed the kept connection.</summary>
    public long Reconnected { get; init; }

    /// <summary>Parts of the exchange, all counted from its start.</summary>
    public IReadOnlyList<ProtocolPhase> Phases { get; init; } = [];

    /// <summary>How often each HTTP status came.</summary>
    public IReadOnlyDictionary<string, long> Statuses { get; init; } = new Dictionary<string, long>();

    /// <summary>Why requests failed, most often first.</summary>
    public IReadOnlyList<ProtocolFailure> Failures { get; init; } = [];
}
