namespace LatencyTuner.Core.Findings;

/// <summary>The result that a command reports. The analysis makes it once; every output reads it, and none derives it again.</summary>
public sealed record Verdict
{
    /// <summary>One to four words in capitals, such as <c>PASS</c>.</summary>
    public required string Word { get; init; }

    /// <summary>The sentence that explains the word.</summary>
    public required string Text { get; init; }

    /// <summary>The result by itself, before any gate.</summary>
    public required VerdictKind Result { get; init; }

    /// <summary>The result as scripts read it. It follows from the exit code, so that the two never disagree.</summary>
    public VerdictKind Kind => ExitCode switch
    {
        ExitCode.Done => Result,
        ExitCode.Finding => VerdictKind.Fail,
        ExitCode.CannotTell => VerdictKind.CannotTell,
        ExitCode.Change => Result is VerdictKind.Drift or VerdictKind.Fail ? Result : VerdictKind.Failed,
        ExitCode.Measurement or ExitCode.Cancelled => Result is VerdictKind.Fail or VerdictKind.Failed ? Result : VerdictKind.CannotTell,
        _ => VerdictKind.Failed,
    };

    /// <summary>Whether the result is good, bad, unsure or neutral.</summary>
    public required Tone Tone { get; init; }

    /// <summary>The exit code of the process, under the limits that the user set.</summary>
    public ExitCode ExitCode { get; init; }

    /// <summary>The next steps, the most useful first.</summary>
    public IReadOnlyList<NextStep> NextSteps { get; init; } = [];
}

/// <summary>Whether a word or figure is good or bad for the reader; writers turn it into colour.</summary>
public enum Tone
{
    /// <summary>A fact that needs no action.</summary>
    Neutral,

    /// <summary>As it should be.</summary>
    Good,

    /// <summary>A state that needs action.</summary>
    Bad,

    /// <summary>Unknown, or worth a second look.</summary>
    Unsure,
}
