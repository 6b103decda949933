namespace LatencyTuner.Core.Text;

/// <summary>Counts with their nouns, for sentences.</summary>
public static class Counted
{
    /// <summary>For example <c>1 row</c>, <c>12,000 rows</c>.</summary>
    /// <param name="count">The number of things.</param>
    /// <param name="noun">The noun in the singular.</param>
    public static string Of(long count, string noun) => $"{count:N0} {Noun(count, noun)}";

    /// <summary>For example <c>1 row was</c>, <c>2 rows were</c>.</summary>
    /// <param name="count">The number of things.</param>
    /// <param name="noun">The noun in the singular.</param>
    public static string Were(long count, string noun) => $"{Of(count, noun)} {(count == 1 ? "was" : "were")}";

    /// <summary>The noun alone, singular for 1 and plural otherwise: also <c>reply</c>, <c>process</c> and <c>batch</c>.</summary>
    /// <param name="count">The number of things.</param>
    /// <param name="noun">The noun in the singular.</param>
    public static string Noun(long count, string noun)
    {
        ArgumentException.ThrowIfNullOrEmpty(noun);
        bool hissing = noun[^1] is 's' or 'x' || noun.EndsWith("ch", StringComparison.Ordinal) || noun.EndsWith("sh", StringComparison.Ordinal);
        return count == 1 ? noun
            : noun[^1] == 'y' && noun.Length > 1 && !"aeiou".Contains(noun[^2], StringComparison.Ordinal) ? noun[..^1] + "ies"
            : noun + (hissing ? "es" : "s");
    }
}
