namespace LatencyTuner.Core.Text;

/// <summary>Values of untrusted input in sentences.</summary>
public static class Quoting
{
    /// <summary>A value quoted, cut to a readable length and without control characters.</summary>
    /// <param name="value">The value.</param>
    public static string Quote(string value) => "\"" + Plain(value) + "\"";

    /// <summary>A text in single quotes for PowerShell, which takes typographic quotes (U+2018 to U+201B) for quotes, too.</summary>
    /// <param name="value">The text.</param>
    public static string ForPowerShell(string value) =>
        $"'{string.Concat((value ?? "").Select(c => c is '\'' or (>= '\u2018' and <= '\u201B') ? $"{c}{c}" : $"{c}"))}'";

    /// <summary>The same without the quotes, for a sentence that holds such a value.</summary>
    /// <param name="value">The value or the sentence.</param>
    /// <param name="most">The most characters of it, 1 or more.</param>
    public static string Plain(string value, int most = 60)
    {
        ArgumentNullException.ThrowIfNull(value);
        string cut = value.Length > most ? value[..most] + "..." : value;
        return string.Concat(cut.Select(c => char.IsControl(c) || char.IsSurrogate(c) ? '?' : c));
    }
}
