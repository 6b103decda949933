namespace LatencyTuner.Core.Settings;

/// <summary>Finds the names that were probably meant by a name that does not exist.</summary>
public static class NearMatches
{
    /// <summary>
    /// The names nearest to a text, nearest first: those that contain it, and those within a third of its length, at least two, in single-letter edits.
    /// </summary>
    /// <param name="text">The name that was given.</param>
    /// <param name="names">The names that exist.</param>
    /// <param name="most">The most names to return.</param>
    public static IReadOnlyList<string> Of(string text, IEnumerable<string> names, int most = 3)
    {
        ArgumentNullException.ThrowIfNull(text);
        ArgumentNullException.ThrowIfNull(names);

        // Names are short, so that a longer text is none of them; the table below grows with the product of both lengths.
        if (text.Length is 0 or > 200)
        {
            return [];
        }

        return
        [
            .. names.Distinct(StringComparer.OrdinalIgnoreCase)
                .Select(n => (Name: n, Distance: Distance(text, n), Inside: text.Length >= 3 && n.Contains(text, StringComparison.OrdinalIgnoreCase)))
                .Where(c => c.Inside || c.Distance <= (text.Length < 4 ? 1 : Math.Max(2, text.Length / 3)))
                .OrderBy(c => c.Inside ? 0 : c.Distance)
                .ThenBy(c => c.Distance)
                .ThenBy(c => c.Name, StringComparer.Ordinal)
                .Select(c => c.Name)
                .Take(most),
        ];
    }

    /// <summary>The end of a sentence that offers the nearest names: <c>; did you mean 'a' or 'b'?</c>, or a full stop when no name is near.</summary>
    /// <param name="text">The name that was given.</param>
    /// <param name="names">The names that exist.</param>
    public static string Hint(string text, IEnumerable<string> names)
    {
        IReadOnlyList<string> near = Of(text, names);
        return near.Count == 0 ? "." : $"; did you mean {string.Join(" or ", near.Select(n => $"'{n}'"))}?";
    }

    /// <summary>Levenshtein's distance without regard to case.</summary>
    /// <param name="a">The first text.</param>
    /// <param name="b">The second text.</param>
    public static int Distance(string a, string b)
    {
        ArgumentNullException.ThrowIfNull(a);
        ArgumentNullException.ThrowIfNull(b);
        int[] row = Enumerable.Range(0, b.Length + 1).ToArray();
        for (int i = 1; i <= a.Length; i++)
        {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.Length; j++)
            {
                bool same = char.ToUpperInvariant(a[i - 1]) == char.ToUpperInvariant(b[j - 1]);
                int cost = Math.Min(Math.Min(row[j], row[j - 1]) + 1, diagonal + (same ? 0 : 1));
                diagonal = row[j];
                row[j] = cost;
            }
        }

        return row[^1];
    }
}
