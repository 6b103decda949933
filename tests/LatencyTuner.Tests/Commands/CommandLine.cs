using System.Text.RegularExpressions;

namespace LatencyTuner.Tests.Commands;

/// <summary>The latencytuner command in a line of documentation.</summary>
internal static partial class CommandLine
{
    /// <summary>The words after <c>latencytuner</c>, without what only a shell reads: comments, pipes, substitutions.</summary>
    public static string[] Words(string line)
    {
        string command = line[(line.IndexOf("latencytuner", StringComparison.Ordinal) + "latencytuner".Length)..];
        foreach (string end in (string[])[" #", " |", ")\"", " >", "; "])
        {
            int at = command.IndexOf(end, StringComparison.Ordinal);
            command = at < 0 ? command : command[..at];
        }

        return [.. Word().Matches(command).Select(m => m.Value.Replace("'", "", StringComparison.Ordinal))];
    }

    // Words in single quotes, as PowerShell and bash both read them; a lone quote is a character.
    [GeneratedRegex("(?:'[^']*'|\\S)+")]
    private static partial Regex Word();
}
