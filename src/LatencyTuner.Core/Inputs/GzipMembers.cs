using System.Buffers.Binary;
using System.IO.Compression;

namespace LatencyTuner.Core.Inputs;

/// <summary>
/// The content of a gzip file (RFC 1952), all members one after the other. The stream of .NET ends at a truncation without an error; this one
/// reports it after it has returned the content before it.
/// </summary>
internal sealed class GzipMembers(Stream compressed) : ReadOnlyStream
{
    private const int FixedHeader = 10;
    private const int Trailer = 8;
    private const byte Deflate = 8;

    private readonly GzipChunks _chunks = new(compressed);
    private DeflateStream? _member;
    private long _memberAt;
    private uint _crc;
    private uint _length;
    private bool _any;

    /// <summary>True when the bytes begin a gzip member.</summary>
    public static bool IsMagic(ReadOnlySpan<byte> bytes) => bytes.Length >= 3 && bytes[0] == 0x1F && bytes[1] == 0x8B && bytes[2] == Deflate;

    /// <inheritdoc/>
    /// <exception cref="InvalidDataException">The file is cut off, or its data do not match their checksum.</exception>
    public override int Read(Span<byte> buffer)
    {
        while (_member is not null || TryHeader())
        {
            int count = Inflate(buffer);
            if (count > 0)
            {
                _crc = Crc32.Append(_crc, buffer[..count]);
                _length += (uint)count;
                return count;
            }

            EndMember();
        }

        return 0;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _member?.Dispose();
        _chunks.Dispose();
        base.Dispose(disposing);
    }

    private int Inflate(Span<byte> buffer)
    {
        try
        {
            return _member!.Read(buffer);
        }
        catch (InvalidDataException failure)
        {
            throw new InvalidDataException($"the gzip member at byte {_memberAt} of the file holds data that cannot be decompressed", failure);
        }
    }

    private bool TryHeader()
    {
        ReadOnlySpan<byte> header = _chunks.Peek(FixedHeader);
        // Bytes after the last member are padding; gzip ignores them as well.
        if (header.Length == 0 || (_any && !IsMagic(header)))
        {
            return false;
        }

        _memberAt = _chunks.Position;
        if (header.Length < FixedHeader)
        {
            throw Cut();
        }

        byte flags = header[3];
        _chunks.Advance(FixedHeader);
        if ((flags & 4) != 0)
        {
            ReadOnlySpan<byte> size = _chunks.Peek(2);
            int extra = size.Length < 2 ? throw Cut() : BinaryPrimitives.ReadUInt16LittleEndian(size);
            Skip(2 + extra);
        }

        SkipText((flags & 8) != 0);
        SkipText((flags & 16) != 0);
        Skip((flags & 2) != 0 ? 2 : 0);
        _member = new DeflateStream(_chunks, CompressionMode.Decompress, leaveOpen: true);
        _crc = 0;
        _length = 0;
        return _any = true;
    }

    /// <summary>
    /// The decompressor does not report where in its last chunk the data ended. Their checksum and length follow the data: this method searches
    /// for those eight bytes.
    /// </summary>
    private void EndMember()
    {
        _member!.Dispose();
        _member = null;
        Span<byte> trailer = stackalloc byte[Trailer];
        BinaryPrimitives.WriteUInt32LittleEndian(trailer, _crc);
        BinaryPrimitives.WriteUInt32LittleEndian(trailer[4..], _length);
        if (!_chunks.TryAdvancePast(trailer))
        {
            throw _chunks.Starved ? Cut()
                : new InvalidDataException($"the gzip member at byte {_memberAt} of the file does not end with the checksum of its data");
        }
    }

    private void SkipText(bool present)
    {
        for (bool more = present; more;)
        {
            ReadOnlySpan<byte> next = _chunks.Peek(1);
            more = next.Length == 0 ? throw Cut() : next[0] != 0;
            _chunks.Advance(1);
        }
    }

    private void Skip(int count)
    {
        while (count > 0)
        {
            int step = Math.Min(count, GzipChunks.LargestPeek);
            if (_chunks.Peek(step).Length < step)
            {
                throw Cut();
            }

            _chunks.Advance(step);
            count -= step;
        }
    }

    private InvalidDataException Cut() => new($"the gzip member at byte {_memberAt} of the file is cut off");
}
