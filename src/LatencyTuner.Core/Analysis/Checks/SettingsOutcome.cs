using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Settings.Audit;

namespace LatencyTuner.Core.Analysis.Checks;

/// <summary>The verdict on the settings of a host.</summary>
public static class SettingsOutcome
{
    /// <summary>Draws the verdict.</summary>
    /// <param name="states">What the audit says of each value.</param>
    /// <param name="profile">What the host is to be good at.</param>
    /// <param name="explanation">What is known of the one setting that was asked for, a sentence; null for the whole audit.</param>
    /// <param name="findings">What the audit found.</param>
    /// <param name="gate">What the user lets pass.</param>
    public static Verdict Judge(
        IReadOnlyCollection<AuditState> states, string profile, string? explanation, IReadOnlyList<Finding> findings, Gate gate)
    {
        int remarks = states.Count(s => s.IsRemark());
        int unknown = states.Count(s => s == AuditState.Unknown);
        (string word, Tone tone) = remarks > 0 ? ("REVIEW", Tone.Unsure)
            : unknown == states.Count && unknown > 0 ? ("UNKNOWN", Tone.Good)
            : ("OK", Tone.Good);
        string counted = $"{remarks} {(remarks == 1 ? "value" : "values")} of {states.Count} to look at for the profile {profile}"
            + (unknown == 0 ? "." : $"; {unknown} could not be read.");
        return new() { Word = word, Text = explanation ?? counted, Tone = tone, ExitCode = gate.Judge(findings) };
    }
}
