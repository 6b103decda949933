using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Analysis.Stalls;

/// <summary>All rules about one measurement, the costliest finding first.</summary>
internal static class MeasurementFindings
{
    /// <summary>The findings of one measurement.</summary>
    /// <param name="facts">What was observed.</param>
    /// <param name="limits">What makes a finding a warning or an error.</param>
    public static IReadOnlyList<Finding> Of(MeasurementFacts facts, SeverityLimits limits)
    {
        Finding?[] known = [
            MeasuredNagleRule.Evaluate(facts, limits), MeasuredLossRule.Evaluate(facts, limits), MeasuredRttRule.Evaluate(facts),
            ServerThinkRule.Evaluate(facts), MeasuredEvidenceRule.Evaluate(facts)];
        Finding[] all = [.. known.OfType<Finding>()];
        IEnumerable<Finding> judged = all.Concat(UnexplainedStallsRule.Evaluate(facts, limits, all) is { } unexplained ? [unexplained] : []);
        return [.. judged.Select(f => f with { CostOverlaps = facts.Overlaps && f.CostMs is not null }).WorstFirst()];
    }
}
