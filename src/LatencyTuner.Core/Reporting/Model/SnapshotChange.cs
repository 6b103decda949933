namespace LatencyTuner.Core.Reporting.Model;

/// <summary>One difference between two snapshots.</summary>
public sealed record SnapshotChange
{
    /// <summary><c>host</c>, <c>interface</c>, <c>setting</c> or <c>component</c>.</summary>
    public required string What { get; init; }

    /// <summary>Id of the setting; null for what is none.</summary>
    public string? Id { get; init; }

    /// <summary>Where it is stored, or the name of the fact.</summary>
    public required string Path { get; init; }

    /// <summary>What A has: a value with its type, <c>absent</c>, or <c>not known</c>.</summary>
    public required string Before { get; init; }

    /// <summary>What B has.</summary>
    public required string After { get; init; }
}
