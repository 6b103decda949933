namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>A pipe whose first bytes were looked at: they come once more, then the rest.</summary>
internal sealed class RewoundStream(byte[] head, Stream rest) : Stream
{
    private int _at;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        if (_at == head.Length)
        {
            return rest.Read(buffer);
        }

        int count = Math.Min(buffer.Length, head.Length - _at);
        head.AsSpan(_at, count).CopyTo(buffer);
        _at += count;
        return count;
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush()
    {
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            rest.Dispose();
        }

        base.Dispose(disposing);
    }
}
