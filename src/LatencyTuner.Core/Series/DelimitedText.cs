namespace LatencyTuner.Core.Series;

/// <summary>Cells of a line of delimited text, quoted or not (RFC 4180), without allocation.</summary>
internal static class DelimitedText
{
    private const string Separators = "\t;,|";

    /// <summary>The separator of a line: the candidate that occurs most often outside quotes; a comma when none occurs.</summary>
    internal static char SeparatorOf(ReadOnlySpan<char> line)
    {
        (char best, int most) = (',', 0);
        foreach (char candidate in Separators)
        {
            int count = CountOf(line, candidate);
            if (count > most)
            {
                (best, most) = (candidate, count);
            }
        }
        return best;
    }

    /// <summary>The separator that the first line names for Excel (<c>sep=;</c>); null when it is not such a line.</summary>
    internal static char? SaidSeparator(ReadOnlySpan<char> line)
    {
        ReadOnlySpan<char> said = line.Trim(' ').Trim('"');
        return said.Length == 5 && said.StartsWith("sep=", StringComparison.OrdinalIgnoreCase) ? said[4] : null;
    }

    /// <summary>Number of cells.</summary>
    internal static int CountCells(ReadOnlySpan<char> line, char separator) => CountOf(line, separator) + 1;

    /// <summary>One cell without its quotes and outer blanks; false when the line has fewer.</summary>
    internal static bool TryCell(ReadOnlySpan<char> line, char separator, int index, out ReadOnlySpan<char> cell)
    {
        int start = 0;
        bool quoted = false;
        for (int i = 0; i <= line.Length; i++)
        {
            if (i < line.Length && line[i] == '"')
            {
                quoted = !quoted;
            }
            else if (i == line.Length || (line[i] == separator && !quoted))
            {
                if (index-- == 0)
                {
                    cell = line[start..i].Trim().Trim('"').Trim();
                    return true;
                }
                start = i + 1;
            }
        }
        cell = default;
        return false;
    }

    private static int CountOf(ReadOnlySpan<char> line, char separator)
    {
        int count = 0;
        bool quoted = false;
        foreach (char c in line)
        {
            quoted ^= c == '"';
            count += c == separator && !quoted ? 1 : 0;
        }
        return count;
    }
}
