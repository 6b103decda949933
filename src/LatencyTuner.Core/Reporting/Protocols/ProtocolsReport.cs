using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Protocols;

/// <summary>The <c>protocols</c> document: several targets or protocols, asked in turn on one schedule.</summary>
public sealed record ProtocolsReport : Report
{
    /// <summary><c>latencytuner/protocols/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/protocols/2";

    /// <summary>Duration of the measurement in milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Planned requests per second to each target.</summary>
    public required double RatePerSecond { get; init; }

    /// <summary>Seed of the random order within each round.</summary>
    public int Seed { get; init; }

    /// <summary>The targets in the order given; HTTP once for each version and kind of connection.</summary>
    [Required]
    public IReadOnlyList<ProtocolTarget> Targets { get; init; } = [];

    /// <summary>Figures of the hedged requests; null when no hedge was requested.</summary>
    public HedgeFigures? Hedge { get; init; }

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>Failures of one kind.</summary>
public sealed record ProtocolFailure
{
    /// <summary>Kind of failure.</summary>
    public required string Reason { get; init; }

    /// <summary>Number of failures.</summary>
    [Range(0, double.MaxValue)]
    public required long Count { get; init; }

    /// <summary>The first failure of this kind, a sentence.</summary>
    public required string Example { get; init; }
}

/// <summary>One part of the exchanges with a target.</summary>
public sealed record ProtocolPhase
{
    /// <summary>Name of the part, for example <c>connect</c> or <c>first byte</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Times from the start of the exchange to the end of this part.</summary>
    public required LatencyFigures Latency { get; init; }
}

/// <summary>The results of one target that was asked in one way.</summary>
public sealed record ProtocolTarget
{
    /// <summary>The target that was asked.</summary>
    public required TargetDescription Target { get; init; }

    /// <summary>The protocol, for example <c>icmp</c> or <c>http/1.1</c>.</summary>
    public required string Protocol { get; init; }

    /// <summary><c>kept</c> for one connection that all requests share, <c>new</c> for one connection per request; null where there is none.</summary>
    public string? Connection { get; init; }

    /// <summary>Number of requests made.</summary>
    [Range(0, double.MaxValue)]
    public required long Sent { get; init; }

    /// <summary>Number of answers that were timed.</summary>
    [Range(0, double.MaxValue)]
    public required long Answered { get; init; }

    /// <summary>Number of requests that failed.</summary>
    [Range(0, double.MaxValue)]
    public required long Errors { get; init; }

    /// <summary>Number of planned requests that were not made because an earlier one was still unanswered.</summary>
    [Range(0, double.MaxValue)]
    public long Skipped { get; init; }

    /// <summary>Number of answers left out because the server had closed the kept connection.</summary>
    [Range(0, double.MaxValue)]
    public long Reconnected { get; init; }

    /// <summary>The parts of the exchange; all times count from its start.</summary>
    public IReadOnlyList<ProtocolPhase> Phases { get; init; } = [];

    /// <summary>Number of answers by HTTP status.</summary>
    public IReadOnlyDictionary<string, long> Statuses { get; init; } = new Dictionary<string, long>();

    /// <summary>Why requests failed, the most frequent kind first.</summary>
    public IReadOnlyList<ProtocolFailure> Failures { get; init; } = [];
}
