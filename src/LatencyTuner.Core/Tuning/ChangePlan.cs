namespace LatencyTuner.Core.Tuning;

/// <summary>Changes in the order in which they are written; all of them or none.</summary>
public sealed record ChangePlan
{
    /// <summary>Id of the batch: letters, digits, hyphens; at most 64 characters.</summary>
    public required string Batch { get; init; }

    /// <summary>The machine it was made on and for.</summary>
    public required MachineIdentity Machine { get; init; }

    /// <summary>When the plan was made.</summary>
    public required DateTimeOffset CreatedUtc { get; init; }

    /// <summary>The user who made the plan.</summary>
    public required string Operator { get; init; }

    /// <summary>The change ticket; null for none.</summary>
    public string? Ticket { get; init; }

    /// <summary>When the plan expires: it is not applied after this time; null for no limit.</summary>
    public DateTimeOffset? NotAfterUtc { get; init; }

    /// <summary>The changes, at least one.</summary>
    public required IReadOnlyList<Change> Changes { get; init; }
}
