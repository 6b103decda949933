using LatencyTuner.Core.Analysis.Rules;

namespace LatencyTuner.Core.Analysis;

/// <summary>All rules about one measurement, the costliest finding first.</summary>
public static class MeasurementFindings
{
    /// <summary>Judges the facts.</summary>
    public static IReadOnlyList<Finding> Of(MeasurementFacts facts)
    {
        Finding?[] all = [NagleRule.Evaluate(facts), NetworkRttRule.Evaluate(facts), ServerThinkRule.Evaluate(facts), EvidenceRule.Evaluate(facts)];
        return [.. all.OfType<Finding>().OrderByDescending(f => f.Severity).ThenByDescending(f => f.CostMs ?? 0)];
    }
}
