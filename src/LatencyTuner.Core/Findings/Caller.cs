namespace LatencyTuner.Core.Findings;

/// <summary>How the user called this program: what the command lines of next steps repeat.</summary>
public sealed record Caller
{
    /// <summary>How this program is called here: its name, or its path where the shell does not find the name.</summary>
    public string Program { get; init; } = "latencytuner";

    /// <summary>The command and its arguments as given, without the options that only shape the output.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>The given options that a command needs to measure the same target in the same way: token file, address family, process.</summary>
    public IReadOnlyList<string> PathOptions { get; init; } = [];

    /// <summary>The file that holds this run's report as JSON; null when the user keeps none.</summary>
    public string? SavedAs { get; init; }

    /// <summary>True on Windows, whose shell and capture tool are others.</summary>
    public bool IsWindows { get; init; }
}
