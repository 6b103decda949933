using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Analysis.Fleets;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Fleet;

/// <summary>The <c>fleet</c> document: the documents of several hosts, or several of one host, merged.</summary>
public sealed record FleetReport : Report
{
    /// <summary><c>latencytuner/fleet/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/fleet/2";

    /// <summary>Number of files that were read.</summary>
    [Range(0, double.MaxValue)]
    public required long Files { get; init; }

    /// <summary>The hosts, those that need a look first.</summary>
    [Required]
    public IReadOnlyList<FleetHost> Hosts { get; init; } = [];

    /// <summary>The pairs of client and server that were measured, the slowest first; loopback last.</summary>
    [Required]
    public IReadOnlyList<FleetPair> Pairs { get; init; } = [];

    /// <summary>The causes that were found, the worst first, with the hosts that have them.</summary>
    [Required]
    public IReadOnlyList<FleetFinding> Findings { get; init; } = [];

    /// <summary>The oscillations and level shifts that several series have in common.</summary>
    public IReadOnlyList<FleetShared> Shared { get; init; } = [];

    /// <summary>The settings that differ between the snapshots, those that are in force first.</summary>
    public IReadOnlyList<FleetDrift> Drift { get; init; } = [];

    /// <summary>The processes of all hosts whose sockets were listed, by name.</summary>
    public IReadOnlyList<FleetProcess> Processes { get; init; } = [];

    /// <summary>Who needs which recommendation: those of most hosts first.</summary>
    public IReadOnlyList<FleetRecommendation> Recommendations { get; init; } = [];

    /// <summary>The files that could not be read.</summary>
    [Required]
    public IReadOnlyList<FleetUnreadable> Unreadable { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>A host of a fleet.</summary>
public sealed record FleetHost
{
    /// <summary>Name of the machine; where a document does not say it, the name of its file.</summary>
    public required string Name { get; init; }

    /// <summary>The worst verdict of its documents.</summary>
    public required VerdictKind Verdict { get; init; }

    /// <summary>The sentence of that document.</summary>
    public required string Text { get; init; }

    /// <summary>The file of that document.</summary>
    public required string File { get; init; }

    /// <summary>The kinds of its documents.</summary>
    public IReadOnlyList<string> Kinds { get; init; } = [];

    /// <summary>The files of its oldest and its newest snapshot; one file for one snapshot.</summary>
    public IReadOnlyList<string> Snapshots { get; init; } = [];

    /// <summary>Number of its documents.</summary>
    [Range(0, double.MaxValue)]
    public required long Documents { get; init; }

    /// <summary>The operating system; null when no document says it.</summary>
    public string? Os { get; init; }

    /// <summary>When its newest document was made; null when unknown.</summary>
    public DateTime? StartedUtc { get; init; }

    /// <summary>The ids of its findings from a warning up, the worst first.</summary>
    public IReadOnlyList<string> Findings { get; init; } = [];

    /// <summary>The largest 99th percentile of its pairs, loopback only where there is no other, microseconds; null with too few samples.</summary>
    public double? P99Us { get; init; }

    /// <summary>The slowest request of that pair where its samples are too few for a 99th percentile, microseconds; null otherwise.</summary>
    public double? AtLeastUs { get; init; }

    /// <summary>The server of that pair; null without one.</summary>
    public string? Server { get; init; }

    /// <summary>Number of its pairs that are outliers.</summary>
    [Range(0, double.MaxValue)]
    public long Outliers { get; init; }

    /// <summary>Number of its settings that are not as on most hosts.</summary>
    [Range(0, double.MaxValue)]
    public long Drift { get; init; }

    /// <summary>Number of recommendations for it.</summary>
    [Range(0, double.MaxValue)]
    public long Recommendations { get; init; }
}

/// <summary>A client and a server with what was measured between them.</summary>
public sealed record FleetPair
{
    /// <summary>The host that measured.</summary>
    public required string Client { get; init; }

    /// <summary>The target as it was given.</summary>
    public required string Server { get; init; }

    /// <summary>What was sent, in words: only pairs of the same workload are compared.</summary>
    public required string Workload { get; init; }

    /// <summary>Number of responses.</summary>
    [Range(0, double.MaxValue)]
    public required long Count { get; init; }

    /// <summary>Median of the response time, microseconds; null with too few samples.</summary>
    [Required]
    public double? P50Us { get; init; }

    /// <summary>99th percentile, microseconds; null with too few samples.</summary>
    [Required]
    public double? P99Us { get; init; }

    /// <summary>Lower end of the 95 % interval of the 99th percentile, microseconds; null when unknown.</summary>
    public double? P99LowUs { get; init; }

    /// <summary>Upper end of the 95 % interval of the 99th percentile, microseconds; null when unknown.</summary>
    public double? P99HighUs { get; init; }

    /// <summary>The largest value in microseconds where there are too few samples for a 99th percentile; null elsewhere.</summary>
    public double? AtLeastUs { get; init; }

    /// <summary>The verdict of the measurement.</summary>
    public required VerdictKind Verdict { get; init; }

    /// <summary>The ids of its findings.</summary>
    public IReadOnlyList<string> Findings { get; init; } = [];

    /// <summary>
    /// The robust z of the logarithm of its 99th percentile among the pairs of the same workload; null with fewer than five such pairs or too few samples.
    /// </summary>
    public double? Z { get; init; }

    /// <summary>The median of the 99th percentiles of those pairs, microseconds; null where <see cref="Z"/> is.</summary>
    public double? UsualUs { get; init; }

    /// <summary>Whether it is far from the others.</summary>
    public FleetOutlier Outlier { get; init; }

    /// <summary>When it was measured; null when unknown.</summary>
    public DateTime? StartedUtc { get; init; }

    /// <summary>The file that it comes from.</summary>
    public required string File { get; init; }
}

/// <summary>A cause of one severity with the hosts that have it.</summary>
public sealed record FleetFinding
{
    /// <summary>The worst finding of this cause and severity, without its predictions.</summary>
    public required Finding Worst { get; init; }

    /// <summary>The file that it comes from.</summary>
    public required string File { get; init; }

    /// <summary>The hosts that have it.</summary>
    public required IReadOnlyList<string> Hosts { get; init; }
}

/// <summary>What several series have in common.</summary>
public sealed record FleetShared
{
    /// <summary><c>oscillation</c> or <c>level-shift</c>.</summary>
    [AllowedValues("oscillation", "level-shift")]
    public required string Kind { get; init; }

    /// <summary>The figure: <c>median</c>, <c>tail</c> or <c>slow-rate</c>.</summary>
    public required string Metric { get; init; }

    /// <summary>The series, by host.</summary>
    public required IReadOnlyList<string> Members { get; init; }

    /// <summary>The period of an oscillation, seconds; null for a shift.</summary>
    public double? PeriodS { get; init; }

    /// <summary>The time of a shift; null for an oscillation.</summary>
    public DateTimeOffset? AtUtc { get; init; }

    /// <summary>Whether the highest points of an oscillation fall together; null for a shift, and where the periods are too uncertain to say.</summary>
    public bool? InStep { get; init; }
}

/// <summary>A setting, or a fact such as a driver, that differs between hosts.</summary>
public sealed record FleetDrift
{
    /// <summary>Id of the setting; null for a fact that is not a setting.</summary>
    public string? Id { get; init; }

    /// <summary>Where it is stored, or the name of the fact. Adapters are those of the first host: they are compared by what they are there for.</summary>
    public required string Path { get; init; }

    /// <summary>The adapter; null for none.</summary>
    public string? Interface { get; init; }

    /// <summary>True when the difference is in force, false when only what is stored differs.</summary>
    public required bool InForce { get; init; }

    /// <summary>The values, the most common first.</summary>
    public required IReadOnlyList<FleetValue> Values { get; init; }
}

/// <summary>A value with the hosts that have it.</summary>
public sealed record FleetValue
{
    /// <summary>The value with its type, or <c>absent</c>.</summary>
    public required string Value { get; init; }

    /// <summary>Number of hosts.</summary>
    [Range(0, double.MaxValue)]
    public required long Count { get; init; }

    /// <summary>The hosts; empty for the most common value of three hosts or more.</summary>
    public IReadOnlyList<string> Hosts { get; init; } = [];
}

/// <summary>The sockets of the processes of one name, on all hosts.</summary>
public sealed record FleetProcess
{
    /// <summary>Name of the process; null when unknown.</summary>
    [Required]
    public string? Process { get; init; }

    /// <summary>The hosts on which it runs.</summary>
    public required IReadOnlyList<string> Hosts { get; init; }

    /// <summary>Connections that carry data or may do so.</summary>
    [Range(0, double.MaxValue)]
    public required long Connections { get; init; }

    /// <summary>Connections with TCP_NODELAY off: Nagle's algorithm is on.</summary>
    [Range(0, double.MaxValue)]
    public required long NagleConnections { get; init; }

    /// <summary>Connections with TCP_NODELAY on: Nagle's algorithm is off.</summary>
    [Range(0, double.MaxValue)]
    public required long NoDelayConnections { get; init; }

    /// <summary>Connections with a buffer that the application fixed.</summary>
    [Range(0, double.MaxValue)]
    public required long FixedBufferConnections { get; init; }

    /// <summary>Segments retransmitted; null where no host counts them.</summary>
    [Required]
    public long? Retransmitted { get; init; }

    /// <summary>The longest smoothed round-trip time of its connections, µs; null when unknown.</summary>
    [Required]
    public long? LongestRttUs { get; init; }

    /// <summary>The host of that connection; null when unknown.</summary>
    public string? LongestRttHost { get; init; }
}

/// <summary>A recommendation with the hosts that it was made for.</summary>
public sealed record FleetRecommendation
{
    /// <summary>Id of the recommendation.</summary>
    public required string Id { get; init; }

    /// <summary>The cure in a line.</summary>
    public required string Title { get; init; }

    /// <summary>Where to do it, in words.</summary>
    public required string Where { get; init; }

    /// <summary>The largest effect on one of the hosts, a clause.</summary>
    public required string Effect { get; init; }

    /// <summary>The hosts whose documents lead to it.</summary>
    public required IReadOnlyList<string> Hosts { get; init; }

    /// <summary>A file that leads to it, for <c>recommend --from</c>.</summary>
    public required string File { get; init; }
}

/// <summary>A file that could not be read.</summary>
public sealed record FleetUnreadable
{
    /// <summary>The file as it was given.</summary>
    public required string File { get; init; }

    /// <summary>Why, a sentence.</summary>
    public required string Because { get; init; }
}
