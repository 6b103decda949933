using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Tuning;

/// <summary>The <c>plan</c> document: what <c>apply --plan</c> reads.</summary>
internal sealed record PlanDocument : Document
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

/// <summary>The machine a plan or journal belongs to.</summary>
/// <param name="Id">What tells machines apart, for example the MachineGuid of Windows; compared without regard to case.</param>
/// <param name="Name">Its name, for sentences.</param>
public sealed record MachineIdentity(string Id, string Name)
{
    /// <summary>True when both are the same machine; a new name alone makes no other machine.</summary>
    /// <param name="other">The other.</param>
    public bool IsSame(MachineIdentity other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return string.Equals(Id, other.Id, StringComparison.OrdinalIgnoreCase);
    }
}
