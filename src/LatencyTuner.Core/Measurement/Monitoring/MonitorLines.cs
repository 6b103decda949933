namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>Lines of a stored series as bytes, with their offsets; a line that is longer than any record counts as damaged.</summary>
internal sealed class MonitorLines(Stream stream)
{
    private const int LongestRecord = 1 << 20;
    private readonly byte[] _buffer = new byte[LongestRecord + (1 << 16)];
    private int _from;
    private int _to;
    private bool _ended;

    internal long Number { get; private set; }

    /// <summary>Where the line last read ends, its line feed included.</summary>
    internal long Position { get; private set; }

    /// <summary>The next lines; null at the end.</summary>
    /// <param name="most">The most bytes that they have together, but for the last.</param>
    internal List<byte[]>? ReadSome(int most)
    {
        List<byte[]> lines = [];
        while (most > 0 && TryRead(out ReadOnlySpan<byte> line))
        {
            lines.Add(line.ToArray());
            most -= line.Length;
        }

        return lines.Count > 0 ? lines : null;
    }

    /// <summary>Reads the next line that ends in a line feed; an incomplete rest after the last one is not returned.</summary>
    internal bool TryRead(out ReadOnlySpan<byte> line)
    {
        while (true)
        {
            int end = _buffer.AsSpan(_from, _to - _from).IndexOf((byte)'\n');
            if (end < 0 && _to - _from > LongestRecord)
            {
                end = _to - _from - 1;
            }

            if (end >= 0)
            {
                line = _buffer.AsSpan(_from, end);
                _from += end + 1;
                Position += end + 1;
                Number++;
                return true;
            }
            if (_ended)
            {
                line = default;
                return false;
            }
            _buffer.AsSpan(_from, _to - _from).CopyTo(_buffer);
            (_to, _from) = (_to - _from, 0);
            int read = stream.Read(_buffer, _to, _buffer.Length - _to);
            _ended = read == 0;
            _to += read;
        }
    }
}
