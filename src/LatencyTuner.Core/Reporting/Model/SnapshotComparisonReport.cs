namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The <c>snapshot-comparison</c> document: what differs between two snapshots.</summary>
public sealed record SnapshotComparisonReport
{
    /// <summary><c>latencytuner/snapshot-comparison/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/snapshot-comparison/1";

    /// <summary>Path of the first snapshot.</summary>
    public required string A { get; init; }

    /// <summary>Path of the second snapshot.</summary>
    public required string B { get; init; }

    /// <summary>The result in a sentence.</summary>
    public required string Text { get; init; }

    /// <summary>Every difference: the host first, then interfaces, then settings.</summary>
    public IReadOnlyList<SnapshotChange> Changes { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
