namespace LatencyTuner.Hosting;

/// <summary>The level of an entry in the Event Log.</summary>
internal enum EventEntryLevel
{
    /// <summary>Information: nothing needs to be done.</summary>
    Information,

    /// <summary>Warning: somebody should look at it.</summary>
    Warning,

    /// <summary>Error: a change failed.</summary>
    Error,
}
