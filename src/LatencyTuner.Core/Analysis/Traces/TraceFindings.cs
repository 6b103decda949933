using LatencyTuner.Core.Analysis.Traces.Rules;

namespace LatencyTuner.Core.Analysis.Traces;

/// <summary>All rules about traces.</summary>
internal static class TraceFindings
{
    public static IEnumerable<Finding> Of(TraceEvidence evidence) =>
    [
        .. NagleRule.Evaluate(evidence), .. DelayedAckRule.Evaluate(evidence), .. WindowRule.Evaluate(evidence), .. LossRule.Evaluate(evidence),
        .. SendBufferRule.Evaluate(evidence), .. SmallSegmentsRule.Evaluate(evidence), .. NetworkRttRule.Evaluate(evidence),
        .. ApplicationRule.Evaluate(evidence), .. EvidenceRule.Evaluate(evidence),
    ];
}
