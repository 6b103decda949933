using System.Buffers.Binary;

namespace LatencyTuner.Core.Capture;

/// <summary>Reads the capture format of Solaris' snoop (RFC 1761), version 2: Ethernet and FDDI, in microseconds.</summary>
internal sealed class SnoopReader : ICaptureReader
{
    private const int FileHeader = 16;
    private const int RecordHeader = 24;
    private const int Padding = 4;
    private const uint Version = 2;

    private readonly ByteInput _input;
    private readonly int _linkType;
    private long _number;
    private long _pending;

    private SnoopReader(ByteInput input, int linkType)
    {
        _input = input;
        _linkType = linkType;
    }

    /// <inheritdoc/>
    public string Kind => "snoop" + _input.Wrapping;

    /// <inheritdoc/>
    public long ClockStepNs => 1000;

    /// <inheritdoc/>
    public long BytesRead => _input.BytesRead;

    /// <inheritdoc/>
    public CaptureDamage? Damage { get; private set; }

    /// <inheritdoc/>
    public long? FramesLost { get; private set; }

    private static ReadOnlySpan<byte> Magic => "snoop\0\0\0"u8;

    /// <summary>True when four bytes are the beginning of this format.</summary>
    public static bool IsMagic(ReadOnlySpan<byte> bytes) => bytes.Length >= 4 && bytes[..4].SequenceEqual(Magic[..4]);

    /// <summary>Reads the file header.</summary>
    /// <param name="input">The bytes; the reader disposes them.</param>
    /// <param name="path">The name of the file for error messages.</param>
    /// <exception cref="ExpectedFailureException">
    /// <see cref="ExitCode.Input"/>: the header is cut off, or has a version or a data link that is not read.
    /// </exception>
    public static SnoopReader Open(ByteInput input, string path)
    {
        if (!input.TryPeek(FileHeader, out ReadOnlySpan<byte> header))
        {
            throw Unreadable($"{path}: a snoop file starts with a header of {FileHeader} bytes. This file ends after {header.Length} bytes.");
        }

        if (!header.StartsWith(Magic))
        {
            throw Unreadable($"{path} begins with the bytes {Convert.ToHexString(header[..Magic.Length])} and is neither a snoop file nor another capture.");
        }

        uint version = BinaryPrimitives.ReadUInt32BigEndian(header[8..]);
        if (version != Version)
        {
            throw Unreadable($"{path} is a snoop file of version {version}. Only version {Version} (RFC 1761) is read.");
        }

        // The numbers of RFC 1761; "IEEE 802.3" and "Ethernet" differ in nothing that matters here.
        uint dataLink = BinaryPrimitives.ReadUInt32BigEndian(header[12..]);
        int linkType = dataLink switch
        {
            0 or 4 => LinkTypes.Ethernet,
            8 => LinkTypes.Fddi,
            _ => throw Unreadable($"{path} is a snoop file of data link {dataLink}. Only Ethernet (0 and 4) and FDDI (8) are read."),
        };
        input.Advance(FileHeader);
        return new SnoopReader(input, linkType);
    }

    /// <inheritdoc/>
    public bool TryRead(out CapturedFrame frame)
    {
        frame = default;
        if (Damage is not null)
        {
            return false;
        }

        long end = _input.Position + _pending;
        bool whole = _input.TrySkip(_pending);
        _pending = 0;
        // What pads the last record may be missing.
        if (!whole && end - _input.Position >= Padding)
        {
            Damage = new(_input.Position, _input.ReadFailure ?? $"the file ends {end - _input.Position} bytes before the end of a record");
            return false;
        }

        if (!_input.TryPeek(RecordHeader, out ReadOnlySpan<byte> header))
        {
            if (header.Length > 0 || _input.ReadFailure is not null)
            {
                Damage = new(_input.Position, _input.ReadFailure ?? $"the file ends after {header.Length} of the {RecordHeader} bytes of a record header");
            }

            return false;
        }

        uint original = BinaryPrimitives.ReadUInt32BigEndian(header);
        uint captured = BinaryPrimitives.ReadUInt32BigEndian(header[4..]);
        uint inFile = BinaryPrimitives.ReadUInt32BigEndian(header[8..]);
        uint lost = BinaryPrimitives.ReadUInt32BigEndian(header[12..]);
        uint seconds = BinaryPrimitives.ReadUInt32BigEndian(header[16..]);
        uint microseconds = BinaryPrimitives.ReadUInt32BigEndian(header[20..]);
        if (captured > ByteInput.LargestPeek - RecordHeader || inFile < RecordHeader + captured)
        {
            Damage = new(_input.Position, $"a record of {inFile} bytes cannot hold a frame of {captured} bytes");
            return false;
        }

        int length = (int)captured;
        if (!_input.TryPeek(RecordHeader + length, out ReadOnlySpan<byte> record))
        {
            Damage = new(_input.Position, _input.ReadFailure ?? $"the file ends after {record.Length - RecordHeader} of the {length} bytes of a frame");
            return false;
        }

        _pending = inFile;
        FramesLost = Math.Max(FramesLost ?? 0, lost);
        frame = new CapturedFrame
        {
            Number = ++_number,
            TimeNs = (seconds * 1_000_000_000L) + (microseconds * 1000L),
            LinkType = _linkType,
            OriginalLength = (int)Math.Clamp(original, captured, int.MaxValue),
            Data = record[RecordHeader..],
        };
        return true;
    }

    /// <inheritdoc/>
    public void Dispose() => _input.Dispose();

    private static ExpectedFailureException Unreadable(string sentence) => new(ExitCode.Input, sentence);
}
