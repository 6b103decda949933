namespace LatencyTuner.Core.Capture;

/// <summary>A stream read through one buffer, so that a record can be looked at whole without a copy. Files, pipes and decompressors alike.</summary>
internal sealed class ByteInput(Stream stream) : IDisposable
{
    /// <summary>The largest record that can be looked at whole, in bytes.</summary>
    public const int LargestPeek = 16 << 20;

    private const int UsualSize = 1 << 18;

    private byte[] _buffer = new byte[UsualSize];
    private int _start;
    private int _end;
    private bool _ended;

    /// <summary>Offset in the stream of the next byte.</summary>
    public long Position { get; private set; }

    /// <summary>Bytes read from the stream so far.</summary>
    public long BytesRead => Position + (_end - _start);

    /// <summary>Why the stream ended before its end, such as a broken gzip member; null when it did not.</summary>
    public string? ReadFailure { get; private set; }

    /// <summary>Looks at the next bytes without consuming them.</summary>
    /// <param name="count">0 to <see cref="LargestPeek"/>.</param>
    /// <param name="bytes">Exactly that many, or fewer at the end of the stream.</param>
    /// <returns>False when the stream ends before.</returns>
    public bool TryPeek(int count, out ReadOnlySpan<byte> bytes)
    {
        if (_end - _start < count)
        {
            Fill(count);
        }

        bytes = new ReadOnlySpan<byte>(_buffer, _start, Math.Min(count, _end - _start));
        return bytes.Length == count;
    }

    /// <summary>Consumes bytes that were peeked.</summary>
    /// <param name="count">At most as many as the last peek gave.</param>
    public void Advance(int count)
    {
        _start += count;
        Position += count;
    }

    /// <summary>Consumes bytes whether or not they fit in memory.</summary>
    /// <param name="count">0 or more.</param>
    /// <returns>False when the stream ends before.</returns>
    public bool TrySkip(long count)
    {
        while (count > 0)
        {
            int step = (int)Math.Min(count, UsualSize);
            bool whole = TryPeek(step, out ReadOnlySpan<byte> bytes);
            Advance(bytes.Length);
            count -= bytes.Length;
            if (!whole)
            {
                return false;
            }
        }

        return true;
    }

    public void Dispose() => stream.Dispose();

    private void Fill(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, LargestPeek);
        byte[] target = _buffer.Length >= count ? _buffer : new byte[count + UsualSize];
        Buffer.BlockCopy(_buffer, _start, target, 0, _end - _start);
        _buffer = target;
        _end -= _start;
        _start = 0;
        while (_end < count && !_ended)
        {
            int read = Read();
            _end += read;
            _ended = read == 0;
        }
    }

    private int Read()
    {
        try
        {
            return stream.Read(_buffer, _end, _buffer.Length - _end);
        }
        catch (Exception failure) when (failure is InvalidDataException or IOException)
        {
            ReadFailure = failure.Message.TrimEnd('.');
            return 0;
        }
    }
}
