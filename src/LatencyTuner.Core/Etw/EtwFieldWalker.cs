using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace LatencyTuner.Core.Etw;

/// <summary>Steps through the fields of a payload and never reads past its end.</summary>
internal ref struct EtwFieldWalker
{
    private readonly ReadOnlySpan<byte> _payload;
    private readonly ReadOnlySpan<EtwField> _fields;
    private readonly int _pointerSize;
    private Slots _slots;
    private int _at;
    private int _end;
    private int _next;

    internal EtwFieldWalker(ReadOnlySpan<EtwField> fields, ReadOnlySpan<byte> payload, int pointerSize)
    {
        _fields = fields;
        _payload = payload;
        _pointerSize = pointerSize;
    }

    /// <summary>Number of fields that were read so far.</summary>
    internal readonly int Walked => _next;

    /// <summary>True when the fields that were read are the whole payload.</summary>
    internal readonly bool IsAtEnd => _end == _payload.Length;

    /// <summary>Index of the current field, from 0.</summary>
    internal readonly int Index => _next - 1;

    /// <summary>Bytes of the current field; for a string, terminator included.</summary>
    internal readonly ReadOnlySpan<byte> Value => _payload[_at.._end];

    /// <summary>The current field as an unsigned number, not sign-extended.</summary>
    internal readonly ulong Number => Read(_payload[_at.._end]);

    internal bool MoveNext()
    {
        if (_next == _fields.Length)
        {
            return false;
        }

        EtwField field = _fields[_next];
        ReadOnlySpan<byte> rest = _payload[_end..];
        long size = SizeOf(field, rest);
        if (size < 0 || size > rest.Length)
        {
            return false;
        }

        _at = _end;
        _end += (int)size;
        _next++;
        if (field.KeptIn >= 0)
        {
            _slots[field.KeptIn] = (uint)Math.Min(Read(_payload[_at.._end]), uint.MaxValue);
        }

        return true;
    }

    internal static ulong Read(ReadOnlySpan<byte> value) => value.Length switch
    {
        1 => value[0],
        2 => BinaryPrimitives.ReadUInt16LittleEndian(value),
        4 => BinaryPrimitives.ReadUInt32LittleEndian(value),
        8 => BinaryPrimitives.ReadUInt64LittleEndian(value),
        _ => 0,
    };

    private readonly long SizeOf(EtwField field, ReadOnlySpan<byte> rest)
    {
        int width = field.Width(_pointerSize);
        if (width != 0 && field is { Count: 1, CountIn: < 0 })
        {
            return width;
        }

        long count = field.CountIn >= 0 ? _slots[field.CountIn] : field.Count;
        if (width != 0)
        {
            return width * count;
        }

        // Arrays of items with variable size are not supported: none of the decoded events has one.
        if (count != 1)
        {
            return -1;
        }

        long length = field.LengthIn >= 0 ? _slots[field.LengthIn] : field.FixedLength;
        bool isGiven = field.LengthIn >= 0 || field.FixedLength > 0;
        return field.Type switch
        {
            EtwFieldType.Binary => isGiven ? length : -1,
            EtwFieldType.AnsiString => isGiven ? length : rest.IndexOf((byte)0) is >= 0 and var end ? end + 1 : -1,
            EtwFieldType.UnicodeString => isGiven ? length * 2 : UnicodeLength(rest),
            EtwFieldType.Counted => rest.Length >= 2 ? 2 + BinaryPrimitives.ReadUInt16LittleEndian(rest) : -1,
            EtwFieldType.Sid => rest.Length >= 8 ? 8 + (4 * rest[1]) : -1,
            _ => -1,
        };
    }

    private static int UnicodeLength(ReadOnlySpan<byte> rest)
    {
        for (int i = 0; i + 1 < rest.Length; i += 2)
        {
            if (rest[i] == 0 && rest[i + 1] == 0)
            {
                return i + 2;
            }
        }

        return -1;
    }

    [InlineArray(EtwField.LengthSlots)]
    private struct Slots
    {
        private uint _first;
    }
}
