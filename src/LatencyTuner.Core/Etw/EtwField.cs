namespace LatencyTuner.Core.Etw;

/// <summary>One field of a payload.</summary>
public sealed record EtwField
{
    /// <summary>Largest number of fields of an event that hold the length or count of a later field.</summary>
    internal const int LengthSlots = 8;

    /// <summary>The name of the field in the manifest.</summary>
    public required string Name { get; init; }

    /// <summary>The type of the field in the payload.</summary>
    public required EtwFieldType Type { get; init; }

    /// <summary>Fixed number of bytes or characters of a string or binary; 0 when it is zero-terminated or an earlier field holds the length.</summary>
    public int FixedLength { get; init; }

    /// <summary>Number of values in the field, at least 1; not used when an earlier field holds the count.</summary>
    public int Count { get; init; } = 1;

    /// <summary>Slot that keeps the value for a later field that needs it as length or count; -1 when no field needs it.</summary>
    internal int KeptIn { get; init; } = -1;

    /// <summary>Slot of the earlier field that holds the length; -1 when there is none.</summary>
    internal int LengthIn { get; init; } = -1;

    /// <summary>Slot of the earlier field that holds the count; -1 when there is none.</summary>
    internal int CountIn { get; init; } = -1;

    /// <summary>Size of one value in bytes; 0 when it is not fixed.</summary>
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

/// <summary>The type of a field in a payload. Integers are little-endian unless stated otherwise.</summary>
public enum EtwFieldType
{
    /// <summary>A type of unknown size: this field and all later fields are not read.</summary>
    Opaque,

    /// <summary>Signed integer, 1 byte.</summary>
    Int8,

    /// <summary>Unsigned integer, 1 byte.</summary>
    UInt8,

    /// <summary>Signed integer, 2 bytes.</summary>
    Int16,

    /// <summary>Unsigned integer, 2 bytes.</summary>
    UInt16,

    /// <summary>Signed integer, 4 bytes.</summary>
    Int32,

    /// <summary>Unsigned integer, 4 bytes.</summary>
    UInt32,

    /// <summary>Signed integer, 8 bytes.</summary>
    Int64,

    /// <summary>Unsigned integer, 8 bytes.</summary>
    UInt64,

    /// <summary>Unsigned integer, 4 or 8 bytes; the event header gives the pointer size.</summary>
    Pointer,

    /// <summary>A port in network byte order, 2 bytes.</summary>
    Port,

    /// <summary>An IPv4 address in network byte order, 4 bytes.</summary>
    IPv4,

    /// <summary>An IPv6 address in network byte order, 16 bytes.</summary>
    IPv6,

    /// <summary>A GUID, 16 bytes.</summary>
    Guid,

    /// <summary>Bytes; an earlier field holds their number, or it is fixed.</summary>
    Binary,

    /// <summary>UTF-16 text: zero-terminated, of fixed length, or with its length in an earlier field.</summary>
    UnicodeString,

    /// <summary>Text of one byte per character: zero-terminated, of fixed length, or with its length in an earlier field.</summary>
    AnsiString,

    /// <summary>Text or bytes after a 2-byte length in bytes.</summary>
    Counted,

    /// <summary>A security identifier (SID): 8 bytes plus 4 bytes for each subauthority.</summary>
    Sid,
}
