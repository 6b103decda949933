namespace LatencyTuner.Core.Findings;

/// <summary>Something to do next, as data: the program knows how it was called and writes the command line.</summary>
public sealed record NextStep
{
    /// <summary>When it applies, the first half of a sentence; null for always.</summary>
    public string? When { get; init; }

    /// <summary>The command of this program, for example <c>diagnose</c>; null where something else is to be done.</summary>
    public string? Command { get; init; }

    /// <summary>The target; null for none.</summary>
    public string? Target { get; init; }

    /// <summary>Options and their values in order.</summary>
    public IReadOnlyList<string> Options { get; init; } = [];

    /// <summary>What the command does, in a few words; without a command the whole sentence.</summary>
    public string? Note { get; init; }

    /// <summary>The step as it is printed.</summary>
    /// <param name="invocation">How this program is called here.</param>
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
