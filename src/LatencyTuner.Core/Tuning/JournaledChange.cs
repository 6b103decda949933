namespace LatencyTuner.Core.Tuning;

/// <summary>A change as the journal knows it.</summary>
public sealed class JournaledChange
{
    internal JournaledChange(JournaledBatch batch, int index, Change change) => (Batch, Index, Planned) = (batch, index, change);

    /// <summary>Its batch.</summary>
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
