namespace LatencyTuner.Core.Capture;

/// <summary>The options at the end of a block, one after the other.</summary>
internal ref struct PcapngOptions(ReadOnlySpan<byte> bytes, bool bigEndian)
{
    private const int Header = 4;

    private ReadOnlySpan<byte> _rest = bytes;

    /// <summary>True after an option that reaches beyond its block.</summary>
    public bool Overrun { get; private set; }

    /// <summary>Reads the next option.</summary>
    /// <param name="code">The option code.</param>
    /// <param name="value">The option value, without padding.</param>
    /// <returns>False after the last one.</returns>
    public bool TryNext(out ushort code, out ReadOnlySpan<byte> value)
    {
        code = 0;
        value = default;
        if (_rest.Length < Header)
        {
            return false;
        }

        code = ByteOrderReader.U16(_rest, bigEndian);
        int length = ByteOrderReader.U16(_rest[2..], bigEndian);
        if (code == 0)
        {
            return false;
        }

        if (length > _rest.Length - Header)
        {
            Overrun = true;
            return false;
        }

        value = _rest.Slice(Header, length);
        _rest = _rest[Math.Min(_rest.Length, Header + ((length + 3) & ~3))..];
        return true;
    }
}

/// <summary>The values of an interface description block that are needed to read the packets of that interface.</summary>
internal readonly struct PcapngInterface(ushort linkType, uint snapLength, byte checkLength, CaptureClock clock)
{
    public readonly CaptureClock Clock = clock;

    /// <summary>Largest number of bytes that are kept of a packet; 0 means no limit.</summary>
    public readonly uint SnapLength = snapLength;

    public readonly ushort LinkType = linkType;

    /// <summary>Bytes of the frame check sequence at the end of each packet.</summary>
    public readonly byte CheckLength = checkLength;
}
