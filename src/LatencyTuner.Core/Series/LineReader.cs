using System.Text;
using LatencyTuner.Core.Inputs;

namespace LatencyTuner.Core.Series;

/// <summary>Lines of a text in UTF-8 or UTF-16, with or without a byte-order mark, without ever holding more than one line.</summary>
internal sealed class LineReader : IDisposable
{
    /// <summary>The longest line read, characters.</summary>
    internal const int LongestLine = 65_536;

    private readonly string _path;
    private readonly StreamReader _reader;
    private readonly char[] _buffer = new char[2 * LongestLine];
    private int _from;
    private int _to;
    private bool _ended;

    internal LineReader(Stream stream, string path)
    {
        _path = path;
        byte[] head = new byte[4];
        int read = stream.ReadAtLeast(head, 4, throwOnEndOfStream: false);
        bool little = read >= 2 && ((head[0] == 0xFF && head[1] == 0xFE) || (head[0] != 0 && head[1] == 0));
        bool big = read >= 2 && ((head[0] == 0xFE && head[1] == 0xFF) || (head[0] == 0 && head[1] != 0));
        Encoding encoding = little ? Encoding.Unicode : big ? Encoding.BigEndianUnicode : Encoding.UTF8;
        _reader = new StreamReader(new HeadStream(head.AsMemory(0, read), stream), encoding, detectEncodingFromByteOrderMarks: true, bufferSize: 1 << 16);
    }

    /// <summary>Number of the line last read, from 1.</summary>
    internal long Number { get; private set; }

    /// <summary>True when the line last read ended with the file instead of a line break.</summary>
    internal bool IsUnfinished { get; private set; }

    /// <summary>Reads the next line; the span is valid until the next call.</summary>
    /// <exception cref="ExpectedFailureException">A line is too long, or the file is not text.</exception>
    internal bool TryRead(out ReadOnlySpan<char> line)
    {
        while (true)
        {
            int end = _buffer.AsSpan(_from, _to - _from).IndexOf('\n');
            if (end >= 0 || (_ended && _to > _from))
            {
                IsUnfinished = end < 0;
                int length = end >= 0 ? end : _to - _from;
                // IIS preallocates its log files: zeros follow the last line, and after a crash they remain before the next line.
                line = _buffer.AsSpan(_from, length).TrimEnd('\r').Trim('\0');
                _from += length + (end >= 0 ? 1 : 0);
                Number++;
                if (line.Contains('\0'))
                {
                    throw new ExpectedFailureException(
                        ExitCode.Input, $"{_path}: line {Number}: the file is not text; a CSV file, an IIS log or a series of this program is expected.");
                }

                if (line.Length > LongestLine)
                {
                    throw TooLong();
                }

                return true;
            }
            if (_ended)
            {
                line = default;
                return false;
            }
            if (_to - _from > LongestLine)
            {
                throw TooLong();
            }

            _buffer.AsSpan(_from, _to - _from).CopyTo(_buffer);
            (_to, _from) = (_to - _from, 0);
            int got = _reader.Read(_buffer, _to, _buffer.Length - _to);
            _ended = got == 0;
            _to += got;
        }
    }

    public void Dispose() => _reader.Dispose();

    private ExpectedFailureException TooLong() =>
        new(
            ExitCode.Input,
            $"{_path}: line {Number + 1} has more than {LongestLine} characters; a CSV file, an IIS log or a series of this program is expected.");
}
