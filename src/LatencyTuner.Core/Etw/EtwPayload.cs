using System.Text;

namespace LatencyTuner.Core.Etw;

/// <summary>A payload with its layout, which gives any field by name. Valid as long as the payload.</summary>
public readonly ref struct EtwPayload
{
    private readonly ReadOnlySpan<EtwField> _fields;
    private readonly ReadOnlySpan<byte> _payload;
    private readonly int _pointerSize;

    internal EtwPayload(EtwEventLayout layout, ReadOnlySpan<EtwField> fields, ReadOnlySpan<byte> payload, int pointerSize)
    {
        Layout = layout;
        _fields = fields;
        _payload = payload;
        _pointerSize = pointerSize;
    }

    /// <summary>The layout of the payload.</summary>
    public EtwEventLayout Layout { get; }

    /// <summary>Gets a number of 1, 2, 4 or 8 bytes. Ports are converted to host byte order; negative numbers are not sign-extended.</summary>
    /// <param name="name">Name of the field.</param>
    /// <param name="value">The number.</param>
    /// <returns>False when the event has no such field, or is too short for it.</returns>
    public bool TryGetNumber(string name, out ulong value)
    {
        value = 0;
        if (!TryFind(name, out ReadOnlySpan<byte> bytes, out EtwFieldType type) || bytes.Length is not (1 or 2 or 4 or 8)
            || type is EtwFieldType.Binary or EtwFieldType.UnicodeString or EtwFieldType.AnsiString)
        {
            return false;
        }

        value = type == EtwFieldType.Port ? (ulong)((bytes[0] << 8) | bytes[1]) : EtwFieldWalker.Read(bytes);
        return true;
    }

    /// <summary>Gets the bytes of a field.</summary>
    /// <param name="name">Name of the field.</param>
    /// <param name="bytes">The bytes, inside the payload.</param>
    /// <returns>False when the event has no such field, or is too short for it.</returns>
    public bool TryGetBytes(string name, out ReadOnlySpan<byte> bytes) => TryFind(name, out bytes, out _);

    /// <summary>Gets a string.</summary>
    /// <param name="name">Name of the field.</param>
    /// <param name="text">The text without its terminator.</param>
    /// <returns>False when the event has no such string.</returns>
    public bool TryGetText(string name, out string text)
    {
        text = "";
        if (!TryFind(name, out ReadOnlySpan<byte> bytes, out EtwFieldType type))
        {
            return false;
        }

        switch (type)
        {
            case EtwFieldType.UnicodeString:
                text = Encoding.Unicode.GetString(bytes).TrimEnd('\0');
                return true;
            case EtwFieldType.AnsiString:
                text = Encoding.Latin1.GetString(bytes).TrimEnd('\0');
                return true;
            default:
                return false;
        }
    }

    private bool TryFind(string name, out ReadOnlySpan<byte> bytes, out EtwFieldType type)
    {
        EtwFieldWalker walker = new(_fields, _payload, _pointerSize);
        while (walker.MoveNext())
        {
            if (_fields[walker.Index].Name != name)
            {
                continue;
            }

            bytes = walker.Value;
            type = _fields[walker.Index].Type;
            return true;
        }

        bytes = default;
        type = default;
        return false;
    }
}
