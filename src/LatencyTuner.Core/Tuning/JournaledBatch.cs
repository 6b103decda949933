namespace LatencyTuner.Core.Tuning;

/// <summary>A batch as the journal knows it.</summary>
public sealed class JournaledBatch
{
    internal JournaledBatch(JournalRecord begin) =>
        (Id, BegunUtc, Machine, Operator, Ticket) = (begin.Batch!, begin.TimeUtc, begin.Machine!, begin.Operator!, begin.Ticket);

    /// <summary>Its id.</summary>
    public string Id { get; }

    /// <summary>When it was begun.</summary>
    public DateTimeOffset BegunUtc { get; }

    /// <summary>The machine it was applied to.</summary>
    public MachineIdentity Machine { get; }

    /// <summary>Who applied it.</summary>
    public string Operator { get; }

    /// <summary>The change ticket; null for none.</summary>
    public string? Ticket { get; }

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
