namespace LatencyTuner.Core.Etw;

/// <summary>How an event was written, which decides what its header says.</summary>
public enum EtwEventKind
{
    /// <summary>By a manifest or TraceLogging provider: <see cref="EtwEventHeader.Id"/> names the event.</summary>
    Manifest,

    /// <summary>By a classic (MOF) provider: <see cref="EtwEventHeader.Opcode"/> names the event.</summary>
    Classic,

    /// <summary>By the kernel, with process and thread: <see cref="EtwEventHeader.Opcode"/> names the event.</summary>
    System,

    /// <summary>By the kernel, without process and thread.</summary>
    PerfInfo,
}
