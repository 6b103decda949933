using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Tuning;

/// <summary>The <c>plan</c> document: what <c>apply --plan</c> reads.</summary>
internal sealed record PlanDocument : Document
{
    /// <summary><c>latencytuner/plan/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/plan/1";

    /// <summary>Id of the batch.</summary>
    public required string Batch { get; init; }

    /// <summary>Id of the machine, for example its MachineGuid.</summary>
    public required string MachineId { get; init; }

    /// <summary>The name of the machine.</summary>
    public required string MachineName { get; init; }

    /// <summary>When the plan was made.</summary>
    public required DateTimeOffset CreatedUtc { get; init; }

    /// <summary>The user who made the plan, as DOMAIN\user.</summary>
    public required string Operator { get; init; }

    /// <summary>The change ticket; null for none.</summary>
    public string? Ticket { get; init; }

    /// <summary>When the plan expires: it is not applied after this time; null for no limit.</summary>
    public DateTimeOffset? NotAfterUtc { get; init; }

    /// <summary>The changes in the order in which they are written.</summary>
    public required IReadOnlyList<PlannedChange> Changes { get; init; }

    /// <summary>SHA-256 of the document with this field empty, in hexadecimal. It shows whether the plan was edited.</summary>
    public required string Checksum { get; init; }
}

/// <summary>The machine a plan or journal belongs to.</summary>
/// <param name="Id">Id of the machine, for example the MachineGuid of Windows; compared without regard to case.</param>
/// <param name="Name">Name of the machine, for messages.</param>
public sealed record MachineIdentity(string Id, string Name)
{
    /// <summary>True when both are the same machine; a renamed machine stays the same.</summary>
    /// <param name="other">The other machine.</param>
    public bool IsSame(MachineIdentity other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return string.Equals(Id, other.Id, StringComparison.OrdinalIgnoreCase);
    }
}
