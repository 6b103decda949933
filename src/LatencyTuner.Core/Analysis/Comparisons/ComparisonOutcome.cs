using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Analysis.Comparisons;

/// <summary>The verdict on two measurements, B against A.</summary>
internal static class ComparisonOutcome
{
    /// <summary>The published word.</summary>
    /// <param name="verdict">What the quantiles show.</param>
    public static string NameOf(ComparisonVerdict verdict) => verdict switch
    {
        ComparisonVerdict.Better => "better",
        ComparisonVerdict.Same => "same",
        ComparisonVerdict.Worse => "worse",
        _ => "cannot-tell",
    };

    /// <summary>Draws the verdict.</summary>
    /// <param name="result">The published word.</param>
    /// <param name="text">Why, a sentence.</param>
    /// <param name="gate">What the user lets pass; <see cref="Gate.FailOn"/> set means that "worse" fails.</param>
    public static Verdict Judge(string result, string text, Gate gate)
    {
        (VerdictKind kind, Tone tone, ExitCode code) = result switch
        {
            "better" => (VerdictKind.Pass, Tone.Good, ExitCode.Done),
            "worse" => (VerdictKind.Fail, Tone.Bad, gate.FailOn is null ? ExitCode.Done : ExitCode.Finding),
            "cannot-tell" => (VerdictKind.CannotTell, Tone.Unsure, gate.AllowInconclusive ? ExitCode.Done : ExitCode.CannotTell),
            _ => (VerdictKind.Pass, Tone.Neutral, ExitCode.Done),
        };
        return new() { Word = result.Replace('-', ' ').ToUpperInvariant(), Text = text, Result = kind, Tone = tone, ExitCode = code };
    }
}
