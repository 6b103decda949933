using System.Text;

namespace LatencyTuner.Tests.Etw;

/// <summary>Puts structures together, little-endian.</summary>
internal sealed class ByteWriter
{
    private readonly List<byte> _bytes = [];

    internal int Length => _bytes.Count;

    internal ByteWriter U8(byte value)
    {
        _bytes.Add(value);
        return this;
    }

    internal ByteWriter U16(ushort value) => Raw(BitConverter.GetBytes(value));

    internal ByteWriter U32(uint value) => Raw(BitConverter.GetBytes(value));

    internal ByteWriter U64(ulong value) => Raw(BitConverter.GetBytes(value));

    internal ByteWriter I64(long value) => Raw(BitConverter.GetBytes(value));

    internal ByteWriter Guid(Guid value) => Raw(value.ToByteArray());

    internal ByteWriter Pointer(ulong value, int pointerSize) => pointerSize == 4 ? U32((uint)value) : U64(value);

    internal ByteWriter BigEndian16(ushort value) => U8((byte)(value >> 8)).U8((byte)value);

    internal ByteWriter Text(string value) => Raw(Encoding.Unicode.GetBytes(value + "\0"));

    internal ByteWriter Zeros(int count) => Raw(new byte[count]);

    internal ByteWriter Raw(ReadOnlySpan<byte> bytes)
    {
        _bytes.AddRange(bytes);
        return this;
    }

    internal ByteWriter PadTo(int multiple) => Zeros((multiple - (Length % multiple)) % multiple);

    internal byte[] ToArray() => [.. _bytes];
}
