namespace LatencyTuner.Core.Tuning;

/// <summary>The <c>plan</c> document: what <c>apply --plan</c> reads.</summary>
public sealed record PlanDocument
{
    /// <summary><c>latencytuner/plan/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/plan/1";

    /// <summary>Id of the batch.</summary>
    public required string Batch { get; init; }

    /// <summary>What tells the machine apart.</summary>
    public required string MachineId { get; init; }

    /// <summary>The name of the machine.</summary>
    public required string MachineName { get; init; }

    /// <summary>When it was made.</summary>
    public required DateTimeOffset CreatedUtc { get; init; }

    /// <summary>Who made it.</summary>
    public required string Operator { get; init; }

    /// <summary>The change ticket; null for none.</summary>
    public string? Ticket { get; init; }

    /// <summary>After this moment it is not applied any more; null for no limit.</summary>
    public DateTimeOffset? NotAfterUtc { get; init; }

    /// <summary>The changes in the order in which they are written.</summary>
    public required IReadOnlyList<PlannedChange> Changes { get; init; }

    /// <summary>SHA-256 of the document with this field empty, in hexadecimal: tells a plan that was edited.</summary>
    public required string Checksum { get; init; }
}
