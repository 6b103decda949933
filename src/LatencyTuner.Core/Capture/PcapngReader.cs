namespace LatencyTuner.Core.Capture;

/// <summary>
/// Reads pcapng (draft-ietf-opsawg-pcapng): any number of sections in either byte order, interfaces with different clocks, enhanced, simple
/// and obsolete packet blocks, and the number of packets that the capturing program lost. Every other block is skipped by its length.
/// </summary>
internal sealed partial class PcapngReader : ICaptureReader
{
    /// <summary>Largest number of interfaces in one section, which limits the memory.</summary>
    public const int MostInterfaces = 1 << 20;

    internal const uint SectionMagic = 0x0A0D0D0A;
    private const uint ByteOrderMagic = 0x1A2B3C4D;
    internal const uint InterfaceBlock = 1;
    internal const uint ObsoletePacketBlock = 2;
    internal const uint SimplePacketBlock = 3;
    internal const uint StatisticsBlock = 5;
    internal const uint EnhancedPacketBlock = 6;
    private const uint JournalBlock = 9;
    internal const uint CustomBlock = 0x0BAD;
    private const uint UncopiedCustomBlock = 0x4000_0BAD;

    private const int Prefix = 8;
    private const int Suffix = 4;
    private const int LeastBlock = Prefix + Suffix;
    private const int LeastSection = 28;
    private const int LargestBlock = ByteInput.LargestPeek;

    private readonly ByteInput _input;
    private readonly PcapngLosses _losses = new();
    private PcapngInterface[] _interfaces = [];
    private int _interfaceCount;
    private bool _bigEndian;
    private bool _lost;
    private long _number;
    private int _pending;

    private PcapngReader(ByteInput input) => _input = input;

    /// <summary>Is told of each block before it is read; null when nobody asks.</summary>
    internal PcapngBlockSeen? Seen { get; set; }

    /// <inheritdoc/>
    public string Kind => "pcapng" + _input.Wrapping;

    /// <inheritdoc/>
    public long ClockStepNs { get; private set; } = 1;

    /// <inheritdoc/>
    public long BytesRead => _input.BytesRead;

    /// <inheritdoc/>
    public CaptureDamage? Damage { get; private set; }

    /// <inheritdoc/>
    public long? FramesLost => _losses.Total;

    /// <inheritdoc/>
    public long FramesWithoutTime { get; private set; }

    /// <summary>True when four bytes are the type of a section header.</summary>
    public static bool IsMagic(ReadOnlySpan<byte> bytes) => bytes.Length >= 4 && ByteOrderReader.U32(bytes, false) == SectionMagic;

    /// <summary>Reads the first section header.</summary>
    /// <param name="input">The bytes; the reader disposes them.</param>
    /// <param name="path">The name of the file for error messages.</param>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Input"/>: it has no usable section header.</exception>
    public static PcapngReader Open(ByteInput input, string path)
    {
        PcapngReader reader = new(input);
        return reader.TrySection() ? reader
            : throw new ExpectedFailureException(
                ExitCode.Input, $"{path}: the pcapng section header cannot be read: at byte {reader.Damage!.Offset} {reader.Damage.Reason}.");
    }

    /// <inheritdoc/>
    public bool TryRead(out CapturedFrame frame)
    {
        frame = default;
        if (_lost)
        {
            return false;
        }

        _input.Advance(_pending);
        _pending = 0;
        while (_input.TryPeek(Prefix, out ReadOnlySpan<byte> prefix))
        {
            uint type = ByteOrderReader.U32(prefix, _bigEndian);
            if (type == SectionMagic)
            {
                if (!TrySection())
                {
                    return false;
                }

                continue;
            }

            uint said = ByteOrderReader.U32(prefix[4..], _bigEndian);
            long length = Padded(said);
            if (length < LeastBlock)
            {
                return Lose($"a block says it is {said} bytes long, but the shortest possible block has {LeastBlock} bytes");
            }

            if (!IsWanted(type))
            {
                if (!TrySkip(type, length))
                {
                    return false;
                }

                if (IsNumbered(type))
                {
                    _number++;
                    Seen?.Invoke(CustomBlock, _bigEndian, []);
                }

                continue;
            }

            if (!TryPeekBlock(length, out ReadOnlySpan<byte> block))
            {
                return false;
            }

            Seen?.Invoke(type, _bigEndian, block[Prefix..^Suffix]);
            if (TryBlock(type, block[Prefix..^Suffix], ref frame))
            {
                _pending = block.Length;
                return true;
            }

            if (_lost)
            {
                return false;
            }

            _input.Advance(block.Length);
        }

        return EndOfInput();
    }

    /// <inheritdoc/>
    public void Dispose() => _input.Dispose();

    private static bool IsWanted(uint type) => type is EnhancedPacketBlock or SimplePacketBlock or ObsoletePacketBlock or InterfaceBlock or StatisticsBlock;

    /// <summary>Wireshark numbers custom blocks and journal entries like packets; counting them keeps the frame numbers equal to those in Wireshark.</summary>
    private static bool IsNumbered(uint type) => type is JournalBlock or CustomBlock or UncopiedCustomBlock;

    /// <summary>Block length including padding: some programs do not count the padding.</summary>
    private static long Padded(uint length) => (length + 3L) & ~3L;

    /// <summary>Reads a section header, which contains its own byte order.</summary>
    private bool TrySection()
    {
        if (!_input.TryPeek(LeastSection - Suffix, out ReadOnlySpan<byte> header))
        {
            return EndOfInput(header.Length);
        }

        bool little = ByteOrderReader.U32(header[8..], false) == ByteOrderMagic;
        if (!little && ByteOrderReader.U32(header[8..], true) != ByteOrderMagic)
        {
            return Lose($"a section header has the byte-order magic {Convert.ToHexString(header[8..12])} instead of 4D3C2B1A or 1A2B3C4D");
        }

        _bigEndian = !little;
        ushort major = ByteOrderReader.U16(header[12..], _bigEndian);
        long length = Padded(ByteOrderReader.U32(header[4..], _bigEndian));
        if (major != 1 || length < LeastSection)
        {
            return Lose(
                major != 1 ? $"a section has the version {major}, but only version 1 is supported"
                    : $"a section header says it is {length} bytes long, but the shortest possible one has {LeastSection} bytes");
        }

        _losses.EndSection();
        _interfaceCount = 0;
        Seen?.Invoke(SectionMagic, _bigEndian, []);
        return TrySkip(SectionMagic, length);
    }

    private bool TryPeekBlock(long length, out ReadOnlySpan<byte> block)
    {
        block = default;
        if (length > LargestBlock)
        {
            return Lose($"a packet or interface block says it is {length} bytes long, but the limit is {LargestBlock} bytes");
        }

        if (!_input.TryPeek((int)length, out block))
        {
            return Lose(_input.ReadFailure ?? $"the file ends after {block.Length} of the {length} bytes of a block");
        }

        uint first = ByteOrderReader.U32(block[4..], _bigEndian);
        uint second = ByteOrderReader.U32(block[^Suffix..], _bigEndian);
        return first == second || Lose(TwoLengths(first, second));
    }

    private static string TwoLengths(uint first, uint second) => $"a block says it is {first} bytes long at its start and {second} bytes long at its end";

    /// <summary>Skips a block without packet data; it can be too large for the memory.</summary>
    private bool TrySkip(uint type, long length)
    {
        long at = _input.Position;
        _input.TryPeek(Prefix, out ReadOnlySpan<byte> prefix);
        uint first = ByteOrderReader.U32(prefix[4..], _bigEndian);
        if (!_input.TrySkip(length - Suffix) || !_input.TryPeek(Suffix, out ReadOnlySpan<byte> last))
        {
            return Lose(_input.ReadFailure ?? $"the file ends after {_input.BytesRead - at} of the {length} bytes of a block of type {type:X8}", at);
        }

        if (ByteOrderReader.U32(last, _bigEndian) is uint second && second != first)
        {
            return Lose(TwoLengths(first, second), at);
        }

        _input.Advance(Suffix);
        return true;
    }

    private bool EndOfInput()
    {
        _input.TryPeek(Prefix, out ReadOnlySpan<byte> rest);
        return EndOfInput(rest.Length);
    }

    private bool EndOfInput(int rest) =>
        (rest > 0 || _input.ReadFailure is not null) && Lose(_input.ReadFailure ?? $"the file ends after {rest} bytes of a block's header");

    /// <summary>Records that the block cannot be used. The start of the next block is known.</summary>
    private bool Spoil(string reason, long? at = null)
    {
        Damage ??= new(at ?? _input.Position, reason);
        return false;
    }

    private bool Lose(string reason, long? at = null)
    {
        _lost = true;
        return Spoil(reason, at);
    }
}

/// <summary>Gets a block of a pcapng file.</summary>
/// <param name="type">Its type; of blocks that are only counted, that of a custom block.</param>
/// <param name="bigEndian">True when its numbers are big-endian.</param>
/// <param name="body">What stands between its lengths; empty where it is not read.</param>
internal delegate void PcapngBlockSeen(uint type, bool bigEndian, ReadOnlySpan<byte> body);
