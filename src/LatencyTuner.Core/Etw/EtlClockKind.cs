namespace LatencyTuner.Core.Etw;

/// <summary>The clock of a trace.</summary>
public enum EtlClockKind
{
    /// <summary>Performance counter; its frequency is in the log file header.</summary>
    PerformanceCounter = 1,

    /// <summary>System time in units of 100 ns, with the resolution of the system timer (up to 15.6 ms).</summary>
    SystemTime = 2,

    /// <summary>Cycle counter of the processor, at its nominal frequency.</summary>
    CycleCounter = 3,
}
