using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;

namespace LatencyTuner.Core.Etw;

/// <summary>Reads the event descriptions that merged traces contain (TRACE_EVENT_INFO of tdh.h, written as opcode 32 of the class below).</summary>
internal static class TraceEventInfo
{
    /// <summary>The class GUID of event descriptions.</summary>
    internal static readonly Guid Class = new("bbccf6c1-6cd1-48c4-80ff-839482e37671");

    /// <summary>The opcode of a description of an event; 33 describes a map of values.</summary>
    internal const int Opcode = 32;

    private const int Head = 0x70;
    private const int PropertyBytes = 24;
    private const int MaxProperties = 512;
    private const int MaxNameBytes = 512;
    private const uint FlagStructure = 1;
    private const uint FlagLengthFromField = 2;
    private const uint FlagCountFromField = 4;

    /// <summary>Reads one description.</summary>
    /// <param name="info">The payload of the event.</param>
    /// <returns>Null when the description is cut off or not plausible.</returns>
    internal static EtwEventLayout? Parse(ReadOnlySpan<byte> info)
    {
        if (info.Length < Head)
        {
            return null;
        }

        uint top = U32(info, 0x30 + (4 * 14));
        uint all = U32(info, 0x30 + (4 * 13));
        if (top > all || all > MaxProperties || info.Length - Head < all * PropertyBytes)
        {
            return null;
        }

        EtwField[] fields = Fields(info, (int)top);
        return new EtwEventLayout
        {
            Provider = MemoryMarshal.Read<Guid>(info),
            Number = U16(info, 0x20),
            Version = info[0x22],
            Level = info[0x24],
            Keywords = BinaryPrimitives.ReadUInt64LittleEndian(info[0x28..]),
            ProviderName = Text(info, U32(info, 0x34)),
            Name = string.Join('/', new[] { Text(info, U32(info, 0x44)), Text(info, U32(info, 0x48)) }.Where(t => t.Length > 0)),
            IsVerified = true,
            IsFromTrace = true,
            Required = fields.Length,
            Fields = fields,
        };
    }

    private static EtwField[] Fields(ReadOnlySpan<byte> info, int count)
    {
        // A field whose value another field needs gets a slot for it.
        List<int> kept = new();
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> property = info.Slice(Head + (i * PropertyBytes), PropertyBytes);
            foreach ((uint flag, int at) in new[] { (FlagCountFromField, 16), (FlagLengthFromField, 18) })
            {
                if ((U32(property, 0) & flag) != 0 && U16(property, at) < i && !kept.Contains(U16(property, at)))
                {
                    kept.Add(U16(property, at));
                }
            }
        }

        EtwField[] fields = new EtwField[count];
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> property = info.Slice(Head + (i * PropertyBytes), PropertyBytes);
            uint flags = U32(property, 0);
            int countIn = (flags & FlagCountFromField) != 0 ? Slot(kept, U16(property, 16)) : -1;
            int lengthIn = (flags & FlagLengthFromField) != 0 ? Slot(kept, U16(property, 18)) : -1;
            bool readable = (flags & FlagStructure) == 0
                && ((flags & FlagCountFromField) == 0 || countIn >= 0)
                && ((flags & FlagLengthFromField) == 0 || lengthIn >= 0);
            EtwFieldType type = readable ? TypeOf(U16(property, 8)) : EtwFieldType.Opaque;
            fields[i] = new EtwField
            {
                Name = Text(info, U32(property, 4)),
                Type = type,
                Count = Math.Max(1, (flags & FlagCountFromField) == 0 ? (int)U16(property, 16) : 1),
                FixedLength = (flags & FlagLengthFromField) == 0 && type is EtwFieldType.Binary or EtwFieldType.UnicodeString or EtwFieldType.AnsiString
                    ? U16(property, 18) : 0,
                CountIn = countIn,
                LengthIn = lengthIn,
                KeptIn = Slot(kept, i),
            };
        }

        return fields;
    }

    private static int Slot(List<int> kept, int field) => kept.IndexOf(field) is >= 0 and < EtwField.LengthSlots and var slot ? slot : -1;

    /// <summary>The TDH_INTYPE_* of tdh.h; length 0 means zero-terminated, or for Pointer the pointer size of the event.</summary>
    private static EtwFieldType TypeOf(ushort inType) => inType switch
    {
        1 => EtwFieldType.UnicodeString,
        2 => EtwFieldType.AnsiString,
        3 => EtwFieldType.Int8,
        4 => EtwFieldType.UInt8,
        5 => EtwFieldType.Int16,
        6 => EtwFieldType.UInt16,
        7 => EtwFieldType.Int32,
        8 or 11 or 13 or 20 => EtwFieldType.UInt32,
        9 => EtwFieldType.Int64,
        10 or 12 or 17 or 21 => EtwFieldType.UInt64,
        14 => EtwFieldType.Binary,
        15 or 18 => EtwFieldType.Guid,
        16 => EtwFieldType.Pointer,
        19 => EtwFieldType.Sid,
        22 or 23 or 25 => EtwFieldType.Counted,
        _ => EtwFieldType.Opaque,
    };

    private static string Text(ReadOnlySpan<byte> info, uint offset)
    {
        if (offset is < Head || offset >= info.Length)
        {
            return "";
        }

        ReadOnlySpan<byte> rest = info[(int)offset..];
        rest = rest[..Math.Min(rest.Length & ~1, MaxNameBytes)];
        for (int i = 0; i + 1 < rest.Length; i += 2)
        {
            if (rest[i] == 0 && rest[i + 1] == 0)
            {
                return Encoding.Unicode.GetString(rest[..i]).TrimEnd();
            }
        }

        return "";
    }

    private static uint U32(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[at..]);

    private static ushort U16(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt16LittleEndian(bytes[at..]);
}
