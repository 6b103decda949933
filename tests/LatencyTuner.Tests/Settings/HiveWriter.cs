using System.Buffers.Binary;
using System.Text;

namespace LatencyTuner.Tests.Settings;

/// <summary>Writes hives in the forms that large and old ones have: lists lf, li and ri, data in segments, names in UTF-16.</summary>
internal sealed class HiveWriter
{
    private readonly List<byte> _bins = [.. new byte[32]];

    /// <summary>Writes a key over cells that are there.</summary>
    internal uint Key(string name, uint subKeys, int subKeyCount, uint values = uint.MaxValue, int valueCount = 0, bool wide = false)
    {
        byte[] bytes = new byte[76];
        "nk"u8.CopyTo(bytes);
        Put16(bytes, 2, wide ? 0 : 0x20);
        Put32(bytes, 20, (uint)subKeyCount);
        Put32(bytes, 28, subKeys);
        Put32(bytes, 36, (uint)valueCount);
        Put32(bytes, 40, values);
        byte[] text = (wide ? Encoding.Unicode : Encoding.Latin1).GetBytes(name);
        Put16(bytes, 72, text.Length);
        return Cell([.. bytes, .. text]);
    }

    internal uint Value(string name, int type, byte[] data, bool wide = false)
    {
        byte[] text = (wide ? Encoding.Unicode : Encoding.Latin1).GetBytes(name);
        byte[] bytes = new byte[20];
        "vk"u8.CopyTo(bytes);
        Put16(bytes, 2, text.Length);
        Put32(bytes, 4, data.Length <= 4 ? 0x8000_0000u | (uint)data.Length : (uint)data.Length);
        if (data.Length <= 4)
        {
            data.CopyTo(bytes, 8);
        }
        else
        {
            Put32(bytes, 8, data.Length <= 16_344 ? Cell(data) : Segments(data));
        }

        Put32(bytes, 12, (uint)type);
        Put16(bytes, 16, wide ? 0 : 1);
        return Cell([.. bytes, .. text]);
    }

    /// <summary>Writes a list: lf and lh have a hint with each entry, li and ri have none, and a list of values has no head.</summary>
    internal uint List(string? kind, params uint[] cells)
    {
        List<byte> bytes = new();
        if (kind is not null)
        {
            bytes.AddRange([(byte)kind[0], (byte)kind[1], (byte)cells.Length, (byte)(cells.Length >> 8)]);
        }

        foreach (uint cell in cells)
        {
            bytes.AddRange(BitConverter.GetBytes(cell));
            if (kind is "lf" or "lh")
            {
                bytes.AddRange(new byte[4]);
            }
        }

        return Cell([.. bytes]);
    }

    internal byte[] File(uint root, bool dirty = false)
    {
        byte[] head = new byte[4096];
        "regf"u8.CopyTo(head);
        Put32(head, 4, 7);
        Put32(head, 8, dirty ? 6u : 7u);
        Put32(head, 20, 1);
        Put32(head, 24, 5);
        Put32(head, 36, root);
        return [.. head, .. _bins];
    }

    private uint Segments(byte[] data)
    {
        uint[] parts = data.Chunk(16_344).Select(Cell).ToArray();
        uint list = List(null, parts);
        return Cell([(byte)'d', (byte)'b', (byte)parts.Length, 0, .. BitConverter.GetBytes(list)]);
    }

    private uint Cell(byte[] contents)
    {
        uint at = (uint)_bins.Count;
        int size = (contents.Length + 4 + 7) / 8 * 8;
        _bins.AddRange(BitConverter.GetBytes(-size));
        _bins.AddRange(contents);
        _bins.AddRange(new byte[size - 4 - contents.Length]);
        return at;
    }

    private static void Put16(byte[] bytes, int at, int value) => BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(at), (ushort)value);

    private static void Put32(byte[] bytes, int at, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(at), value);
}
