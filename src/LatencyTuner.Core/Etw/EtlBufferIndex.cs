namespace LatencyTuner.Core.Etw;

/// <summary>Finds all buffers of a trace, continues after damaged places, and sorts the buffers by the time of their first event.</summary>
internal sealed class EtlBufferIndex
{
    /// <summary>Largest number of buffers that are read; with the usual 64 KiB per buffer that is 256 GiB.</summary>
    internal const int MaxBuffers = 4 * 1024 * 1024;

    private const int WindowBytes = 4096;
    private const int SearchBytes = 1 << 16;
    private const int FirstEventBytes = 256;

    /// <summary>Largest number of checks of possible buffer headers; a hostile file could otherwise require one at every byte.</summary>
    private const int MaxLooks = 1_000_000;

    private readonly EtlSource _source;
    private readonly EtlDamageLog _damage;
    private readonly EtlWindow _window;
    private readonly EtlWindow _ahead;
    private readonly List<EtlBufferEntry> _entries = [];
    private readonly byte[] _first = new byte[FirstEventBytes];
    private byte[]? _piece;
    private ushort _compression;
    private int _looks;

    private EtlBufferIndex(EtlSource source, EtlDamageLog damage) =>
        (_source, _damage, _window, _ahead) = (source, damage, new EtlWindow(source, WindowBytes), new EtlWindow(source, WindowBytes));

    /// <summary>The buffers by the time of their first event; buffers with equal times are in file order.</summary>
    internal EtlBufferEntry[] Entries { get; private set; } = [];

    /// <summary>The first buffer of the file, which holds the log file header; null when there is none.</summary>
    internal EtlBufferEntry? FirstOfFile { get; private set; }

    internal int Compressed { get; private set; }

    internal int AfterLoss { get; private set; }

    internal long SkippedBytes { get; private set; }

    internal static EtlBufferIndex Build(EtlSource source, EtlDamageLog damage, CancellationToken cancellation)
    {
        EtlBufferIndex index = new(source, damage);
        index.Walk(cancellation);
        return index;
    }

    private void Walk(CancellationToken cancellation)
    {
        long at = 0;
        long lastBuffer = -1;
        while (at < _source.Length)
        {
            if (!EtlBufferHeader.TryRead(_window.Peek(at, EtlBufferHeader.Length), out EtlBufferHeader header))
            {
                // The size of the previous buffer may be wrong, so the search starts inside that buffer.
                long next = Search(lastBuffer < 0 ? at + 1 : lastBuffer + EtlBufferHeader.Length, cancellation);
                if (next < 0 && lastBuffer >= 0 && IsReserved(at))
                {
                    break;
                }

                _damage.Add(
                    EtlDamageKind.BufferHeader, at,
                    next < 0 ? "there is no buffer header, and none after it" : "there is no buffer header; the next one is at byte #", next);
                long end = next < 0 ? _source.Length : next;
                SkippedBytes += Math.Max(0, end - at);
                if (next < 0)
                {
                    break;
                }

                if (next < at)
                {
                    CutLast(next);
                }

                at = next;
                continue;
            }

            cancellation.ThrowIfCancellationRequested();
            if (_entries.Count == MaxBuffers)
            {
                _damage.Add(EtlDamageKind.TooManyBuffers, at, "the limit of # buffers is reached; the rest is not read", MaxBuffers);
                SkippedBytes += _source.Length - at;
                break;
            }

            // A buffer that ends after the end of the file: the file is cut off, or the size is wrong and another buffer starts before the end.
            long inside = at + header.Size > _source.Length ? Search(at + EtlBufferHeader.Length, cancellation) : -1;
            Add(at, header, inside < 0 ? _source.Length : inside);
            lastBuffer = at;
            at = inside < 0 ? at + header.Size : inside;
        }

        FirstOfFile = _entries.Count > 0 ? _entries[0] : null;
        Entries = [.. _entries];
        Array.Sort(Entries, (a, b) => a.FirstTimestamp != b.FirstTimestamp ? a.FirstTimestamp.CompareTo(b.FirstTimestamp) : a.Order.CompareTo(b.Order));
    }

    private void Add(long at, EtlBufferHeader header, long end)
    {
        if (_entries.Count == 0)
        {
            _compression = header.Compression;
        }

        AfterLoss += header.IsAfterLoss ? 1 : 0;
        int size = (int)Math.Min(header.Size, end - at);
        if (size < header.Size)
        {
            _damage.Add(
                EtlDamageKind.BufferLength, at, "a buffer ends # bytes after the end of the file or after the start of the next buffer", header.Size - size);
        }

        if (header.IsCompressed)
        {
            Compressed++;
            if (_compression is 2 or 4)
            {
                _damage.Add(
                    EtlDamageKind.Compression, at, "a buffer has compression format # (2: LZNT1, 4: XPRESS Huffman); only 3 (plain XPRESS) is supported",
                    _compression);
                return;
            }
        }

        long before = _entries.Count > 0 ? _entries[^1].FirstTimestamp : long.MinValue;
        int valid = header.IsCompressed ? header.Valid : Math.Min(header.Valid, size);
        _entries.Add(
            new EtlBufferEntry(
                at, size, valid, FirstTime(at, size, valid, header.IsCompressed, before), _entries.Count, header.Processor, header.IsCompressed));
    }

    private long FirstTime(long at, int size, int valid, bool compressed, long otherwise)
    {
        ReadOnlySpan<byte> bytes = _window.Peek(at + EtlBufferHeader.Length, Math.Min(FirstEventBytes * 2, size - EtlBufferHeader.Length));
        if (compressed)
        {
            Span<byte> wanted = _first.AsSpan(0, Math.Min(_first.Length, valid - EtlBufferHeader.Length));
            bytes = wanted[..XpressDecompressor.Decompress(bytes, wanted)];
        }
        else
        {
            bytes = bytes[..Math.Min(bytes.Length, Math.Max(0, valid - EtlBufferHeader.Length))];
        }

        return EtlEventParser.TryPeekTime(bytes, out long timestamp) ? timestamp : otherwise;
    }

    /// <summary>Shortens the last buffer, which overlapped the buffer that was found.</summary>
    private void CutLast(long next)
    {
        EtlBufferEntry last = _entries[^1];
        int size = (int)(next - last.Offset);
        _entries[^1] = last with { Size = size, Valid = last.IsCompressed ? last.Valid : Math.Min(last.Valid, size) };
    }

    /// <summary>The next position where two consecutive buffers, or one buffer up to the end of the file, are possible; -1 when there is none.</summary>
    private long Search(long from, CancellationToken cancellation)
    {
        byte[] piece = _piece ??= new byte[SearchBytes + EtlBufferHeader.Length];
        for (long start = from; start + EtlBufferHeader.Length <= _source.Length; start += SearchBytes)
        {
            cancellation.ThrowIfCancellationRequested();
            int count = _source.Read(start, piece);
            for (int i = 0; i < SearchBytes && i + EtlBufferHeader.Length <= count; i++)
            {
                // No header starts with a size of 0, and preallocated files can contain gigabytes of zeros.
                if (piece[i + 3] == 0 && piece.AsSpan(i, count - i).IndexOfAnyExcept((byte)0) is var zeros && (zeros < 0 || zeros > 3))
                {
                    i = zeros < 0 ? count : i + zeros - 4;
                    continue;
                }

                if (EtlBufferHeader.TryRead(piece.AsSpan(i, EtlBufferHeader.Length), out EtlBufferHeader header) && IsLikely(start + i, header))
                {
                    return start + i;
                }

                if (_looks >= MaxLooks)
                {
                    return -1;
                }
            }
        }

        return -1;
    }

    /// <summary>True for the unused part of a preallocated file, which is zero.</summary>
    private bool IsReserved(long at) => _window.Peek(at, WindowBytes).IndexOfAnyExcept((byte)0) < 0;

    private bool IsLikely(long at, EtlBufferHeader header)
    {
        _looks++;
        ReadOnlySpan<byte> first = _ahead.Peek(at + EtlBufferHeader.Length, EtlEventParser.PeekBytes);
        if (!header.IsCompressed && header.Valid > EtlBufferHeader.Length + EtlEventParser.PeekBytes && !EtlEventParser.TryPeekTime(first, out _))
        {
            return false;
        }

        long next = at + header.Size;
        return next == _source.Length || (next < _source.Length && EtlBufferHeader.TryRead(_ahead.Peek(next, EtlBufferHeader.Length), out _));
    }
}

/// <summary>Position of a buffer in the file, and the time of its first event.</summary>
/// <param name="Offset">Offset in the file, in bytes.</param>
/// <param name="Size">Size in the file in bytes, header included; limited by the end of the file.</param>
/// <param name="Valid">Size of header and events after decompression, in bytes; for an uncompressed buffer limited by the end of the file.</param>
/// <param name="FirstTimestamp">Clock value of its first event.</param>
/// <param name="Order">Position among the buffers of the file, from 0.</param>
/// <param name="Processor">The processor it belonged to.</param>
/// <param name="IsCompressed">True when its events are compressed.</param>
internal readonly record struct EtlBufferEntry(long Offset, int Size, int Valid, long FirstTimestamp, int Order, int Processor, bool IsCompressed);

/// <summary>Reads small pieces of a trace through one buffer.</summary>
internal sealed class EtlWindow(EtlSource source, int bytes)
{
    private readonly byte[] _window = new byte[bytes];
    private long _start;
    private int _count;

    /// <summary>The bytes at a position; fewer than requested only at the end. Valid until the next call.</summary>
    /// <param name="offset">Offset from the start of the trace, in bytes.</param>
    /// <param name="wanted">Number of bytes, at most the size of the window.</param>
    internal ReadOnlySpan<byte> Peek(long offset, int wanted)
    {
        if (offset < _start || offset + wanted > _start + _count)
        {
            _start = offset;
            _count = offset < source.Length ? source.Read(offset, _window) : 0;
        }

        int at = (int)(offset - _start);
        return _window.AsSpan(at, Math.Min(wanted, _count - at));
    }
}
