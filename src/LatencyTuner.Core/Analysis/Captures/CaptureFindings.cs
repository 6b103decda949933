using LatencyTuner.Core.Analysis.Captures.Rules;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>All rules about captures, the costliest finding first.</summary>
internal static class CaptureFindings
{
    /// <summary>Judges the evidence.</summary>
    public static IReadOnlyList<Finding> Of(CaptureEvidence evidence)
    {
        IEnumerable<Finding>[] all =
        [
            NagleRule.Evaluate(evidence), DelayedAckRule.Evaluate(evidence), WindowRule.Evaluate(evidence), CongestionWindowRule.Evaluate(evidence),
            SendBufferRule.Evaluate(evidence), SmallSegmentsRule.Evaluate(evidence), LossRule.Evaluate(evidence), ReorderingRule.Evaluate(evidence),
            NetworkRttRule.Evaluate(evidence), BufferbloatRule.Evaluate(evidence), ThinkRule.Evaluate(evidence), EvidenceRule.Evaluate(evidence),
        ];
        return [.. all.SelectMany(f => f).OrderByDescending(f => f.Severity).ThenByDescending(f => f.CostMs ?? 0).ThenBy(f => f.Id, StringComparer.Ordinal).ThenBy(f => f.Host, StringComparer.Ordinal)];
    }
}
