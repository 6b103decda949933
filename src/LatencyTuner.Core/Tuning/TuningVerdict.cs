using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Tuning;

/// <summary>The verdicts of commands that change or verify settings.</summary>
internal static class TuningVerdict
{
    /// <summary>Draws the verdict.</summary>
    /// <param name="operation"><c>apply</c>, <c>rollback</c>, <c>verify</c> or <c>history</c>.</param>
    /// <param name="outcome">How it ended.</param>
    /// <param name="text">The outcome in a sentence or two.</param>
    /// <param name="effect">
    /// Whether the changes helped: <c>better</c>, <c>same</c>, <c>worse</c> or <c>cannot-tell</c>; null when that was not asked.
    /// </param>
    /// <param name="batch">The batch; null when it is about several or none.</param>
    /// <param name="allowInconclusive">True when an unknown effect is no failure.</param>
    public static Verdict From(
        string operation, TuningOutcome outcome, string text, string? effect = null, string? batch = null, bool allowInconclusive = false)
    {
        bool good = outcome is TuningOutcome.Done or TuningOutcome.NoChange or TuningOutcome.WhatIf;
        return new()
        {
            Word = outcome switch
            {
                TuningOutcome.Done => operation switch { "apply" => "APPLIED", "rollback" => "ROLLED BACK", "verify" => "AS WRITTEN", _ => "HISTORY" },
                TuningOutcome.NoChange => "NO CHANGE",
                TuningOutcome.WhatIf => "WHAT IF",
                TuningOutcome.Refused => "REFUSED",
                TuningOutcome.RolledBack => "NOT APPLIED",
                TuningOutcome.Damaged => "JOURNAL DAMAGED",
                _ => operation == "verify" ? "NOT AS WRITTEN" : "INCOMPLETE",
            },
            Text = text,
            Result = outcome switch
            {
                TuningOutcome.Done when effect == "worse" => VerdictKind.Fail,
                TuningOutcome.Done => operation switch
                {
                    "apply" or "rollback" => VerdictKind.Changed,
                    "verify" => VerdictKind.Pass,
                    _ => VerdictKind.Done,
                },
                TuningOutcome.NoChange or TuningOutcome.WhatIf => VerdictKind.Unchanged,
                TuningOutcome.Refused or TuningOutcome.RolledBack or TuningOutcome.Damaged => VerdictKind.Failed,
                _ => operation == "verify" ? VerdictKind.Drift : VerdictKind.Failed,
            },
            Tone = outcome switch
            {
                TuningOutcome.Done => operation == "history" ? Tone.Neutral : Tone.Good,
                TuningOutcome.NoChange or TuningOutcome.WhatIf => Tone.Neutral,
                _ => Tone.Bad,
            },
            ExitCode = !good || effect == "worse" ? ExitCode.Change
                : effect == "cannot-tell" && !allowInconclusive ? ExitCode.CannotTell
                : ExitCode.Done,
            NextSteps = Next(operation, outcome, batch),
        };
    }

    private static IReadOnlyList<NextStep> Next(string operation, TuningOutcome outcome, string? batch) => (operation, outcome) switch
    {
        // A snapshot can be looked at anywhere, and changed nowhere.
        ("apply" or "rollback", TuningOutcome.WhatIf) =>
            [new() { Again = true, Without = "--snapshot", Options = ["--yes"], Note = "makes the changes, in an elevated shell of that host" }],
        ("apply", TuningOutcome.Done) when batch is not null =>
        [
            new() { Command = "verify", Options = ["--batch", batch], Note = "later: still as written, in force, and did it help" },
            new() { Command = "rollback", Options = ["--batch", batch, "--yes"], Note = "undoes it" },
        ],
        ("verify", TuningOutcome.Incomplete) => [new() { Command = "history", Note = "what was changed, and when" }],
        (_, TuningOutcome.Damaged) => [new() { Command = "rollback", Options = ["--until-damage", "--yes"], Note = "undoes what the journal still lists" }],
        _ => [],
    };
}
