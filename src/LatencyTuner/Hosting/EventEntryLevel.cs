namespace LatencyTuner.Hosting;

/// <summary>How bad an entry of the Event Log is.</summary>
internal enum EventEntryLevel
{
    /// <summary>Nothing to do.</summary>
    Information,

    /// <summary>Worth a look.</summary>
    Warning,

    /// <summary>It failed.</summary>
    Error,
}
