namespace LatencyTuner.Core.Findings;

/// <summary>How the user called this program: what the command lines of next steps repeat.</summary>
public sealed record Caller
{
    /// <summary>How this program is called here: its name, or its path where the shell does not find the name.</summary>
    public string Program { get; init; } = "latencytuner";

    /// <summary>The command and its arguments as given, without the options that only shape the output.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>The given options that any command needs to reach the same target: token file and address family.</summary>
    public IReadOnlyList<string> PathOptions { get; init; } = [];

    /// <summary>The file that holds this run's report as JSON; null when the user keeps none.</summary>
    public string? SavedAs { get; init; }

    /// <summary>True on Windows, whose capture tool is another one.</summary>
    public bool IsWindows { get; init; }

    /// <summary>A word of a command line as PowerShell and bash both take it: in single quotes where it needs them.</summary>
    /// <param name="word">The word.</param>
    public static string Quoted(string word) =>
        word.Length > 0 && word.All(c => char.IsAsciiLetterOrDigit(c) || "-_./:\\=+%[],".Contains(c, StringComparison.Ordinal) || c > '~')
            ? word : $"'{word.Replace("'", "''", StringComparison.Ordinal)}'";
}
