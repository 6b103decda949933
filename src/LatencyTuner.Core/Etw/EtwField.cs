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
