using System.Buffers;
using System.Globalization;
using System.Text;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>Collects lines no longer than the width, and removes the control characters of text from outside.</summary>
internal sealed class TextCanvas(TextReportOptions options)
{
    private static readonly HashSet<string> UnitNames = ["ns", "us", "ms", "s", "%", "B", "KiB", "MiB"];

    // Characters that join the parts of addresses, paths and names.
    private static readonly SearchValues<char> Joints = SearchValues.Create(":/\\.]-_=@,;");
    private readonly StringBuilder _text = new();

    /// <summary>Adds a line as it is, without what would not show.</summary>
    internal void Line(string line) => _text.Append(line.TrimEnd()).Append('\n');

    /// <summary>Adds drawn lines.</summary>
    internal void Lines(IEnumerable<string> lines, string indent)
    {
        foreach (string line in lines)
        {
            Line(indent + line);
        }
    }

    /// <summary>Adds text, wrapped at blanks; a longer word is cut.</summary>
    internal void Wrapped(string text, string first, string hanging, Tone tone = Tone.Neutral, bool bold = false, bool dim = false)
    {
        IReadOnlyList<string> lines = Wrap(Clean(text), Clean(first), hanging, options.Width);
        for (int i = 0; i < lines.Count; i++)
        {
            // The lead of the first line stands out; text without a lead does so as a whole.
            int length = first.Length == 0 ? lines[i].Length : i == 0 ? Math.Min(Clean(first).TrimEnd().Length, lines[0].Length) : 0;
            string marked = bold ? Styled(lines[i], length, tone) : lines[i];
            Line(dim && options.Color ? $"\u001b[2m{marked}\u001b[0m" : marked);
        }
    }

    /// <summary>Text in the colour of its tone.</summary>
    internal string Toned(string text, Tone tone) => options.Color && Code(tone) is { } code ? $"\u001b[{code}m{text}\u001b[0m" : text;

    /// <summary>Text that can do no harm to a terminal: one line, no control or direction characters, ASCII where asked for.</summary>
    internal string Clean(string text)
    {
        StringBuilder clean = new(text.Length);
        foreach (char c in text)
        {
            UnicodeCategory category = char.GetUnicodeCategory(c);
            if (c is '\r' or '\n' or '\t' or '\u2028' or '\u2029')
            {
                clean.Append(' ');
            }
            else if (category is UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.PrivateUse or UnicodeCategory.OtherNotAssigned
                || (options.Ascii && c > '~'))
            {
                clean.Append('?');
            }
            else
            {
                clean.Append(c);
            }
        }

        return clean.ToString();
    }

    /// <summary>Lines of at most <paramref name="width"/> characters.</summary>
    internal static IReadOnlyList<string> Wrap(string text, string first, string hanging, int width)
    {
        List<string> lines = new();
        StringBuilder line = new(first);
        bool empty = true;
        foreach (string part in Units(text))
        {
            string word = part;
            if (!empty && line.Length + 1 + word.Length > width)
            {
                Break();
            }

            if (!empty)
            {
                line.Append(' ');
            }

            while (line.Length + word.Length > width)
            {
                int room = Math.Max(1, width - line.Length);
                int cut = Joint(word.AsSpan(0, Math.Min(room, word.Length)));
                line.Append(word.AsSpan(0, cut));
                word = word[cut..];
                Break();
            }

            line.Append(word);
            empty = word.Length == 0 && empty;
        }

        lines.Add(line.ToString());
        return lines;

        void Break()
        {
            lines.Add(line.ToString());
            line.Clear().Append(hanging);
            empty = true;
        }
    }

    /// <summary>
    /// Where to cut a word that is too long: after the last character that joins parts of names, so that no port or address is cut; at
    /// the end of the line where the line would become too short.
    /// </summary>
    private static int Joint(ReadOnlySpan<char> word)
    {
        int after = word.LastIndexOfAny(Joints) + 1;
        return 2 * after > word.Length ? after : word.Length;
    }

    /// <summary>The words of a text, a figure and its unit as one, so that no line ends between "44.0" and "ms".</summary>
    private static List<string> Units(string text)
    {
        List<string> words = new();
        foreach (string word in text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            string last = words.Count == 0 ? "" : words[^1];
            bool isUnit = last.Length is > 0 and < 24 && char.IsAsciiDigit(last[^1]) && UnitNames.Contains(word.TrimEnd('.', ',', ';', ':', ')'));
            bool isCount = last.EndsWith("n =", StringComparison.Ordinal) || (word == "=" && last.TrimStart('(') == "n") || last is ">=" or "<" or ">";
            if (isUnit || isCount)
            {
                words[^1] = last + " " + word;
            }
            else
            {
                words.Add(word);
            }
        }

        return words;
    }

    /// <inheritdoc/>
    public override string ToString() => _text.ToString();

    private static string? Code(Tone tone) => tone switch
    {
        Tone.Good => "32",
        Tone.Bad => "31",
        Tone.Unsure => "33",
        _ => null,
    };

    private string Styled(string line, int length, Tone tone)
    {
        if (!options.Color || length == 0)
        {
            return line;
        }

        string code = Code(tone) is { } color ? "1;" + color : "1";
        return $"\u001b[{code}m{line[..length]}\u001b[0m{line[length..]}";
    }
}
