namespace LatencyTuner.Core.Etw;

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
