namespace LatencyTuner.Core.Text;

/// <summary>Words of command lines as a shell takes them: in single quotes where they need them.</summary>
public static class ShellQuoting
{
    /// <summary>A word for PowerShell on Windows, and for a POSIX shell elsewhere.</summary>
    /// <param name="word">The word.</param>
    /// <param name="windows">True for PowerShell.</param>
    public static string Of(string word, bool windows)
    {
        ArgumentNullException.ThrowIfNull(word);

        // A POSIX shell takes a backslash as an escape and brackets as a pattern.
        string plain = windows ? "-_./:\\=+%[]," : "-_./:=+%,";
        bool isPlain = word.Length > 0 && word.All(c => char.IsAsciiLetterOrDigit(c) || plain.Contains(c, StringComparison.Ordinal) || c > '~');
        return isPlain ? word : "'" + word.Replace("'", windows ? "''" : "'\\''", StringComparison.Ordinal) + "'";
    }
}
