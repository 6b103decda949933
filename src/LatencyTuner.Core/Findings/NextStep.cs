namespace LatencyTuner.Core.Findings;

/// <summary>A next step as data: the program knows how it was called and writes the command line.</summary>
public sealed record NextStep
{
    /// <summary>When the step applies, as the first part of a sentence; null when it always applies.</summary>
    public string? When { get; init; }

    /// <summary>The command of this program, for example <c>diagnose</c>; null when the step is no command of this program.</summary>
    public string? Command { get; init; }

    /// <summary>The target; null for none.</summary>
    public string? Target { get; init; }

    /// <summary>The options and their values, in order.</summary>
    public IReadOnlyList<string> Options { get; init; } = [];

    /// <summary>What the command does, in a few words; the whole sentence when there is no command.</summary>
    public string? Note { get; init; }

    /// <summary>The step as it is printed.</summary>
    /// <param name="invocation">The program name with which the user called this program.</param>
    public string InWords(string invocation)
    {
        if (Command is null)
        {
            return Note ?? "";
        }

        string line = string.Join(' ', new[] { invocation, Command, Target }.OfType<string>().Concat(Options));
        return (When is null ? "" : When + ": ") + line + (Note is null ? "" : $"   ({Note})");
    }
}
