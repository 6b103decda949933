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

    /// <summary>Costs of both directions that differ less are equal: then requests come first.</summary>
    private const double ClearlyWorse = 1.1;

    /// <summary>True when messages in pieces stall.</summary>
    internal bool Stalls => Cause is not (Cause.None or Cause.CannotTell);

    /// <summary>The directions that were measured, the worst first: what stalls by its cost, then what cannot be told, then what does not stall.</summary>
    /// <param name="requests">The verdict on requests in two writes.</param>
    /// <param name="replies">The verdict on replies in two writes; null when not measured.</param>
    internal static IReadOnlyList<DirectionVerdict> WorstFirst(DiagnosisVerdict requests, DiagnosisVerdict? replies)
    {
        DirectionVerdict first = new(requests, Findings.Side.Client);
        return replies is null ? [first]
            : [.. new[] { first, new(replies, Findings.Side.Server) }.OrderByDescending(d => d.Verdict.Stalls ? 2 : d.Verdict.Cause == Cause.CannotTell ? 1 : 0)
                .ThenByDescending(d => d.Sender == Findings.Side.Server && replies.CostUsPerRequest > ClearlyWorse * requests.CostUsPerRequest)];
    }

    /// <summary>
    /// The verdict in the form that all commands share: the worst direction leads and the other one is named. Exposure alone is information: only a
    /// warning or an error changes the tone.
    /// </summary>
    /// <param name="requests">The verdict on requests in two writes.</param>
    /// <param name="replies">The verdict on replies in two writes; null when not measured.</param>
    /// <param name="findings">What the experiment found.</param>
    /// <param name="gate">What the user lets pass.</param>
    internal static Verdict InWords(DiagnosisVerdict requests, DiagnosisVerdict? replies, IReadOnlyList<Finding> findings, Gate gate)
    {
        IReadOnlyList<DirectionVerdict> directions = WorstFirst(requests, replies);
        DiagnosisVerdict worst = directions[0].Verdict;
        Finding? lead = gate.Leading(findings);
        // Where nothing stalls, what fails the gate all the same is the headline.
        return new()
        {
            Word = FindingWords.Of(worst.Cause is Cause.None && lead is not null ? lead.Cause : worst.Cause).ToUpperInvariant(),
            Text = string.Join(" ", directions.Select((d, i) => i == 0 ? d.Verdict.Text : d.Beside)),
            Result = worst.Cause == Cause.CannotTell ? VerdictKind.CannotTell
                : worst.Cause is Cause.None && lead is null ? VerdictKind.NoStall : VerdictKind.Stall,
            Tone = worst.Cause == Cause.CannotTell ? Tone.Unsure
                : lead?.Severity switch
                {
                    Severity.Error => Tone.Bad,
                    Severity.Warning => Tone.Unsure,
                    _ => worst.Cause == Cause.None && lead is null ? Tone.Good : Tone.Neutral,
                },
            ExitCode = gate.Judge(findings, worst.Cause == Cause.CannotTell),
            NextSteps = worst.Stalls ? NextStep.Recommend("diagnosis.json")
                : worst.Cause == Cause.CannotTell ? [new() { Again = true, Options = ["--rounds", "9"], Note = "more rounds" }]
                : NextStep.CaptureAndAnalyze(null),
        };
    }
}

/// <summary>The verdict on messages of one direction.</summary>
/// <param name="Verdict">What messages in pieces pay.</param>
/// <param name="Sender">The end that writes them.</param>
internal readonly record struct DirectionVerdict(DiagnosisVerdict Verdict, Side Sender)
{
    /// <summary>What is written in this direction, capitalised: "Requests" or "Replies".</summary>
    public string Messages => Sender == Side.Client ? "Requests" : "Replies";

    /// <summary>The verdict beside a worse one of the other direction, one or two sentences.</summary>
    public string Beside => Verdict.Cause switch
    {
        Cause.None => $"{Messages} in two sends do not stall here.",
        Cause.CannotTell => $"{Messages}: {char.ToLowerInvariant(Verdict.Text[0])}{Verdict.Text[1..]}",
        _ => Verdict.Text,
    };

    /// <summary>The fixes of this direction, the best measured effect first.</summary>
    /// <param name="fixes">The fixes of both directions.</param>
    public IReadOnlyList<DiagnosisFix> FixesOf(IReadOnlyList<DiagnosisFix> fixes)
    {
        bool replies = Sender == Side.Server;
        return [.. fixes.Where(f => f.Id.EndsWith("-reply", StringComparison.Ordinal) == replies)];
    }
}

/// <summary>The verdicts, fixes and findings of an experiment.</summary>
/// <param name="Verdict">For requests in two writes.</param>
/// <param name="ReplyVerdict">For replies in two writes; null when not measured.</param>
/// <param name="Fixes">Remedies, best measured effect first.</param>
/// <param name="Findings">Findings; exposure is <c>info</c>.</param>
internal sealed record DiagnosisOutcome(
    DiagnosisVerdict Verdict, DiagnosisVerdict? ReplyVerdict, IReadOnlyList<DiagnosisFix> Fixes, IReadOnlyList<Finding> Findings);
