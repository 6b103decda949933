using System.Buffers.Binary;
using System.Text;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Inputs;

/// <summary>
/// The central directory of a zip file. Read here and not by .NET, whose archive class keeps every entry in memory, however many there are.
/// </summary>
internal static class ZipDirectory
{
    /// <summary>The most files in one zip that are read.</summary>
    public const int MostEntries = 4096;

    private const int EndRecord = 22;
    private const int LargestComment = ushort.MaxValue;
    private const int EntryHeader = 46;
    private const int LocalHeader = 30;
    private const int Zip64Locator = 20;
    private const int Zip64EndRecord = 56;

    /// <summary>True when four bytes begin a zip file.</summary>
    public static bool IsMagic(ReadOnlySpan<byte> bytes) =>
        bytes.Length >= 4 && bytes[0] == 'P' && bytes[1] == 'K' && ((bytes[2] == 3 && bytes[3] == 4) || (bytes[2] == 5 && bytes[3] == 6));

    /// <summary>Reads the entries.</summary>
    /// <param name="file">The zip; must be seekable.</param>
    /// <exception cref="InvalidDataException">It has no directory, or one that is not valid or is too large.</exception>
    public static List<ZipEntry> Read(Stream file)
    {
        long at = DirectoryOffset(file);
        List<ZipEntry> entries = [];
        byte[] header = new byte[EntryHeader];
        byte[] texts = [];
        while (TryReadAt(file, at, header) && BinaryPrimitives.ReadUInt32LittleEndian(header) == 0x0201_4B50)
        {
            if (entries.Count == MostEntries)
            {
                throw new InvalidDataException($"it holds more than {MostEntries} files");
            }

            int name = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(28));
            int extra = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(30));
            texts = texts.Length < name + extra ? new byte[2 * (name + extra)] : texts;
            if (!TryReadAt(file, at + EntryHeader, texts.AsSpan(0, name + extra)))
            {
                throw new InvalidDataException($"its directory is cut off at byte {at}");
            }

            entries.Add(Entry(header, texts.AsSpan(0, name), texts.AsSpan(name, extra)));
            at += EntryHeader + name + extra + BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(32));
        }

        return entries;
    }

    /// <summary>The offset at which the bytes of a file begin.</summary>
    /// <exception cref="InvalidDataException">There is no such file at its offset.</exception>
    public static long DataOffset(Stream file, ZipEntry entry)
    {
        Span<byte> header = stackalloc byte[LocalHeader];
        return TryReadAt(file, entry.Offset, header) && BinaryPrimitives.ReadUInt32LittleEndian(header) == 0x0403_4B50
            ? entry.Offset + LocalHeader + BinaryPrimitives.ReadUInt16LittleEndian(header[26..]) + BinaryPrimitives.ReadUInt16LittleEndian(header[28..])
            : throw new InvalidDataException($"{Quoting.Quote(entry.Name)} is not at byte {entry.Offset}, where its directory says it is");
    }

    private static ZipEntry Entry(ReadOnlySpan<byte> header, ReadOnlySpan<byte> name, ReadOnlySpan<byte> extra)
    {
        long compressed = BinaryPrimitives.ReadUInt32LittleEndian(header[20..]);
        long length = BinaryPrimitives.ReadUInt32LittleEndian(header[24..]);
        long offset = BinaryPrimitives.ReadUInt32LittleEndian(header[42..]);
        ReadOnlySpan<byte> wide = Zip64Extra(extra);
        length = Wide(length, ref wide);
        compressed = Wide(compressed, ref wide);
        offset = Wide(offset, ref wide);
        return new ZipEntry(
            Encoding.UTF8.GetString(name),
            BinaryPrimitives.ReadUInt16LittleEndian(header[10..]),
            (header[8] & 1) != 0,
            BinaryPrimitives.ReadUInt32LittleEndian(header[16..]),
            compressed,
            length,
            offset);
    }

    private static long Wide(long value, ref ReadOnlySpan<byte> wide)
    {
        if (value != uint.MaxValue || wide.Length < 8)
        {
            return value;
        }

        value = (long)Math.Min(BinaryPrimitives.ReadUInt64LittleEndian(wide), long.MaxValue);
        wide = wide[8..];
        return value;
    }

    private static ReadOnlySpan<byte> Zip64Extra(ReadOnlySpan<byte> extra)
    {
        while (extra.Length >= 4)
        {
            int size = Math.Min(BinaryPrimitives.ReadUInt16LittleEndian(extra[2..]), extra.Length - 4);
            if (BinaryPrimitives.ReadUInt16LittleEndian(extra) == 1)
            {
                return extra.Slice(4, size);
            }

            extra = extra[(4 + size)..];
        }

        return default;
    }

    private static long DirectoryOffset(Stream file)
    {
        byte[] tail = new byte[Math.Min(file.Length, EndRecord + LargestComment)];
        TryReadAt(file, file.Length - tail.Length, tail);
        int at = tail.AsSpan().LastIndexOf("PK\u0005\u0006"u8);
        if (at < 0 || tail.Length - at < EndRecord)
        {
            throw new InvalidDataException("it has no directory at its end: the file is cut off");
        }

        long offset = BinaryPrimitives.ReadUInt32LittleEndian(tail.AsSpan(at + 16));
        Span<byte> locator = stackalloc byte[Zip64Locator];
        Span<byte> end = stackalloc byte[Zip64EndRecord];
        return offset == uint.MaxValue
            && TryReadAt(file, file.Length - tail.Length + at - Zip64Locator, locator) && BinaryPrimitives.ReadUInt32LittleEndian(locator) == 0x0706_4B50
            && TryReadAt(file, (long)Math.Min(BinaryPrimitives.ReadUInt64LittleEndian(locator[8..]), long.MaxValue), end)
            && BinaryPrimitives.ReadUInt32LittleEndian(end) == 0x0606_4B50
                ? (long)Math.Min(BinaryPrimitives.ReadUInt64LittleEndian(end[48..]), long.MaxValue)
                : offset;
    }

    private static bool TryReadAt(Stream file, long at, Span<byte> bytes)
    {
        if (at < 0 || at > file.Length - bytes.Length)
        {
            return false;
        }

        file.Position = at;
        return file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false) == bytes.Length;
    }
}
