using LatencyTuner.Core.Analysis.Traces.Rules;

namespace LatencyTuner.Core.Analysis.Traces;

/// <summary>All rules about traces.</summary>
internal static class TraceFindings
{
    public static IEnumerable<Finding> Of(TraceEvidence evidence) =>
    [
        .. TraceNagleRule.Evaluate(evidence), .. TraceDelayedAckRule.Evaluate(evidence), .. TraceWindowRule.Evaluate(evidence), .. TraceLossRule.Evaluate(evidence),
        .. TraceSendBufferRule.Evaluate(evidence), .. TraceSmallSegmentsRule.Evaluate(evidence), .. TraceRttRule.Evaluate(evidence),
        .. ApplicationRule.Evaluate(evidence), .. TraceEvidenceRule.Evaluate(evidence),
    ];
}
