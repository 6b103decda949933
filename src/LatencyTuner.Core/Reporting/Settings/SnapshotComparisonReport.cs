using System.Text.Json.Serialization;
using LatencyTuner.Core.Reporting.Model;

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

    /// <summary>Every difference: the host first, then interfaces, then settings.</summary>
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

    /// <summary>Where the value is stored, or the name of the fact.</summary>
    public required string Path { get; init; }

    /// <summary>What A has: a value with its type, <c>absent</c>, or <c>not known</c>.</summary>
    public required string Before { get; init; }

    /// <summary>What B has, in the same form.</summary>
    public required string After { get; init; }
}
