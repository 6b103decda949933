using System.Text.Json.Serialization;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Settings;

/// <summary>The <c>snapshot-comparison</c> document: what differs between two snapshots.</summary>
public sealed record SnapshotComparisonReport : Report
{
    /// <summary><c>latencytuner/snapshot-comparison/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/snapshot-comparison/2";

    /// <summary>Path of the first snapshot.</summary>
    public required string A { get; init; }

    /// <summary>Path of the second snapshot.</summary>
    public required string B { get; init; }

    /// <summary>Every difference, the weightiest first.</summary>
    public IReadOnlyList<SnapshotChange> Changes { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>One difference between two snapshots.</summary>
public sealed record SnapshotChange
{
    /// <summary><c>host</c>, <c>interface</c>, <c>setting</c> or <c>component</c>.</summary>
    public required string What { get; init; }

    /// <summary>Id of the setting; null for a difference that is not a setting.</summary>
    public string? Id { get; init; }

    /// <summary>
    /// The adapter that the value belongs to: one name where both hosts call it so, else both. Null for a value of the machine. Adapters are compared by what
    /// they are there for, because GUIDs differ between hosts.
    /// </summary>
    public string? Interface { get; init; }

    /// <summary>How much the difference weighs.</summary>
    public SnapshotChangeWeight Weight { get; init; } = SnapshotChangeWeight.InForce;

    /// <summary>Where the value is stored, with the GUID that A has, or the name of the fact.</summary>
    public required string Path { get; init; }

    /// <summary>What A has: a value with its type, <c>absent</c>, <c>not known</c>, or <c>no such adapter</c>.</summary>
    public required string Before { get; init; }

    /// <summary>What B has, in the same form.</summary>
    public required string After { get; init; }
}

/// <summary>How much a difference between two snapshots weighs.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<SnapshotChangeWeight>))]
public enum SnapshotChangeWeight
{
    /// <summary>A setting that differs in what is in force, and that the audit would have reviewed on one of the two.</summary>
    Review,

    /// <summary>Another setting that differs in what is in force, or of which it is not known whether it is.</summary>
    InForce,

    /// <summary>Windows, a driver or a component differs.</summary>
    Fact,

    /// <summary>Stored differently with the same effect: the default that one of them writes out, or a value that nothing reads.</summary>
    StoredOnly,

    /// <summary>Only one of the two has the value.</summary>
    NotRead,

    /// <summary>What differs between any two hosts or starts: names, addresses, the time of the last start.</summary>
    Identity,
}
