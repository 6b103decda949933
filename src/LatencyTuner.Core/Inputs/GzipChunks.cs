namespace LatencyTuner.Core.Inputs;

/// <summary>
/// Passes compressed bytes to a decompressor. The last chunk stays in the buffer, so that unused bytes at its end can be read again.
/// </summary>
internal sealed class GzipChunks(Stream compressed) : ReadOnlyStream
{
    /// <summary>The most bytes that <see cref="Peek"/> returns.</summary>
    public const int LargestPeek = 1 << 12;

    private const int MostChunk = 1 << 14;
    private const int Size = 1 << 16;

    private readonly byte[] _buffer = new byte[Size];
    private int _chunk;
    private int _next;
    private int _end;
    private long _read;
    private bool _ended;

    /// <summary>File offset of the next byte.</summary>
    public override long Position { get => _read - (_end - _next); set => throw new NotSupportedException(); }

    /// <summary>True when the decompressor wanted more than the file has.</summary>
    public bool Starved { get; private set; }

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        _chunk = _next;
        int count = Math.Min(Math.Min(buffer.Length, MostChunk), Peek(1).Length == 0 ? 0 : _end - _next);
        _buffer.AsSpan(_next, count).CopyTo(buffer);
        _next += count;
        Starved |= count == 0;
        return count;
    }

    /// <summary>Looks at the next bytes.</summary>
    /// <param name="count">At most <see cref="LargestPeek"/>.</param>
    /// <returns>The next bytes; fewer than the count at the end of the file.</returns>
    public ReadOnlySpan<byte> Peek(int count)
    {
        if (_end - _next < count && !_ended)
        {
            Fill(count);
        }

        return _buffer.AsSpan(_next, Math.Min(count, _end - _next));
    }

    /// <summary>Consumes bytes that were peeked.</summary>
    public void Advance(int count)
    {
        _next += count;
        _chunk = _next;
    }

    /// <summary>Moves to the end of the first occurrence of the given bytes, in the last chunk or directly after it.</summary>
    public bool TryAdvancePast(ReadOnlySpan<byte> mark)
    {
        Peek(mark.Length);
        int end = Math.Min(_end, _next + mark.Length);
        int at = _buffer.AsSpan(_chunk, end - _chunk).IndexOf(mark);
        if (at >= 0)
        {
            _next = _chunk + at + mark.Length;
            _chunk = _next;
        }

        return at >= 0;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        // The decompressor of each member disposes nothing: leaveOpen.
        if (disposing)
        {
            compressed.Dispose();
        }

        base.Dispose(disposing);
    }

    private void Fill(int count)
    {
        if (_buffer.Length - _next < count)
        {
            Buffer.BlockCopy(_buffer, _chunk, _buffer, 0, _end - _chunk);
            _next -= _chunk;
            _end -= _chunk;
            _chunk = 0;
        }

        while (_end - _next < count && !_ended)
        {
            int read = compressed.Read(_buffer, _end, _buffer.Length - _end);
            _read += read;
            _end += read;
            _ended = read == 0;
        }
    }
}
