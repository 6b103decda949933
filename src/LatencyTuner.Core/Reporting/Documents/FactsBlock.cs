namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>Names with their values.</summary>
/// <param name="Facts">The pairs in order.</param>
public sealed record FactsBlock(IReadOnlyList<Fact> Facts) : PageBlock;
