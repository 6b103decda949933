namespace LatencyTuner.Core.Etw;

/// <summary>One field of a payload.</summary>
public sealed record EtwField
{
    /// <summary>How many earlier fields of an event may hold lengths.</summary>
    internal const int LengthSlots = 8;

    /// <summary>Its name in the manifest.</summary>
    public required string Name { get; init; }

    /// <summary>How it is stored.</summary>
    public required EtwFieldType Type { get; init; }

    /// <summary>Fixed number of bytes or characters of a string or binary; 0 when it ends with a zero or an earlier field holds it.</summary>
    public int FixedLength { get; init; }

    /// <summary>How often it is repeated, at least 1, unless an earlier field holds it.</summary>
    public int Count { get; init; } = 1;

    /// <summary>Where its value is kept for a later field that needs it as length or count; -1 when none does.</summary>
    internal int KeptIn { get; init; } = -1;

    /// <summary>Where its length was kept; -1 when no earlier field holds it.</summary>
    internal int LengthIn { get; init; } = -1;

    /// <summary>Where its count was kept; -1 when no earlier field holds it.</summary>
    internal int CountIn { get; init; } = -1;

    /// <summary>Bytes of one value; 0 when that is not fixed.</summary>
    /// <param name="pointerSize">4 or 8.</param>
    internal int Width(int pointerSize) => Type switch
    {
        EtwFieldType.Int8 or EtwFieldType.UInt8 => 1,
        EtwFieldType.Int16 or EtwFieldType.UInt16 or EtwFieldType.Port => 2,
        EtwFieldType.Int32 or EtwFieldType.UInt32 or EtwFieldType.IPv4 => 4,
        EtwFieldType.Int64 or EtwFieldType.UInt64 => 8,
        EtwFieldType.Pointer => pointerSize,
        EtwFieldType.IPv6 or EtwFieldType.Guid => 16,
        _ => 0,
    };
}

/// <summary>How a field of a payload is stored. Integers are little-endian unless it says otherwise.</summary>
public enum EtwFieldType
{
    /// <summary>Of a form that cannot be stepped over; fields from it on are not read.</summary>
    Opaque,

    /// <summary>Signed, 1 byte.</summary>
    Int8,

    /// <summary>Unsigned, 1 byte.</summary>
    UInt8,

    /// <summary>Signed, 2 bytes.</summary>
    Int16,

    /// <summary>Unsigned, 2 bytes.</summary>
    UInt16,

    /// <summary>Signed, 4 bytes.</summary>
    Int32,

    /// <summary>Unsigned, 4 bytes.</summary>
    UInt32,

    /// <summary>Signed, 8 bytes.</summary>
    Int64,

    /// <summary>Unsigned, 8 bytes.</summary>
    UInt64,

    /// <summary>Unsigned, 4 or 8 bytes as the event's header says.</summary>
    Pointer,

    /// <summary>A port in the order of the network, 2 bytes.</summary>
    Port,

    /// <summary>Address in the order of the network, 4 bytes.</summary>
    IPv4,

    /// <summary>Address in the order of the network, 16 bytes.</summary>
    IPv6,

    /// <summary>16 bytes.</summary>
    Guid,

    /// <summary>Bytes; their number is fixed or in an earlier field.</summary>
    Binary,

    /// <summary>UTF-16, ends with a zero, or of a length that is fixed or in an earlier field.</summary>
    UnicodeString,

    /// <summary>One byte a character, otherwise likewise.</summary>
    AnsiString,

    /// <summary>Text or bytes behind a 2-byte number of bytes.</summary>
    Counted,

    /// <summary>A security identifier, 8 bytes and 4 for each part.</summary>
    Sid,
}
