using System.ComponentModel.DataAnnotations;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Analysis.Diagnosis;

/// <summary>What an application of the kind in <see cref="AppliesTo"/> would pay on this path.</summary>
public sealed record DiagnosisVerdict
{
    /// <summary>The cause; <see cref="Cause.None"/> when nothing stalls.</summary>
    public required Cause Cause { get; init; }

    /// <summary>The end that splits its writes with Nagle on; null without a cause.</summary>
    [Required]
    public Side? Side { get; init; }

    /// <summary>The end whose ACK timer the sender waits for; null when no timer is involved.</summary>
    [Required]
    public Side? AckTimerSide { get; init; }

    /// <summary>The timer's cluster in milliseconds (10, 40, 50, 100, 200); null without one.</summary>
    [Required]
    public double? ClusterMs { get; init; }

    /// <summary><c>fixed</c> or <c>tick</c> (uniform below the value, as a coarse periodic timer gives); null without a timer.</summary>
    public string? TimerModel { get; init; }

    /// <summary>Cost per request in microseconds: median with the cause less median without it.</summary>
    [Required]
    public double? CostUsPerRequest { get; init; }

    /// <summary>How certain the verdict is.</summary>
    public required Confidence Confidence { get; init; }

    /// <summary>The kind of application that the verdict concerns, in a phrase.</summary>
    public required string AppliesTo { get; init; }

    /// <summary>The verdict in one or two sentences.</summary>
    public required string Text { get; init; }

    /// <summary>Evidence for it.</summary>
    public IReadOnlyList<string> For { get; init; } = [];

    /// <summary>Evidence against it, and what was not tested.</summary>
    public IReadOnlyList<string> Against { get; init; } = [];

    /// <summary>
    /// The verdict in the form that all commands share. Exposure alone is information: only a warning or an error changes the tone.
    /// </summary>
    /// <param name="findings">What the experiment found.</param>
    /// <param name="gate">What the user lets pass.</param>
    public Verdict InWords(IReadOnlyList<Finding> findings, Gate gate) => new()
    {
        Word = FindingWords.Of(Cause).ToUpperInvariant(),
        Text = Text,
        Tone = Cause == Cause.CannotTell ? Tone.Unsure
            : findings.Select(f => (Severity?)f.Severity).Max() switch
            {
                Severity.Error => Tone.Bad,
                Severity.Warning => Tone.Unsure,
                _ => Cause == Cause.None ? Tone.Good : Tone.Neutral,
            },
        ExitCode = gate.Judge(findings, Cause == Cause.CannotTell),
    };
}

/// <summary>The verdicts, fixes and findings of an experiment.</summary>
/// <param name="Verdict">For requests in two writes.</param>
/// <param name="ReplyVerdict">For replies in two writes; null when not measured.</param>
/// <param name="Fixes">Remedies, best measured effect first.</param>
/// <param name="Findings">Findings; exposure is <c>info</c>.</param>
internal sealed record DiagnosisOutcome(
    DiagnosisVerdict Verdict, DiagnosisVerdict? ReplyVerdict, IReadOnlyList<DiagnosisFix> Fixes, IReadOnlyList<Finding> Findings);
