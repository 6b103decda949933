using LatencyTuner.Core.Inputs;

namespace LatencyTuner.Core.Capture;

/// <summary>Reads a stream through one buffer, so that a whole record can be read without a copy. Works for files, pipes and decompressors.</summary>
/// <param name="stream">The bytes; this object disposes the stream.</param>
/// <param name="wrapping">The outer containers as text for a report, for example <c> in gzip</c>.</param>
internal sealed class ByteInput(Stream stream, string wrapping = "") : IDisposable
{
    /// <summary>The largest record that can be peeked, in bytes.</summary>
    public const int LargestPeek = 16 << 20;

    private const int FirstSize = 1 << 14;
    private const int UsualSize = 1 << 18;

    private byte[] _buffer = new byte[FirstSize];
    private int _start;
    private int _end;
    private bool _ended;

    /// <summary>The outer containers as text, for example <c> in gzip</c>; empty for a plain file.</summary>
    public string Wrapping => wrapping;

    /// <summary>Offset in the stream of the next byte.</summary>
    public long Position { get; private set; }

    /// <summary>Bytes read from the stream so far.</summary>
    public long BytesRead => Position + (_end - _start);

    /// <summary>Why the stream ended too early, for example a broken gzip member; null when it did not.</summary>
    public string? ReadFailure { get; private set; }

    /// <summary>Gets the next bytes without consuming them.</summary>
    /// <param name="count">0 to <see cref="LargestPeek"/>.</param>
    /// <param name="bytes">Exactly that many, or fewer at the end of the stream.</param>
    /// <returns>False when the stream ends earlier.</returns>
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
    /// <param name="count">At most as many bytes as the last peek returned.</param>
    public void Advance(int count)
    {
        _start += count;
        Position += count;
    }

    /// <summary>Consumes bytes whether or not they fit in memory.</summary>
    /// <param name="count">0 or more.</param>
    /// <returns>False when the stream ends earlier.</returns>
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

    /// <summary>The rest as a stream, which owns this input.</summary>
    public Stream AsStream() => new Rest(this);

    public void Dispose() => stream.Dispose();

    /// <summary>Reads until that many bytes are buffered. The buffer grows with the bytes that were read, never with a length field of the file.</summary>
    private void Fill(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, LargestPeek);
        Buffer.BlockCopy(_buffer, _start, _buffer, 0, _end - _start);
        _end -= _start;
        _start = 0;
        while (_end < count && !_ended)
        {
            if (_end == _buffer.Length || (BytesRead > _buffer.Length && _buffer.Length < UsualSize))
            {
                Array.Resize(ref _buffer, Math.Min(Math.Max(2 * _buffer.Length, UsualSize), LargestPeek + UsualSize));
            }

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

    private sealed class Rest(ByteInput input) : ReadOnlyStream
    {
        public override int Read(Span<byte> buffer)
        {
            input.TryPeek(1, out ReadOnlySpan<byte> next);
            int count = next.Length == 0 ? 0 : Math.Min(buffer.Length, input._end - input._start);
            input._buffer.AsSpan(input._start, count).CopyTo(buffer);
            input.Advance(count);
            return count > 0 || input.ReadFailure is null ? count : throw new InvalidDataException(input.ReadFailure);
        }

        protected override void Dispose(bool disposing)
        {
            if (disposing)
            {
                input.Dispose();
            }

            base.Dispose(disposing);
        }
    }
}
