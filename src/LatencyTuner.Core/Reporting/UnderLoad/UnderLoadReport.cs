using System.ComponentModel.DataAnnotations;
using LatencyTuner.Core.Analysis.Loads;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.UnderLoad;

/// <summary>The <c>under-load</c> document: latency while the path is idle and while it is full.</summary>
public sealed record UnderLoadReport : Report
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
    [Range(0, double.MaxValue)]
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

/// <summary>What the load adds to the latency: figure under load less the same figure idle.</summary>
public sealed record AddedFigures
{
    /// <summary>To the mean, in microseconds; null for want of samples.</summary>
    public double? MeanUs { get; init; }

    /// <summary>To the median.</summary>
    public double? P50Us { get; init; }

    /// <summary>To the 90th percentile.</summary>
    public double? P90Us { get; init; }

    /// <summary>95 % intervals by the name of the figure.</summary>
    public IReadOnlyDictionary<string, IntervalFigures> Intervals { get; init; } = new Dictionary<string, IntervalFigures>();
}

/// <summary>The grade of what a full path adds to the 90th percentile.</summary>
public sealed record BufferbloatFigures
{
    /// <summary><c>A+</c> to <c>F</c>; null when the path was not shown to be full.</summary>
    public string? Grade { get; init; }

    /// <summary>The letter at the better end of the interval.</summary>
    public string? GradeLow { get; init; }

    /// <summary>The letter at the worse end of the interval.</summary>
    public string? GradeHigh { get; init; }

    /// <summary>Whose scale it is, with its thresholds.</summary>
    public required string Scale { get; init; }

    /// <summary>What it rests on, or why there is no grade, a sentence.</summary>
    public required string Because { get; init; }
}

/// <summary>The load in one direction over all loaded phases, and whether it filled the path.</summary>
public sealed record LoadFigures
{
    /// <summary><c>up</c>: to the responder; <c>down</c>: from it.</summary>
    public required string Direction { get; init; }

    /// <summary>Connections at the same time.</summary>
    public required int Connections { get; init; }

    /// <summary>Bytes moved in the counted time.</summary>
    [Range(0, double.MaxValue)]
    public required long Bytes { get; init; }

    /// <summary>The counted time in milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Bytes per second in the counted time.</summary>
    public required double ThroughputBytesPerSecond { get; init; }

    /// <summary>True: the path was full; false: something else limited the load; null: cannot tell.</summary>
    public bool? Saturated { get; init; }

    /// <summary>What limited it.</summary>
    public required LoadLimit LimitedBy { get; init; }

    /// <summary>Why, a sentence.</summary>
    public required string Because { get; init; }

    /// <summary>Share (0 to 1) of the time with data outstanding; null where the sender's kernel does not count it.</summary>
    public double? BusyShare { get; init; }

    /// <summary>Share of that limited by the receiver's window.</summary>
    public double? RwndLimitedShare { get; init; }

    /// <summary>Share of that limited by the send buffer.</summary>
    public double? SndbufLimitedShare { get; init; }

    /// <summary>Share of that limited by neither, so by the congestion window at most; on Windows as counted.</summary>
    public double? CwndLimitedShare { get; init; }

    /// <summary>Segments sent again.</summary>
    [Range(0, double.MaxValue)]
    public long? RetransmittedSegments { get; init; }

    /// <summary>Bytes sent again.</summary>
    [Range(0, double.MaxValue)]
    public long? RetransmittedBytes { get; init; }

    /// <summary>Mean smoothed round trip of these connections at the end, in microseconds.</summary>
    public double? RttUs { get; init; }

    /// <summary>Their smallest round trip in microseconds.</summary>
    public double? MinRttUs { get; init; }
}

/// <summary>Round trips per minute, idle and under load.</summary>
public sealed record ResponsivenessFigures
{
    /// <summary>Idle; null for want of samples.</summary>
    public double? IdleRpm { get; init; }

    /// <summary>Under load.</summary>
    public double? LoadedRpm { get; init; }

    /// <summary>Lower end of the 95 % interval under load.</summary>
    public double? LoadedLowRpm { get; init; }

    /// <summary>Upper end of the 95 % interval under load.</summary>
    public double? LoadedHighRpm { get; init; }

    /// <summary>How it is counted and what differs from the IETF draft, a sentence.</summary>
    public required string Method { get; init; }
}

/// <summary>One phase of a measurement under load.</summary>
public sealed record UnderLoadPhase
{
    /// <summary><c>idle</c> or <c>loaded</c>.</summary>
    public required string Kind { get; init; }

    /// <summary>Start in milliseconds after the first request.</summary>
    public required double StartMs { get; init; }

    /// <summary>Length in milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Response times of the requests planned in it.</summary>
    public required LatencyFigures ResponseTime { get; init; }

    /// <summary>Bytes per second to the responder; null without such load.</summary>
    public double? UpBytesPerSecond { get; init; }

    /// <summary>Bytes per second from the responder; null without such load.</summary>
    public double? DownBytesPerSecond { get; init; }

    /// <summary>What this machine did.</summary>
    public required HostFigures Client { get; init; }

    /// <summary>What the responder's machine did while the load's connections were open; null in idle phases and where it did not tell.</summary>
    public HostFigures? Server { get; init; }
}
