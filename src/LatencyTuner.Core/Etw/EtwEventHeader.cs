namespace LatencyTuner.Core.Etw;

/// <summary>What every event has, whichever header form it was written with.</summary>
public readonly record struct EtwEventHeader
{
    /// <summary>A process or thread id that the event does not carry.</summary>
    public const int Unknown = -1;

    /// <summary>Provider of a manifest event; class of a classic or kernel event. A kernel group without a known class gives the empty GUID.</summary>
    public Guid Provider { get; init; }

    /// <summary>Nanoseconds since the first event of the trace, rounded down; negative before it.</summary>
    public long TimeNs { get; init; }

    /// <summary>The clock's own value, in units of the trace's clock.</summary>
    public long Timestamp { get; init; }

    /// <summary>Keywords of a manifest event; 0 for others.</summary>
    public ulong Keyword { get; init; }

    /// <summary>
    /// The process that was running, which for events of the network stack may be any; <see cref="Unknown"/> when the event carries none.
    /// </summary>
    public int ProcessId { get; init; }

    /// <summary>The thread that was running; <see cref="Unknown"/> when the event carries none.</summary>
    public int ThreadId { get; init; }

    /// <summary>The processor whose buffer held the event, from 0.</summary>
    public int Processor { get; init; }

    /// <summary>Id of a manifest event; 0 for others, and for TraceLogging.</summary>
    public ushort Id { get; init; }

    /// <summary>Task of a manifest event; the kernel's group (0 to 255) for kernel events.</summary>
    public ushort Task { get; init; }

    /// <summary>Version of the event's payload. Kernel and classic events have one as well.</summary>
    public byte Version { get; init; }

    /// <summary>Opcode; for classic and kernel events the event type.</summary>
    public byte Opcode { get; init; }

    /// <summary>Level, 0 to 5.</summary>
    public byte Level { get; init; }

    /// <summary>Bytes of a pointer in this event's payload: 4 or 8. One trace may hold both.</summary>
    public byte PointerSize { get; init; }

    /// <summary>How the event was written.</summary>
    public EtwEventKind Kind { get; init; }

    /// <summary>True when the event brings its own description (TraceLogging).</summary>
    public bool HasInlineSchema { get; init; }

    /// <summary>
    /// Which description the event brings, by the order of their first use in the trace, from 1; 0 for none. <see cref="EtlReader.InlineNames"/> has its names.
    /// </summary>
    public int InlineSchema { get; init; }

    /// <summary>The number that names the event within its provider: the id, or the opcode of classic and kernel events.</summary>
    public int EventNumber => Kind == EtwEventKind.Manifest ? Id : Opcode;
}

/// <summary>Receives one event of a file or of a live session. Header and payload are valid during the call only.</summary>
/// <param name="header">What every event has.</param>
/// <param name="payload">The event's own data, without extended items.</param>
public delegate void EtwEventCallback(in EtwEventHeader header, ReadOnlySpan<byte> payload);

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
