namespace LatencyTuner.Core.Tuning;

/// <summary>What is to be rolled back.</summary>
public abstract record RollbackSelection
{
    private RollbackSelection()
    {
    }

    /// <summary>A batch.</summary>
    /// <param name="Id">Its id.</param>
    public sealed record Batch(string Id) : RollbackSelection;

    /// <summary>A setting, in whichever batches.</summary>
    /// <param name="Id">Its id.</param>
    /// <param name="Interface">Only for this interface, as the journal names it; null for all.</param>
    public sealed record Setting(string Id, string? Interface = null) : RollbackSelection;

    /// <summary>Everything.</summary>
    public sealed record All : RollbackSelection;

    /// <summary>What was interrupted, half-applied or half put back.</summary>
    public sealed record Interrupted : RollbackSelection;
}
