using System.Buffers.Binary;
using System.Text;

namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>Builds a payload.</summary>
internal sealed class WireWriter
{
    private readonly byte[] _bytes = new byte[Wire.MaxPayload];
    private int _length;

    internal ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _length);

    internal WireWriter U8(byte value)
    {
        Room(1)[0] = value;
        return this;
    }

    internal WireWriter U16(ushort value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(Room(2), value);
        return this;
    }

    internal WireWriter U32(uint value)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(Room(4), value);
        return this;
    }

    internal WireWriter I32(int value)
    {
        BinaryPrimitives.WriteInt32LittleEndian(Room(4), value);
        return this;
    }

    internal WireWriter I64(long value)
    {
        BinaryPrimitives.WriteInt64LittleEndian(Room(8), value);
        return this;
    }

    internal WireWriter U64(ulong value)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(Room(8), value);
        return this;
    }

    internal WireWriter Bytes(ReadOnlySpan<byte> value)
    {
        value.CopyTo(Room(value.Length));
        return this;
    }

    /// <summary>At most 255 bytes of UTF-8; longer text is cut at a character.</summary>
    internal WireWriter Text(string value)
    {
        while (Encoding.UTF8.GetByteCount(value) > 255)
        {
            value = value[..^1];
        }

        byte[] bytes = Encoding.UTF8.GetBytes(value);
        return U8((byte)bytes.Length).Bytes(bytes);
    }

    private Span<byte> Room(int count)
    {
        Span<byte> room = _bytes.AsSpan(_length, count);
        _length += count;
        return room;
    }
}
