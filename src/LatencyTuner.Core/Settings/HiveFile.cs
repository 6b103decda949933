using System.Buffers.Binary;
using System.Text;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Settings;

/// <summary>
/// One registry hive file (<c>regf</c>), read in place: base block, bins from byte 4,096 on, cells at offsets counted from there. Every
/// offset and length is checked against the file; none of it is trusted.
/// </summary>
/// <remarks>
/// The layout is the one of Windows NT 4 to 11 (versions 1.3 to 1.6); a subkey list is lf, lh, li, or ri of those; data above 16,344 bytes
/// is db from version 1.4 on.
/// </remarks>
internal sealed class HiveFile
{
    private const int BaseBlock = 4096;
    private const int SegmentBytes = 16_344;

    /// <summary>The most entries of one list of subkeys; Windows splits a list long before.</summary>
    private const int MaxSubKeys = 100_000;

    private readonly byte[] _bytes;
    private readonly string _path;
    private readonly uint _minor;

    internal HiveFile(byte[] bytes, string path)
    {
        (_bytes, _path) = (bytes, path);
        if (!IsHive(bytes) || bytes.Length < BaseBlock + 32)
        {
            throw Fail(0, $"a registry hive begins with \"regf\" and has at least {BaseBlock + 32} bytes; this one has {bytes.Length} bytes");
        }

        uint major = U32(20);
        _minor = U32(24);
        if (major != 1 || _minor is < 3 or > 6)
        {
            throw Fail(20, $"version {major}.{_minor} of the hive format is unknown; known are 1.3 to 1.6");
        }

        IsDirty = U32(4) != U32(8);
        Root = (int)Math.Min(U32(36), int.MaxValue);
        _ = Key(Root);
    }

    /// <summary>True when the hive's log files hold changes that the hive does not have.</summary>
    internal bool IsDirty { get; }

    /// <summary>The cell of the root key.</summary>
    internal int Root { get; }

    internal static bool IsHive(ReadOnlySpan<byte> bytes) => bytes.StartsWith("regf"u8);

    /// <summary>The cell of a key directly below; null when there is none.</summary>
    internal int? FindSubKey(int key, ReadOnlySpan<char> name)
    {
        foreach (int cell in SubKeyCells(key))
        {
            if (name.Equals(NameOf(cell), StringComparison.OrdinalIgnoreCase))
            {
                return cell;
            }
        }

        return null;
    }

    internal IReadOnlyList<string> SubKeys(int key) => SubKeyCells(key).ConvertAll(NameOf);

    /// <summary>A value of a key; absent when the key has no value of that name.</summary>
    internal SettingValue Value(int key, string name)
    {
        int at = Key(key);
        uint count = U32(at + 36);
        if (count == 0)
        {
            return SettingValue.Absent;
        }

        int list = Cell(U32(at + 40), "a list of values", out int length);
        if (count > (uint)length / 4)
        {
            throw Fail(at + 36, $"{count} values do not fit into their list of {length} bytes");
        }

        for (int i = 0; i < count; i++)
        {
            int value = Cell(U32(list + (4 * i)), "a value", out int size);
            if (size < 20 || !Has(value, "vk"u8))
            {
                throw Fail(value, "expected a value (\"vk\")");
            }

            if (name.Equals(Name(value + 20, U16(value + 2), size - 20, (U16(value + 16) & 1) != 0), StringComparison.OrdinalIgnoreCase))
            {
                return RegistryValueDecoder.Decode((int)U32(value + 12), Data(value));
            }
        }

        return SettingValue.Absent;
    }

    private byte[] Data(int value)
    {
        uint size = U32(value + 4);

        // The high bit says that up to four bytes of data are stored in the field of the offset.
        if ((size & 0x8000_0000) != 0)
        {
            uint few = size & 0x7FFF_FFFF;
            return few <= 4 ? _bytes.AsSpan(value + 8, (int)few).ToArray() : throw Fail(value + 4, $"{few} bytes do not fit into the 4 bytes of their offset");
        }

        if (size == 0)
        {
            return [];
        }

        int cell = Cell(U32(value + 8), "the data of a value", out int length);
        if (size <= SegmentBytes || _minor < 4)
        {
            return size <= length ? _bytes.AsSpan(cell, (int)size).ToArray()
                : throw Fail(value + 4, $"{size} bytes of data do not fit into their cell of {length} bytes");
        }

        if (length < 8 || !Has(cell, "db"u8))
        {
            throw Fail(cell, "expected data in segments (\"db\")");
        }

        ushort segments = U16(cell + 2);
        if (size > (uint)segments * SegmentBytes)
        {
            throw Fail(cell + 2, $"{size} bytes of data do not fit into {Counted.Of(segments, "segment")}");
        }

        int list = Cell(U32(cell + 4), "a list of segments", out int listLength);
        if (segments > listLength / 4)
        {
            throw Fail(cell + 2, $"{Counted.Of(segments, "segment")}: too many for their list of {listLength} bytes");
        }

        byte[] data = new byte[size];
        for (int i = 0, done = 0; done < data.Length; i++)
        {
            int wanted = Math.Min(SegmentBytes, data.Length - done);
            int segment = Cell(U32(list + (4 * i)), "a segment", out int has);
            if (wanted > has)
            {
                throw Fail(segment, $"a segment has {has} bytes; {wanted} bytes are expected");
            }

            _bytes.AsSpan(segment, wanted).CopyTo(data.AsSpan(done));
            done += wanted;
        }

        return data;
    }

    private List<int> SubKeyCells(int key)
    {
        int at = Key(key);
        List<int> cells = new();
        if (U32(at + 20) != 0)
        {
            Collect(U32(at + 28), cells, nested: false);
        }

        return cells;
    }

    private void Collect(uint offset, List<int> cells, bool nested)
    {
        int list = Cell(offset, "a list of keys", out int length);
        int step = length < 4 ? 0 : Has(list, "lf"u8) || Has(list, "lh"u8) ? 8 : Has(list, "li"u8) ? 4 : Has(list, "ri"u8) && !nested ? -4 : 0;
        if (step == 0)
        {
            throw Fail(list, nested ? "expected a list of keys (\"lf\", \"lh\" or \"li\")" : "expected a list of keys (\"lf\", \"lh\", \"li\" or \"ri\")");
        }

        ushort count = U16(list + 2);
        if (count > (length - 4) / Math.Abs(step))
        {
            throw Fail(list + 2, $"{count} keys do not fit into their list of {length} bytes");
        }

        for (int i = 0; i < count; i++)
        {
            uint entry = U32(list + 4 + (Math.Abs(step) * i));
            if (step < 0)
            {
                Collect(entry, cells, nested: true);
            }
            else
            {
                // A malicious file may refer to one list many times: the total number of keys is limited.
                if (cells.Count >= MaxSubKeys)
                {
                    throw Fail(list, $"a key has more than {MaxSubKeys} keys below it");
                }

                _ = Key(entry);
                cells.Add((int)entry);
            }
        }
    }

    private string NameOf(int key)
    {
        int at = Key(key);
        _ = Cell((uint)key, "a key", out int length);
        return Name(at + 76, U16(at + 72), length - 76, (U16(at + 2) & 0x20) != 0);
    }

    private string Name(int at, int bytes, int room, bool narrow)
    {
        if (bytes > room)
        {
            throw Fail(at, $"a name of {bytes} bytes does not fit into its cell, which has {room} bytes left");
        }

        return (narrow ? Encoding.Latin1 : Encoding.Unicode).GetString(_bytes, at, bytes);
    }

    /// <summary>Where the key of a cell begins.</summary>
    private int Key(long offset)
    {
        int at = Cell((uint)Math.Clamp(offset, 0, uint.MaxValue), "a key", out int length);
        return length >= 76 && Has(at, "nk"u8) ? at : throw Fail(at, "expected a key (\"nk\")");
    }

    /// <summary>Where the contents of a cell begin, and how many bytes they have.</summary>
    private int Cell(uint offset, string what, out int length)
    {
        long at = BaseBlock + (long)offset;
        if (offset == uint.MaxValue || at > _bytes.Length - 4)
        {
            throw Fail(Math.Min(at, _bytes.Length), $"{what} is expected there, but the file ends at byte {_bytes.Length}");
        }

        // The size of a cell in use is negative.
        long size = -(long)BinaryPrimitives.ReadInt32LittleEndian(_bytes.AsSpan((int)at));
        if (size < 8 || at + size > _bytes.Length)
        {
            throw Fail(
                at, size <= 0 ? $"{what} is expected there, but the cell is free"
                    : $"{what} of {size} bytes is expected there, but the file ends at byte {_bytes.Length}");
        }

        length = (int)size - 4;
        return (int)at + 4;
    }

    private bool Has(int at, ReadOnlySpan<byte> signature) => _bytes.AsSpan(at, 2).SequenceEqual(signature);

    private ushort U16(int at) => BinaryPrimitives.ReadUInt16LittleEndian(_bytes.AsSpan(at));

    private uint U32(int at) => BinaryPrimitives.ReadUInt32LittleEndian(_bytes.AsSpan(at));

    private ExpectedFailureException Fail(long at, string sentence) => new(ExitCode.Input, $"{_path}: byte {at}: {sentence}.");
}
