using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace LatencyTuner.Core.Etw;

/// <summary>Reads the header forms of events in buffers (ntwmi.h, evntrace.h, evntcons.h).</summary>
/// <remarks>
/// Compact, instance and 32-bit PERFINFO headers, performance counters and messages are implemented from the format description only; no real trace
/// with them was available.
/// </remarks>
internal static class EtlEventParser
{
    /// <summary>Number of bytes that contain the size and time of any event.</summary>
    internal const int PeekBytes = 0x18;

    /// <summary>Size of an EVENT_HEADER in bytes; the extended items follow it.</summary>
    internal const int ManifestHeader = 0x50;

    private const byte Typed = 0xC0;
    private const ushort ExtendedInfo = 1;
    private const ushort ItemTraceLogging = 11;

    /// <summary>Reads one event.</summary>
    /// <param name="rest">The bytes from the event to the end of the valid bytes of its buffer; at least 8 bytes.</param>
    /// <param name="processor">The processor of the buffer.</param>
    /// <param name="clock">The clock of the trace.</param>
    /// <param name="header">The header of the event.</param>
    /// <param name="size">Bytes to the next event, not yet rounded up to 8; not valid when the result is <see cref="EtlEventStatus.Bad"/>.</param>
    /// <param name="payload">Offset of the payload.</param>
    /// <param name="damage">What is wrong when the result is not an event.</param>
    internal static EtlEventStatus Parse(
        ReadOnlySpan<byte> rest, int processor, EtlClock clock, out EtwEventHeader header, out int size, out int payload, out EtlDamageKind damage)
    {
        byte form = FormOf(rest, out size, out payload, out damage);
        header = default;
        if (damage != EtlDamageKind.None)
        {
            return size > 0 && size <= rest.Length ? EtlEventStatus.Skipped : EtlEventStatus.Bad;
        }

        if (size < payload || size > rest.Length)
        {
            damage = EtlDamageKind.EventSize;
            return EtlEventStatus.Bad;
        }

        ReadOnlySpan<byte> e = rest[..size];
        switch (form)
        {
            case 0x01 or 0x02 or 0x03 or 0x04:
                header = Kernel(e, EtwEventKind.System, form is 0x01 or 0x03 ? 4 : 8, processor, I64(e, 0x10), clock) with
                {
                    ThreadId = I32(e, 8),
                    ProcessId = I32(e, 0xC),
                };
                return EtlEventStatus.Event;
            case 0x10 or 0x11:
                header = Kernel(e, EtwEventKind.PerfInfo, form == 0x10 ? 4 : 8, processor, I64(e, 8), clock);
                return EtlEventStatus.Event;
            case 0x0A or 0x14 or 0x0B or 0x15:
                header = Classic(e, form is 0x0A or 0x0B ? 4 : 8, processor, clock);
                return EtlEventStatus.Event;
            default:
                header = Manifest(e, form == 0x12 ? 4 : 8, processor, clock);
                if ((U16(e, 4) & ExtendedInfo) == 0)
                {
                    return EtlEventStatus.Event;
                }

                bool inlineSchema = false;
                if (SkipItems(e, ref payload, ref inlineSchema))
                {
                    header = header with { HasInlineSchema = inlineSchema };
                    return EtlEventStatus.Event;
                }

                damage = EtlDamageKind.ExtendedItems;
                return EtlEventStatus.Skipped;
        }
    }

    /// <summary>Gets the time of the first event of a buffer; false when the first bytes are not an event.</summary>
    internal static bool TryPeekTime(ReadOnlySpan<byte> bytes, out long timestamp)
    {
        timestamp = 0;
        if (bytes.Length < PeekBytes)
        {
            return false;
        }

        byte form = FormOf(bytes, out int size, out int payload, out EtlDamageKind damage);
        if (damage != EtlDamageKind.None || size < payload)
        {
            return false;
        }

        timestamp = I64(bytes, form is 0x10 or 0x11 ? 8 : 0x10);
        return true;
    }

    /// <summary>Bytes to the next event, rounded up to 8; 0 when the event can be a classic event of the class, or cannot be skipped.</summary>
    internal static int SizeUnless(ReadOnlySpan<byte> rest, Guid provider)
    {
        byte form = FormOf(rest, out int size, out int payload, out EtlDamageKind damage);
        if (damage != EtlDamageKind.None || size < payload || size > rest.Length)
        {
            return 0;
        }

        return form is 0x0A or 0x14 && MemoryMarshal.Read<Guid>(rest[0x18..]) == provider ? 0 : (size + 7) & ~7;
    }

    /// <summary>Header form, size and length of the fixed header.</summary>
    private static byte FormOf(ReadOnlySpan<byte> bytes, out int size, out int length, out EtlDamageKind damage)
    {
        (size, length, damage) = (U16(bytes, 0), 0, EtlDamageKind.None);
        (byte form, byte flags) = (bytes[2], bytes[3]);
        if ((flags & Typed) != Typed)
        {
            damage = (flags & 0xD0) == 0x90 ? EtlDamageKind.Message : EtlDamageKind.EventSize;
            size = damage == EtlDamageKind.Message && size >= 8 ? size : 0;
            return form;
        }

        switch (form)
        {
            case 0x01 or 0x02:
                (size, length) = (U16(bytes, 4), 0x20);
                break;
            case 0x03 or 0x04:
                (size, length) = (U16(bytes, 4), 0x18);
                break;
            case 0x10 or 0x11:
                // Bits 8 to 10 are the number of processor performance counters before the payload; bit 15 means one more value.
                (size, length) = (U16(bytes, 4), 0x10 + (8 * ((bytes[1] & 7) + (bytes[1] >> 7))));
                break;
            case 0x0A or 0x14:
                length = 0x30;
                break;
            case 0x0B or 0x15:
                length = 0x48;
                break;
            case 0x12 or 0x13:
                length = ManifestHeader;
                break;
            default:
                damage = EtlDamageKind.EventForm;
                size = size >= 8 ? size : 0;
                break;
        }

        return form;
    }

    private static EtwEventHeader Kernel(ReadOnlySpan<byte> e, EtwEventKind kind, int pointerSize, int processor, long timestamp, EtlClock clock) => new()
    {
        Kind = kind,
        Provider = KernelClasses.Of(e[7], e[6]),
        Task = e[7],
        Opcode = e[6],
        Version = e[0],
        ProcessId = EtwEventHeader.Unknown,
        ThreadId = EtwEventHeader.Unknown,
        Timestamp = timestamp,
        TimeNs = clock.ToNanoseconds(timestamp),
        Processor = processor,
        PointerSize = (byte)pointerSize,
    };

    private static EtwEventHeader Classic(ReadOnlySpan<byte> e, int pointerSize, int processor, EtlClock clock) => new()
    {
        Kind = EtwEventKind.Classic,
        Provider = MemoryMarshal.Read<Guid>(e[0x18..]),
        Opcode = e[4],
        Level = e[5],
        Version = (byte)Math.Min(U16(e, 6), (ushort)byte.MaxValue),
        ThreadId = I32(e, 8),
        ProcessId = I32(e, 0xC),
        Timestamp = I64(e, 0x10),
        TimeNs = clock.ToNanoseconds(I64(e, 0x10)),
        Processor = processor,
        PointerSize = (byte)pointerSize,
    };

    private static EtwEventHeader Manifest(ReadOnlySpan<byte> e, int pointerSize, int processor, EtlClock clock) => new()
    {
        Kind = EtwEventKind.Manifest,
        Provider = MemoryMarshal.Read<Guid>(e[0x18..]),
        Id = U16(e, 0x28),
        Version = e[0x2A],
        Level = e[0x2C],
        Opcode = e[0x2D],
        Task = U16(e, 0x2E),
        Keyword = BinaryPrimitives.ReadUInt64LittleEndian(e[0x30..]),
        ThreadId = I32(e, 8),
        ProcessId = I32(e, 0xC),
        Timestamp = I64(e, 0x10),
        TimeNs = clock.ToNanoseconds(I64(e, 0x10)),
        Processor = processor,
        PointerSize = (byte)pointerSize,
    };

    /// <summary>Skips the extended items; false when they do not fit.</summary>
    private static bool SkipItems(ReadOnlySpan<byte> e, ref int payload, ref bool inlineSchema)
    {
        for (bool more = true; more;)
        {
            if (e.Length - payload < 8)
            {
                return false;
            }

            ushort total = U16(e, payload);
            more = (U16(e, payload + 4) & 1) != 0;
            inlineSchema |= U16(e, payload + 2) == ItemTraceLogging;
            if (total < 8 || U16(e, payload + 6) > total - 8)
            {
                return false;
            }

            payload += (total + 7) & ~7;
        }

        return payload <= e.Length;
    }

    private static ushort U16(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt16LittleEndian(bytes[at..]);

    private static int I32(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadInt32LittleEndian(bytes[at..]);

    private static long I64(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadInt64LittleEndian(bytes[at..]);
}

/// <summary>The kind of data at a position of a buffer.</summary>
internal enum EtlEventStatus
{
    /// <summary>The bytes hold an event.</summary>
    Event,

    /// <summary>Data of a known size that is not read.</summary>
    Skipped,

    /// <summary>Data without a plausible size.</summary>
    Bad,
}
