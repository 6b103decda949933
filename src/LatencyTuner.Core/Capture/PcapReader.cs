using System.Buffers.Binary;

namespace LatencyTuner.Core.Capture;

/// <summary>
/// Reads the classic capture format of libpcap: microseconds (magic a1b2c3d4), nanoseconds (a1b23c4d) and the modified form with eight
/// more bytes per record (a1b2cd34), in either byte order.
/// </summary>
internal sealed class PcapReader : ICaptureReader
{
    /// <summary>Length of the file header in bytes.</summary>
    public const int FileHeader = 24;

    private const uint Microseconds = 0xA1B2C3D4;
    private const uint Nanoseconds = 0xA1B23C4D;
    private const uint Modified = 0xA1B2CD34;

    private readonly ByteInput _input;
    private readonly bool _bigEndian;
    private readonly int _recordHeader;
    private readonly int _linkType;
    private readonly int _checkLength;
    private readonly int _minorVersion;
    private long _number;
    private int _pending;

    private PcapReader(ByteInput input, uint magic, bool bigEndian, uint network, int minorVersion)
    {
        (_input, _minorVersion) = (input, minorVersion);
        _bigEndian = bigEndian;
        // The link type is in the lower 26 bits; the upper ones may hold the length of the frame check sequence in 16-bit words.
        _linkType = (int)(network & 0x03FF_FFFF);
        _checkLength = (network & 0x0400_0000) != 0 ? (int)(network >> 28) * 2 : 0;
        _recordHeader = magic == Modified ? 24 : 16;
        ClockStepNs = magic == Nanoseconds ? 1 : 1000;
    }

    /// <inheritdoc/>
    public string Kind => "pcap" + _input.Wrapping;

    /// <inheritdoc/>
    public long ClockStepNs { get; }

    /// <inheritdoc/>
    public long BytesRead => _input.BytesRead;

    /// <inheritdoc/>
    public CaptureDamage? Damage { get; private set; }

    /// <inheritdoc/>
    public long? FramesLost => null;

    /// <summary>True when four bytes are a magic number of this format.</summary>
    public static bool IsMagic(ReadOnlySpan<byte> bytes) =>
        bytes.Length >= 4 && (IsMagic(BinaryPrimitives.ReadUInt32LittleEndian(bytes)) || IsMagic(BinaryPrimitives.ReadUInt32BigEndian(bytes)));

    /// <summary>Reads the file header.</summary>
    /// <param name="input">The bytes; the reader disposes them.</param>
    /// <param name="path">The name of the file for error messages.</param>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Input"/>: the header is cut off or has another magic number.</exception>
    public static PcapReader Open(ByteInput input, string path)
    {
        if (!input.TryPeek(FileHeader, out ReadOnlySpan<byte> header) || !IsMagic(header))
        {
            throw new ExpectedFailureException(
                ExitCode.Input, $"{path}: a pcap file starts with a header of {FileHeader} bytes. This file ends after {header.Length} bytes.");
        }

        uint little = BinaryPrimitives.ReadUInt32LittleEndian(header);
        bool bigEndian = !IsMagic(little);
        uint magic = bigEndian ? BinaryPrimitives.ReadUInt32BigEndian(header) : little;
        uint network = ByteOrderReader.U32(header[20..], bigEndian);
        // As 16-bit numbers in the file's order: the major version, then the minor one.
        uint versions = ByteOrderReader.U32(header[4..], bigEndian);
        (uint major, uint minor) = bigEndian ? (versions >> 16, versions & 0xFFFF) : (versions & 0xFFFF, versions >> 16);
        input.Advance(FileHeader);
        return new PcapReader(input, magic, bigEndian, network, major == 2 ? (int)minor : int.MaxValue);
    }

    /// <inheritdoc/>
    public bool TryRead(out CapturedFrame frame)
    {
        frame = default;
        if (Damage is not null)
        {
            return false;
        }

        _input.Advance(_pending);
        _pending = 0;
        if (!_input.TryPeek(_recordHeader, out ReadOnlySpan<byte> header))
        {
            if (header.Length > 0 || _input.ReadFailure is not null)
            {
                Damage = new(_input.Position, _input.ReadFailure ?? $"the file ends after {header.Length} of the {_recordHeader} bytes of a record header");
            }

            return false;
        }

        uint seconds = ByteOrderReader.U32(header, _bigEndian);
        uint fraction = ByteOrderReader.U32(header[4..], _bigEndian);
        uint captured = ByteOrderReader.U32(header[8..], _bigEndian);
        uint original = ByteOrderReader.U32(header[12..], _bigEndian);
        // Before version 2.3 the two lengths were the other way round; in version 2.3 either order occurs.
        if (_minorVersion < 3 || (_minorVersion == 3 && captured > original))
        {
            (captured, original) = (original, captured);
        }

        if (captured > ByteInput.LargestPeek - _recordHeader)
        {
            Damage = new(_input.Position, $"a record of {captured} bytes is longer than any frame can be");
            return false;
        }

        int length = (int)captured;
        if (!_input.TryPeek(_recordHeader + length, out ReadOnlySpan<byte> record))
        {
            Damage = new(_input.Position, _input.ReadFailure ?? $"the file ends after {record.Length - _recordHeader} of the {length} bytes of a frame");
            return false;
        }

        _pending = record.Length;
        int wire = Math.Max((int)Math.Clamp(original, captured, int.MaxValue) - _checkLength, 0);
        frame = new CapturedFrame
        {
            Number = ++_number,
            TimeNs = (seconds * 1_000_000_000L) + (fraction * ClockStepNs),
            LinkType = _linkType,
            OriginalLength = wire,
            Data = record.Slice(_recordHeader, Math.Min(length, wire)),
        };
        return true;
    }

    /// <inheritdoc/>
    public void Dispose() => _input.Dispose();

    private static bool IsMagic(uint magic) => magic is Microseconds or Nanoseconds or Modified;
}
