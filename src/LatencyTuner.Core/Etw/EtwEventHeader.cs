namespace LatencyTuner.Core.Etw;

/// <summary>The header values that every event has, in all header forms.</summary>
public readonly record struct EtwEventHeader
{
    /// <summary>The value for a process or thread id that the event does not contain.</summary>
    public const int Unknown = -1;

    /// <summary>Provider of a manifest event; class of a classic or kernel event. A kernel group without a known class gives the empty GUID.</summary>
    public Guid Provider { get; init; }

    /// <summary>Time in nanoseconds since the first event of the trace, rounded down; negative before it.</summary>
    public long TimeNs { get; init; }

    /// <summary>Time in units of the clock of the trace, see <see cref="EtlClock.Frequency"/>.</summary>
    public long Timestamp { get; init; }

    /// <summary>Keywords of a manifest event; 0 for others.</summary>
    public ulong Keyword { get; init; }

    /// <summary>
    /// The process that was running, which for events of the network stack can be any process; <see cref="Unknown"/> when the event contains none.
    /// </summary>
    public int ProcessId { get; init; }

    /// <summary>The thread that was running; <see cref="Unknown"/> when the event contains none.</summary>
    public int ThreadId { get; init; }

    /// <summary>The processor whose buffer held the event, from 0.</summary>
    public int Processor { get; init; }

    /// <summary>Id of a manifest event; 0 for others, and for TraceLogging.</summary>
    public ushort Id { get; init; }

    /// <summary>Task of a manifest event; the kernel's group (0 to 255) for kernel events.</summary>
    public ushort Task { get; init; }

    /// <summary>Version of the payload; manifest, kernel and classic events have one.</summary>
    public byte Version { get; init; }

    /// <summary>Opcode; for classic and kernel events the event type.</summary>
    public byte Opcode { get; init; }

    /// <summary>Level of the event, 0 to 5.</summary>
    public byte Level { get; init; }

    /// <summary>Pointer size in this event's payload in bytes: 4 or 8. One trace can contain both.</summary>
    public byte PointerSize { get; init; }

    /// <summary>How the event was written.</summary>
    public EtwEventKind Kind { get; init; }

    /// <summary>True when the event contains its own description (TraceLogging).</summary>
    public bool HasInlineSchema { get; init; }

    /// <summary>
    /// Number of the description that the event contains, from 1 in order of first use; 0 for none. <see cref="EtlReader.InlineNames"/> gives its names.
    /// </summary>
    public int InlineSchema { get; init; }

    /// <summary>The number that identifies the event within its provider: the id, or the opcode of classic and kernel events.</summary>
    public int EventNumber => Kind == EtwEventKind.Manifest ? Id : Opcode;
}

/// <summary>Receives one event of a file or of a live session. Header and payload are valid only during the call.</summary>
/// <param name="header">The header of the event.</param>
/// <param name="payload">The event's own data, without extended items.</param>
public delegate void EtwEventCallback(in EtwEventHeader header, ReadOnlySpan<byte> payload);

/// <summary>The kind of provider that wrote an event, which decides what its header contains.</summary>
public enum EtwEventKind
{
    /// <summary>Written by a manifest or TraceLogging provider: <see cref="EtwEventHeader.Id"/> identifies the event.</summary>
    Manifest,

    /// <summary>Written by a classic (MOF) provider: <see cref="EtwEventHeader.Opcode"/> identifies the event.</summary>
    Classic,

    /// <summary>Written by the kernel, with process and thread id: <see cref="EtwEventHeader.Opcode"/> identifies the event.</summary>
    System,

    /// <summary>Written by the kernel, without process and thread id.</summary>
    PerfInfo,
}
