using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Settings.Audit;

namespace LatencyTuner.Core.Analysis.Checks;

/// <summary>The verdict on the settings of a host.</summary>
internal static class SettingsOutcome
{
    /// <summary>Draws the verdict.</summary>
    /// <param name="values">The values as audited.</param>
    /// <param name="profile">The workload profile that the values are compared with, for example <c>low-latency</c>.</param>
    /// <param name="explanation">What is known of the one setting that was asked for, a sentence; null for the whole audit.</param>
    /// <param name="findings">What the audit found.</param>
    /// <param name="gate">What the user lets pass.</param>
    public static Verdict Judge(
        IReadOnlyCollection<AuditedSetting> values, string profile, string? explanation, IReadOnlyList<Finding> findings, Gate gate)
    {
        int remarks = values.Count(v => v.NeedsReview);
        int unknown = values.Count(v => v.State == AuditState.Unknown);
        (string word, Tone tone) = remarks > 0 ? ("REVIEW", Tone.Unsure)
            : explanation is not null ? ("SETTING", Tone.Neutral)
            : unknown == values.Count && unknown > 0 ? ("UNKNOWN", Tone.Good)
            : ("OK", Tone.Good);
        string counted = $"{remarks} {(remarks == 1 ? "value" : "values")} of {values.Count} to review for the profile {profile}"
            + (unknown == 0 ? "." : $"; values that could not be read: {unknown}.");
        return new()
        {
            Word = word,
            Text = explanation ?? counted,
            Result = VerdictKind.Done,
            Tone = tone,
            ExitCode = gate.Judge(findings),
            NextSteps = explanation is null && values.FirstOrDefault(v => v.NeedsReview) is { } first
                ? [new() { Command = "settings explain", Target = null, Options = [first.Id], Note = "what it does, and how to change it" }] : [],
        };
    }
}
