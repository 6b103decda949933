using System.Text;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Measurement.FarEnds;

/// <summary>
/// Finds the start line in what a remote shell prints. Banners and the output of profiles before it are kept, within limits; whatever the far end sends, no
/// more than that is held.
/// </summary>
public sealed class StartLineReader
{
    /// <summary>Most lines before the start line.</summary>
    public const int MostLines = 200;

    /// <summary>Most bytes before the start line.</summary>
    public const int MostBytes = 64 * 1024;

    private static readonly byte[] Mark = [.. Encoding.ASCII.GetBytes(StartLine.Word), (byte)' '];
    private readonly List<string> _banner = [];
    private readonly byte[] _line = new byte[MostBytes + StartLine.MostBytes];
    private int _length;
    private int _bytes;

    /// <summary>The line; null until it was found.</summary>
    public StartLine? Found { get; private set; }

    /// <summary>Why it will not be found, a clause; null as long as it may.</summary>
    public string? Problem { get; private set; }

    /// <summary>What came before the line, without control characters, the unfinished last line included.</summary>
    public IReadOnlyList<string> Banner => _length == 0 ? _banner : [.. _banner, Shown(_line.AsSpan(0, _length))];

    /// <summary>Takes bytes of the far end; those after the line, or after a problem, are dropped.</summary>
    /// <param name="bytes">The bytes.</param>
    public void Take(ReadOnlySpan<byte> bytes)
    {
        foreach (byte b in bytes)
        {
            if (Found is not null || Problem is not null)
            {
                return;
            }

            if (b == (byte)'\n')
            {
                EndLine();
                continue;
            }

            _line[_length++] = b;
            CheckLength();
        }
    }

    /// <summary>The far end has closed its output: a last line needs no end.</summary>
    public void Close()
    {
        if (_length > 0 && Found is null && Problem is null)
        {
            EndLine();
        }
    }

    private void CheckLength()
    {
        if (++_bytes >= _line.Length || (_bytes > MostBytes && _line.AsSpan(0, _length).IndexOf(Mark) < 0))
        {
            Problem = $"{MostBytes / 1024} KiB came without a start line";
        }
    }

    private void EndLine()
    {
        ReadOnlySpan<byte> line = _line.AsSpan(0, _length);
        _length = 0;
        // Behind what a profile printed without an end of line, or a terminal's escape codes, it is the start line all the same.
        int mark = line.IndexOf(Mark);
        if (mark >= 0)
        {
            ReadOnlySpan<byte> json = line[(mark + Mark.Length)..].TrimEnd(" \r\t"u8);
            string? problem = $"its JSON has {json.Length} bytes; at most {StartLine.MostBytes} are expected";
            Found = json.Length > StartLine.MostBytes ? null : StartLine.Read(json, out problem);
            Problem = Found is null ? $"the start line is not valid: {problem}" : null;
            return;
        }

        _banner.Add(Shown(line));
        Problem = _banner.Count >= MostLines ? $"{MostLines} lines came without a start line" : null;
    }

    private static string Shown(ReadOnlySpan<byte> line) => Quoting.Plain(Encoding.UTF8.GetString(line).TrimEnd(), 200);
}
