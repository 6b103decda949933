using System.Buffers;
using System.Text;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>Passes ASCII bytes on as text, lines ending in LF, piece by piece, so that a long document is never in memory as a whole.</summary>
/// <param name="writer">Receives the text; this class does not dispose it.</param>
internal sealed class AsciiTextBuffer(TextWriter writer) : IBufferWriter<byte>
{
    private byte[] _bytes = new byte[16 * 1024];
    private char[] _text = [];
    private int _count;

    public void Advance(int count) => _count += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        int least = Math.Max(sizeHint, 1);
        if (_bytes.Length - _count < least)
        {
            PassOn();
            _bytes = _bytes.Length < least ? new byte[least] : _bytes;
        }

        return _bytes.AsMemory(_count);
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <summary>Passes on what has not been passed on yet.</summary>
    public void PassOn()
    {
        _text = _text.Length < _count ? new char[_bytes.Length] : _text;
        ReadOnlySpan<byte> left = _bytes.AsSpan(0, _count);
        while (left.Length > 0)
        {
            // Inside a string a carriage return is escaped: a bare one ends a line.
            int end = left.IndexOf((byte)'\r');
            ReadOnlySpan<byte> line = end < 0 ? left : left[..end];
            writer.Write(_text, 0, Encoding.ASCII.GetChars(line, _text));
            left = left[(end < 0 ? line.Length : end + 1)..];
        }

        _count = 0;
    }
}
