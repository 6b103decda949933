namespace LatencyTuner.Core.Tuning;

/// <summary>A batch as the journal knows it.</summary>
public sealed class JournaledBatch
{
    internal JournaledBatch(JournalRecord begin) =>
        (Id, BegunUtc, Machine, Operator, Ticket, BootId) = (begin.Batch!, begin.TimeUtc, begin.Machine!, begin.Operator!, begin.Ticket, begin.BootId);

    /// <summary>The id of the batch.</summary>
    public string Id { get; }

    /// <summary>When applying the batch was begun.</summary>
    public DateTimeOffset BegunUtc { get; }

    /// <summary>The machine it was applied to.</summary>
    public MachineIdentity Machine { get; }

    /// <summary>The user who applied the batch.</summary>
    public string Operator { get; }

    /// <summary>The change ticket; null for none.</summary>
    public string? Ticket { get; }

    /// <summary>The number of the start of Windows in which it was applied; null when unknown.</summary>
    public uint? BootId { get; }

    /// <summary>True when the journal says that all of it was written.</summary>
    public bool IsApplied { get; internal set; }

    /// <summary>Why it was put back, a sentence; null when it was not.</summary>
    public string? UndoneBecause { get; internal set; }

    /// <summary>Its changes in the order of writing.</summary>
    public IReadOnlyList<JournaledChange> Changes { get; internal set; } = [];

    /// <summary>True when the process ended in the middle of applying it or of putting it back.</summary>
    public bool IsInterrupted => Changes.Any(c => c.IsActive && (!IsApplied || c.IsUndoing));

    /// <summary>True when any of its changes may be in force.</summary>
    public bool IsActive => Changes.Any(c => c.IsActive);
}

/// <summary>A change as the journal knows it.</summary>
public sealed class JournaledChange
{
    internal JournaledChange(JournaledBatch batch, int index, Change change) => (Batch, Index, Planned) = (batch, index, change);

    /// <summary>The batch that the change belongs to.</summary>
    public JournaledBatch Batch { get; }

    /// <summary>Its place in the batch, from 0.</summary>
    public int Index { get; }

    /// <summary>When it was written and read back; null when the journal does not know that it was.</summary>
    public DateTimeOffset? DoneUtc { get; internal set; }

    /// <summary>When it was put back; null when it was not.</summary>
    public DateTimeOffset? UndoneUtc { get; internal set; }

    /// <summary>True when putting it back was begun and its end is not recorded.</summary>
    public bool IsUndoing { get; internal set; }

    /// <summary>True when it may be in force: begun and not put back.</summary>
    public bool IsActive => UndoneUtc is null;

    /// <summary>The change with its status.</summary>
    public Change Change => Planned with
    {
        Status = !IsActive ? ChangeStatus.RolledBack : DoneUtc is not null ? ChangeStatus.Done : ChangeStatus.Planned,
        CreatedContainers = Created,
    };

    internal Change Planned { get; }

    internal IReadOnlyList<string> Created { get; set; } = [];

    internal JournalItem Item => new(Batch.Id, Index);
}
