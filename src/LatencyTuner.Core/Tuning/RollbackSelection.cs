namespace LatencyTuner.Core.Tuning;

/// <summary>The changes to roll back.</summary>
public abstract record RollbackSelection
{
    private RollbackSelection()
    {
    }

    /// <summary>The changes of one batch.</summary>
    /// <param name="Id">The id of the batch.</param>
    public sealed record Batch(string Id) : RollbackSelection;

    /// <summary>The changes of one setting, in all batches.</summary>
    /// <param name="Id">The id of the setting.</param>
    /// <param name="Interface">Only for this interface, as the journal names it; null for all.</param>
    public sealed record Setting(string Id, string? Interface = null) : RollbackSelection;

    /// <summary>Every change in force.</summary>
    public sealed record All : RollbackSelection;

    /// <summary>The changes of interrupted batches, half-applied or half put back.</summary>
    public sealed record Interrupted : RollbackSelection;
}
