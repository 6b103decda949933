namespace LatencyTuner.Core.Etw.Sessions;

/// <summary>What a session lost, by the counters of EVENT_TRACE_PROPERTIES.</summary>
/// <param name="Events">Events that found no free buffer.</param>
/// <param name="Buffers">Whole buffers that could not be delivered or written.</param>
/// <param name="BuffersWritten">Buffers that could.</param>
public readonly record struct SessionLosses(long Events, long Buffers, long BuffersWritten)
{
    /// <summary>True when anything was lost.</summary>
    public bool Any => Events > 0 || Buffers > 0;
}
