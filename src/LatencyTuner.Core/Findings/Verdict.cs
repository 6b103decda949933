namespace LatencyTuner.Core.Findings;

/// <summary>What a command says in the end. Made once, by the room that judges; every output reads it and none derives it again.</summary>
public sealed record Verdict
{
    /// <summary>One to four words in capitals, such as <c>PASS</c>.</summary>
    public required string Word { get; init; }

    /// <summary>The sentence behind the word.</summary>
    public required string Text { get; init; }

    /// <summary>What it means to the reader.</summary>
    public required Tone Tone { get; init; }

    /// <summary>What the process ends with under the gates that were given.</summary>
    public ExitCode ExitCode { get; init; }

    /// <summary>What to do next, the most useful first.</summary>
    public IReadOnlyList<NextStep> NextSteps { get; init; } = [];
}

/// <summary>What a word or figure means to the reader; writers turn it into colour.</summary>
public enum Tone
{
    /// <summary>A fact.</summary>
    Neutral,

    /// <summary>As it should be.</summary>
    Good,

    /// <summary>Needs action.</summary>
    Bad,

    /// <summary>Unknown, or worth a second look.</summary>
    Unsure,
}
