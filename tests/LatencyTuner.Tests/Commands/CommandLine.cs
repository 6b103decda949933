namespace LatencyTuner.Tests.Commands;

/// <summary>The latencytuner command in a line of documentation.</summary>
internal static class CommandLine
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

        return command.Split(' ', StringSplitOptions.RemoveEmptyEntries);
    }
}
