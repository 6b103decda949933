namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>What to do, in order, and what not.</summary>
/// <param name="Recommendations">The cheapest effective one first; settings without evidence last.</param>
/// <param name="Explanations">What no setting cures, and where to look.</param>
/// <param name="Notes">What the reader must know, a sentence each.</param>
/// <param name="Findings">The findings that were considered.</param>
public sealed record AdviceResult(
    IReadOnlyList<Recommendation> Recommendations, IReadOnlyList<Explanation> Explanations, IReadOnlyList<string> Notes,
    IReadOnlyList<EvidencedFinding> Findings);
