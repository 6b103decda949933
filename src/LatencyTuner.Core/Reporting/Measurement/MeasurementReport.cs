using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Measurement;

/// <summary>The <c>measurement</c> document.</summary>
public sealed record MeasurementReport : Report
{
    /// <summary><c>latencytuner/measurement/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/measurement/2";

    /// <summary>Why it ended early, a sentence; null when it did not.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>The target that was measured.</summary>
    public required TargetDescription Target { get; init; }

    /// <summary>The write pattern: <c>single</c>, <c>split</c> or <c>stream</c>.</summary>
    public required string Pattern { get; init; }

    /// <summary>The requested options and the options in effect.</summary>
    public required OptionPair Options { get; init; }

    /// <summary>Number of requests planned; null when the duration ends a closed loop.</summary>
    [Range(0, double.MaxValue)]
    [Required]
    public long? Planned { get; init; }

    /// <summary>Number of requests sent.</summary>
    [Range(0, double.MaxValue)]
    public required long Sent { get; init; }

    /// <summary>Number of responses received in full.</summary>
    [Range(0, double.MaxValue)]
    public required long Received { get; init; }

    /// <summary>Number of requests that failed.</summary>
    [Range(0, double.MaxValue)]
    public required long Errors { get; init; }

    /// <summary>Measured time in milliseconds, without warm-up.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Responses per second.</summary>
    public required double ThroughputPerSecond { get; init; }

    /// <summary>Bytes per second of a one-way stream, from the first message until the peer acknowledged all; null for other patterns.</summary>
    public double? ThroughputBytesPerSecond { get; init; }

    /// <summary>Time from the planned send time to the last byte of the reply.</summary>
    public required LatencyFigures ResponseTime { get; init; }

    /// <summary>Time from the actual send time to the last byte of the reply.</summary>
    public required LatencyFigures ServiceTime { get; init; }

    /// <summary>Time from the planned to the actual send time; null in a closed loop, which has no planned times.</summary>
    [Required]
    public LatencyFigures? SendLateness { get; init; }

    /// <summary>How the response time divides among client, server and network.</summary>
    public required AttributionFigures Attribution { get; init; }

    /// <summary>Kernel counters of both ends.</summary>
    public required KernelPair Kernel { get; init; }

    /// <summary>The requests that stalled.</summary>
    public required StallFigures Stalls { get; init; }

    /// <summary>Time spent inside send calls as a share (0 to 1) of the measured time of all connections.</summary>
    public double? SendBlockedShare { get; init; }

    /// <summary>The longest single send call in microseconds.</summary>
    public double? LongestSendUs { get; init; }

    /// <summary>Time to connect in microseconds (smallest over connections): one network round trip.</summary>
    public double? ConnectUs { get; init; }

    /// <summary>The measuring machine, and what happened on it during the run.</summary>
    public required EnvironmentFigures Environment { get; init; }

    /// <summary>The parts of the measurement with their distributions.</summary>
    public IReadOnlyList<RunFigures> Runs { get; init; } = [];

    /// <summary>Findings about the measured workload.</summary>
    [Required]
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>What the reader must know about these numbers, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
