namespace LatencyTuner.Core.Etw.Sessions;

/// <summary>What a session lost, from the counters of EVENT_TRACE_PROPERTIES.</summary>
/// <param name="Events">Number of events for which no buffer was free.</param>
/// <param name="Buffers">Number of whole buffers that could not be delivered or written.</param>
/// <param name="BuffersWritten">Number of buffers that were written.</param>
public readonly record struct SessionLosses(long Events, long Buffers, long BuffersWritten)
{
    /// <summary>True when anything was lost.</summary>
    public bool Any => Events > 0 || Buffers > 0;
}
