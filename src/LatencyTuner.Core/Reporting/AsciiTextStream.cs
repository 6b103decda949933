using System.Text;

namespace LatencyTuner.Core.Reporting;

/// <summary>Passes ASCII bytes on as text, lines ending in LF, so that a long document is never in memory as a whole.</summary>
/// <param name="writer">Gets the text; not owned.</param>
internal sealed class AsciiTextStream(TextWriter writer) : Stream
{
    private readonly char[] _text = new char[4096];

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        while (buffer.Length > 0)
        {
            // Inside a string a carriage return is escaped: a bare one ends a line.
            int end = buffer.IndexOf((byte)'\r');
            ReadOnlySpan<byte> line = buffer[..Math.Min(end < 0 ? buffer.Length : end, _text.Length)];
            writer.Write(_text, 0, Encoding.ASCII.GetChars(line, _text));
            buffer = buffer[(line.Length == end ? end + 1 : line.Length)..];
        }
    }

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
