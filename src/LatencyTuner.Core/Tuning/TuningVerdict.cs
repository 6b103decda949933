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
    /// <param name="allowInconclusive">True when an unknown effect is no failure.</param>
    public static Verdict From(string operation, TuningOutcome outcome, string text, string? effect = null, bool allowInconclusive = false)
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
            Tone = outcome switch
            {
                TuningOutcome.Done => operation == "history" ? Tone.Neutral : Tone.Good,
                TuningOutcome.NoChange or TuningOutcome.WhatIf => Tone.Neutral,
                _ => Tone.Bad,
            },
            ExitCode = !good || effect == "worse" ? ExitCode.Change
                : effect == "cannot-tell" && !allowInconclusive ? ExitCode.CannotTell
                : ExitCode.Done,
        };
    }
}
