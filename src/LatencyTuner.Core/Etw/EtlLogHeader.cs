using System.Buffers.Binary;
using System.Text;

namespace LatencyTuner.Core.Etw;

/// <summary>The log file header: what a session wrote about itself at the start of its trace (TRACE_LOGFILE_HEADER of evntrace.h).</summary>
public sealed record EtlLogHeader
{
    private const uint ModeCompressed = 0x0400_0000;
    private const uint ModeCircular = 0x0000_0002;
    private const int MaxNameBytes = 2048;

    /// <summary>Configured buffer size in bytes; buffers of the file can be smaller or larger.</summary>
    public int BufferBytes { get; init; }

    /// <summary>Build number of the Windows that wrote the trace, for example 20348.</summary>
    public int Build { get; init; }

    /// <summary>Number of logical processors of that machine.</summary>
    public int Processors { get; init; }

    /// <summary>End of the session as FILETIME; 0 while it runs. Merged traces can contain later events.</summary>
    public long EndTime { get; init; }

    /// <summary>Start of the session as FILETIME.</summary>
    public long StartTime { get; init; }

    /// <summary>Start of Windows as FILETIME.</summary>
    public long BootTime { get; init; }

    /// <summary>Logging mode bits (EVENT_TRACE_* of evntrace.h).</summary>
    public uint Mode { get; init; }

    /// <summary>Number of buffers that the session wrote; 0 while it runs.</summary>
    public int BuffersWritten { get; init; }

    /// <summary>Number of events that the session lost.</summary>
    public long EventsLost { get; init; }

    /// <summary>Number of buffers that the session lost.</summary>
    public long BuffersLost { get; init; }

    /// <summary>Pointer size in bytes of the Windows that wrote the trace; single events can differ.</summary>
    public int PointerSize { get; init; }

    /// <summary>Nominal processor frequency in MHz.</summary>
    public int ProcessorMhz { get; init; }

    /// <summary>Kind of clock: 1 performance counter, 2 system time, 3 cycle counter.</summary>
    public uint ClockType { get; init; }

    /// <summary>Frequency of the performance counter in ticks per second.</summary>
    public long ClockFrequency { get; init; }

    /// <summary>Local time is UTC minus this many minutes.</summary>
    public int UtcBiasMinutes { get; init; }

    /// <summary>Name of the session; "Relogger" after a merge.</summary>
    public string LoggerName { get; init; } = "";

    /// <summary>True when the session overwrote its oldest buffers.</summary>
    public bool IsCircular => (Mode & ModeCircular) != 0;

    /// <summary>True when the file may hold compressed buffers.</summary>
    public bool IsCompressed => (Mode & ModeCompressed) != 0;

    /// <summary>Reads the structure.</summary>
    /// <param name="payload">Payload of the first event.</param>
    /// <param name="pointerSize">Pointer size of that event, which decides the layout.</param>
    /// <returns>Null when it is cut off.</returns>
    internal static EtlLogHeader? Parse(ReadOnlySpan<byte> payload, int pointerSize)
    {
        // In the 64-bit form, two larger pointers and the alignment after them move the second half by 8 bytes.
        int shift = pointerSize == 8 ? 8 : 0;
        if (payload.Length < 0x110 + shift)
        {
            return null;
        }

        return new EtlLogHeader
        {
            BufferBytes = (int)Math.Min(U32(payload, 0), int.MaxValue),
            Build = (int)Math.Min(U32(payload, 8), int.MaxValue),
            Processors = (int)Math.Min(U32(payload, 0xC), int.MaxValue),
            EndTime = I64(payload, 0x10),
            Mode = U32(payload, 0x20),
            BuffersWritten = (int)Math.Min(U32(payload, 0x24), int.MaxValue),
            PointerSize = U32(payload, 0x2C) == 4 ? 4 : 8,
            EventsLost = U32(payload, 0x30),
            ProcessorMhz = (int)Math.Min(U32(payload, 0x34), 1_000_000),
            UtcBiasMinutes = (int)U32(payload, 0x40 + shift),
            BootTime = I64(payload, 0xF0 + shift),
            ClockFrequency = I64(payload, 0xF8 + shift),
            StartTime = I64(payload, 0x100 + shift),
            ClockType = U32(payload, 0x108 + shift),
            BuffersLost = U32(payload, 0x10C + shift),
            LoggerName = Name(payload[(0x110 + shift)..]),
        };
    }

    private static string Name(ReadOnlySpan<byte> text)
    {
        text = text[..Math.Min(text.Length & ~1, MaxNameBytes)];
        for (int i = 0; i + 1 < text.Length; i += 2)
        {
            if (text[i] == 0 && text[i + 1] == 0)
            {
                return Encoding.Unicode.GetString(text[..i]);
            }
        }

        return "";
    }

    private static uint U32(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[at..]);

    private static long I64(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadInt64LittleEndian(bytes[at..]);
}
