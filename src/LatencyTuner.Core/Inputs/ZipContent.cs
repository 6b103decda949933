using System.IO.Compression;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Inputs;

/// <summary>The content of one file in a zip, checked against its checksum and length at its end.</summary>
internal sealed class ZipContent : ReadOnlyStream
{
    /// <summary>The two supported compression methods: stored and deflate.</summary>
    public const ushort Stored = 0;

    public const ushort Deflated = 8;

    private readonly ZipEntry _entry;
    private readonly Stream _data;
    private uint _crc;
    private long _length;

    /// <summary>Opens one file in a zip.</summary>
    /// <param name="file">The zip; disposed with this stream.</param>
    /// <param name="entry">The file in it; stored or deflated.</param>
    /// <exception cref="InvalidDataException">The file is not at the offset that the directory gives.</exception>
    public ZipContent(Stream file, ZipEntry entry)
    {
        _entry = entry;
        file.Position = ZipDirectory.DataOffset(file, entry);
        Stream part = new PartOfStream(file, entry.CompressedLength);
        _data = entry.Method == Deflated ? new DeflateStream(part, CompressionMode.Decompress) : part;
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidDataException">The zip is cut off, or its data do not match their checksum.</exception>
    public override int Read(Span<byte> buffer)
    {
        int count = Inflate(buffer);
        _crc = Crc32.Append(_crc, buffer[..count]);
        _length += count;
        return count > 0 || buffer.Length == 0 || (_length == _entry.Length && _crc == _entry.Crc) ? count
            : throw new InvalidDataException(
                _length < _entry.Length ? $"{Quoting.Quote(_entry.Name)} ends after {_length} of its {_entry.Length} bytes"
                    : $"{Quoting.Quote(_entry.Name)} does not match its checksum");
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _data.Dispose();
        base.Dispose(disposing);
    }

    private int Inflate(Span<byte> buffer)
    {
        try
        {
            return _data.Read(buffer);
        }
        catch (InvalidDataException failure)
        {
            throw new InvalidDataException($"{Quoting.Quote(_entry.Name)} holds data that cannot be decompressed", failure);
        }
    }
}
