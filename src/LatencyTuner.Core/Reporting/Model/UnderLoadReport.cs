using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The <c>under-load</c> document: latency while the path is idle and while it is full.</summary>
public sealed record UnderLoadReport
{
    /// <summary><c>latencytuner/under-load/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/under-load/1";

    /// <summary>False when it ended early.</summary>
    public required bool Complete { get; init; }

    /// <summary>Why it ended early, a sentence; null when it did not.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>When it started.</summary>
    public required DateTimeOffset StartedUtc { get; init; }

    /// <summary>How long all of it took in milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>What was measured.</summary>
    public required TargetDescription Target { get; init; }

    /// <summary><c>up</c>, <c>down</c> or <c>both</c>.</summary>
    public required string Direction { get; init; }

    /// <summary>The requests that were timed.</summary>
    public required RequestedOptions Options { get; init; }

    /// <summary>Most bytes of load that were allowed.</summary>
    public required long LoadLimitBytes { get; init; }

    /// <summary>Response times of all idle phases.</summary>
    public required LatencyFigures Idle { get; init; }

    /// <summary>Response times of all loaded phases.</summary>
    public required LatencyFigures Loaded { get; init; }

    /// <summary>What the load adds.</summary>
    public required AddedFigures Added { get; init; }

    /// <summary>The grade.</summary>
    public required BufferbloatFigures Bufferbloat { get; init; }

    /// <summary>Round trips per minute.</summary>
    public required ResponsivenessFigures Responsiveness { get; init; }

    /// <summary>The load, one entry for each direction.</summary>
    public IReadOnlyList<LoadFigures> Load { get; init; } = [];

    /// <summary>The phases in their order.</summary>
    public IReadOnlyList<UnderLoadPhase> Phases { get; init; } = [];

    /// <summary>Findings.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>What the reader must know about these numbers, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
