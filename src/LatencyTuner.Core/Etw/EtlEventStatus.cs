namespace LatencyTuner.Core.Etw;

/// <summary>What stands at a position of a buffer.</summary>
internal enum EtlEventStatus
{
    /// <summary>An event.</summary>
    Event,

    /// <summary>Something of a known size that is not read.</summary>
    Skipped,

    /// <summary>Nothing whose size can be trusted.</summary>
    Bad,
}
