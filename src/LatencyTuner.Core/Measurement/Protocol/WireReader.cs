using System.Buffers.Binary;
using System.Globalization;
using System.Text;

namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>Reads a payload; every read is checked against the length.</summary>
internal ref struct WireReader(ReadOnlySpan<byte> bytes, string what)
{
    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private readonly string _what = what;
    private int _offset;

    /// <summary>Bytes not yet read.</summary>
    internal readonly int Left => _bytes.Length - _offset;

    internal byte U8() => Take(1)[0];

    internal ushort U16() => BinaryPrimitives.ReadUInt16LittleEndian(Take(2));

    internal uint U32() => BinaryPrimitives.ReadUInt32LittleEndian(Take(4));

    internal int I32() => BinaryPrimitives.ReadInt32LittleEndian(Take(4));

    internal long I64() => BinaryPrimitives.ReadInt64LittleEndian(Take(8));

    internal ulong U64() => BinaryPrimitives.ReadUInt64LittleEndian(Take(8));

    internal ReadOnlySpan<byte> Bytes(int count) => Take(count);

    /// <summary>A short text of an untrusted peer: control characters become spaces, so that it cannot control a terminal or a log.</summary>
    internal string Text()
    {
        int length = U8();
        StringBuilder text = new(length);
        foreach (Rune rune in Encoding.UTF8.GetString(Take(length)).EnumerateRunes())
        {
            text.Append(IsHarmless(rune) ? rune.ToString() : " ");
        }

        return text.ToString().Trim();
    }

    private static bool IsHarmless(Rune rune) => Rune.GetUnicodeCategory(rune) is not (
        UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator
        or UnicodeCategory.PrivateUse or UnicodeCategory.OtherNotAssigned);

    private ReadOnlySpan<byte> Take(int count)
    {
        if (count > _bytes.Length - _offset)
        {
            throw new ProtocolException($"{_what} ends at byte {_bytes.Length}; {count} bytes were expected at offset {_offset}");
        }

        ReadOnlySpan<byte> taken = _bytes.Slice(_offset, count);
        _offset += count;
        return taken;
    }
}
