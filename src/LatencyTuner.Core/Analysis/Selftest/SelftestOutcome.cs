using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>The verdict of a selftest.</summary>
internal static class SelftestOutcome
{
    /// <summary>Draws the verdict.</summary>
    /// <param name="results">What the probes found.</param>
    /// <param name="text">The number of each result, a sentence.</param>
    public static Verdict Judge(IEnumerable<AssumptionState> results, string text)
    {
        bool fails = results.Contains(AssumptionState.DoesNotHold);
        return new() { Word = fails ? "REVIEW" : "DONE", Text = text, Result = VerdictKind.Done, Tone = fails ? Tone.Unsure : Tone.Neutral };
    }
}
