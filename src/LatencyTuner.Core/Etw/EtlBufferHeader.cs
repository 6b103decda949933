using System.Buffers.Binary;

namespace LatencyTuner.Core.Etw;

/// <summary>The values that a reader needs from the 72-byte header of a buffer (WMI_BUFFER_HEADER).</summary>
internal readonly record struct EtlBufferHeader(int Size, int Valid, int Processor, ushort Logger, ushort Flags, long Sequence, ushort Compression)
{
    internal const int Length = 0x48;

    /// <summary>The largest buffer that is read, in bytes: the largest that Windows writes. It limits the memory that a hostile file can require.</summary>
    internal const int MaxBytes = 16 * 1024 * 1024;

    internal const ushort FlagEventsLost = 0x02;
    internal const ushort FlagBufferLost = 0x04;
    private const ushort FlagProcessorIndex = 0x20;
    private const ushort FlagCompressed = 0x40;
    private const int LargestType = 7;
    private const int LargestFlags = 0x1FF;

    /// <summary>True when the events of the buffer are compressed.</summary>
    internal bool IsCompressed => (Flags & FlagCompressed) != 0;

    /// <summary>True when the session reports a loss before this buffer.</summary>
    internal bool IsAfterLoss => (Flags & (FlagEventsLost | FlagBufferLost)) != 0;

    /// <summary>Reads a buffer header if it is plausible.</summary>
    /// <param name="bytes">At least 72 bytes.</param>
    /// <param name="header">The header.</param>
    /// <returns>False when a size, type or flag is impossible.</returns>
    internal static bool TryRead(ReadOnlySpan<byte> bytes, out EtlBufferHeader header)
    {
        header = default;
        if (bytes.Length < Length)
        {
            return false;
        }

        uint size = U32(bytes, 0);
        uint saved = U32(bytes, 4);

        // Vista and Windows 7 leave the saved offset of the first buffer at zero; then the current offset is used.
        uint valid = saved != 0 ? saved : U32(bytes, 0x30);
        ushort flags = U16(bytes, 0x34);
        if (size is < Length or > MaxBytes || valid is < Length or > MaxBytes || U16(bytes, 0x36) > LargestType || flags > LargestFlags)
        {
            return false;
        }

        ushort processor = U16(bytes, 0x28);
        header = new EtlBufferHeader(
            (int)size, (int)valid, (flags & FlagProcessorIndex) != 0 ? processor : processor & 0xFF, U16(bytes, 0x2A), flags,
            BinaryPrimitives.ReadInt64LittleEndian(bytes[0x18..]), U16(bytes, 0x2C));
        return header.IsCompressed || valid <= size;
    }

    private static uint U32(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[at..]);

    private static ushort U16(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt16LittleEndian(bytes[at..]);
}
