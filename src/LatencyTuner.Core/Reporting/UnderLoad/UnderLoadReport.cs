using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Analysis.Loads;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.UnderLoad;

/// <summary>The <c>under-load</c> document: latency while the path is idle and while it is full.</summary>
public sealed record UnderLoadReport : Report
{
    /// <summary><c>latencytuner/under-load/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/under-load/2";

    /// <summary>Why the measurement ended early, a sentence; null when it did not.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>Duration of the whole measurement in milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>The target that was measured.</summary>
    public required TargetDescription Target { get; init; }

    /// <summary>Direction of the load: <c>up</c> (to the responder), <c>down</c> (from it) or <c>both</c>.</summary>
    public required string Direction { get; init; }

    /// <summary>The options of the timed requests.</summary>
    public required RequestedOptions Options { get; init; }

    /// <summary>Maximum number of bytes of load that were allowed.</summary>
    [Range(0, double.MaxValue)]
    public required long LoadLimitBytes { get; init; }

    /// <summary>Response times of all idle phases.</summary>
    public required LatencyFigures Idle { get; init; }

    /// <summary>Response times of all loaded phases.</summary>
    public required LatencyFigures Loaded { get; init; }

    /// <summary>The latency that the load adds.</summary>
    public required AddedFigures Added { get; init; }

    /// <summary>The bufferbloat grade.</summary>
    public required BufferbloatFigures Bufferbloat { get; init; }

    /// <summary>Round trips per minute, idle and under load.</summary>
    public required ResponsivenessFigures Responsiveness { get; init; }

    /// <summary>The load, one entry for each direction.</summary>
    public IReadOnlyList<LoadFigures> Load { get; init; } = [];

    /// <summary>The phases in order of time.</summary>
    public IReadOnlyList<UnderLoadPhase> Phases { get; init; } = [];

    /// <summary>The findings.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>What the reader must know about these numbers, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>The latency that the load adds: the figure under load minus the same figure when idle.</summary>
public sealed record AddedFigures
{
    /// <summary>Added to the mean, in microseconds; null with too few samples.</summary>
    public double? MeanUs { get; init; }

    /// <summary>Added to the median, in microseconds; null with too few samples.</summary>
    public double? P50Us { get; init; }

    /// <summary>Added to the 90th percentile, in microseconds; null with too few samples.</summary>
    public double? P90Us { get; init; }

    /// <summary>95 % intervals by the name of the figure, for example <c>p50Us</c>.</summary>
    public IReadOnlyDictionary<string, IntervalFigures> Intervals { get; init; } = new Dictionary<string, IntervalFigures>();
}

/// <summary>The grade for the latency that a full path adds to the 90th percentile.</summary>
public sealed record BufferbloatFigures
{
    /// <summary><c>A+</c> to <c>F</c>; null when the path was not shown to be full.</summary>
    public string? Grade { get; init; }

    /// <summary>The grade at the better end of the interval.</summary>
    public string? GradeLow { get; init; }

    /// <summary>The grade at the worse end of the interval.</summary>
    public string? GradeHigh { get; init; }

    /// <summary>The scale of the grade, with its source and thresholds.</summary>
    public required string Scale { get; init; }

    /// <summary>The evidence for the grade, or why there is none, a sentence.</summary>
    public required string Because { get; init; }
}

/// <summary>The load in one direction over all loaded phases, and whether it filled the path.</summary>
public sealed record LoadFigures
{
    /// <summary><c>up</c>: to the responder; <c>down</c>: from the responder.</summary>
    public required string Direction { get; init; }

    /// <summary>Number of connections at the same time.</summary>
    public required int Connections { get; init; }

    /// <summary>Number of bytes moved in the counted time.</summary>
    [Range(0, double.MaxValue)]
    public required long Bytes { get; init; }

    /// <summary>The counted time in milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Bytes per second in the counted time.</summary>
    public required double ThroughputBytesPerSecond { get; init; }

    /// <summary>True: the path was full; false: something else limited the load; null: cannot tell.</summary>
    public bool? Saturated { get; init; }

    /// <summary>What limited the load.</summary>
    public required LoadLimit LimitedBy { get; init; }

    /// <summary>The evidence for what limited the load, a sentence.</summary>
    public required string Because { get; init; }

    /// <summary>Share (0 to 1) of the time with data outstanding; null where the sender's kernel does not count it.</summary>
    public double? BusyShare { get; init; }

    /// <summary>Share (0 to 1) of the time with data outstanding that the receiver's window limited.</summary>
    public double? RwndLimitedShare { get; init; }

    /// <summary>Share (0 to 1) of the time with data outstanding that the send buffer limited.</summary>
    public double? SndbufLimitedShare { get; init; }

    /// <summary>
    /// Share (0 to 1) of the time with data outstanding that neither limited: the upper bound for the congestion window. On Windows, as counted.
    /// </summary>
    public double? CwndLimitedShare { get; init; }

    /// <summary>Number of retransmitted segments.</summary>
    [Range(0, double.MaxValue)]
    public long? RetransmittedSegments { get; init; }

    /// <summary>Number of retransmitted bytes.</summary>
    [Range(0, double.MaxValue)]
    public long? RetransmittedBytes { get; init; }

    /// <summary>Mean smoothed round-trip time of the loading connections at the end, in microseconds.</summary>
    public double? RttUs { get; init; }

    /// <summary>Minimum round-trip time of the loading connections, in microseconds.</summary>
    public double? MinRttUs { get; init; }
}

/// <summary>Round trips per minute, idle and under load.</summary>
public sealed record ResponsivenessFigures
{
    /// <summary>Round trips per minute when idle; null with too few samples.</summary>
    public double? IdleRpm { get; init; }

    /// <summary>Round trips per minute under load; null with too few samples.</summary>
    public double? LoadedRpm { get; init; }

    /// <summary>Lower end of the 95 % interval of the round trips per minute under load.</summary>
    public double? LoadedLowRpm { get; init; }

    /// <summary>Upper end of the 95 % interval of the round trips per minute under load.</summary>
    public double? LoadedHighRpm { get; init; }

    /// <summary>How round trips per minute are counted, and what differs from the IETF draft, in words.</summary>
    public required string Method { get; init; }
}

/// <summary>One phase of a measurement under load.</summary>
public sealed record UnderLoadPhase
{
    /// <summary><c>idle</c> or <c>loaded</c>.</summary>
    public required string Kind { get; init; }

    /// <summary>Start of the phase in milliseconds after the first request.</summary>
    public required double StartMs { get; init; }

    /// <summary>Length of the phase in milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Response times of the requests planned in the phase.</summary>
    public required LatencyFigures ResponseTime { get; init; }

    /// <summary>Bytes per second to the responder; null without load in that direction.</summary>
    public double? UpBytesPerSecond { get; init; }

    /// <summary>Bytes per second from the responder; null without load in that direction.</summary>
    public double? DownBytesPerSecond { get; init; }

    /// <summary>The load of this machine during the phase.</summary>
    public required HostFigures Client { get; init; }

    /// <summary>
    /// The load of the responder's machine while the loading connections were open, as it reports it; null in idle phases and where it reports none.
    /// </summary>
    public HostFigures? Server { get; init; }
}
