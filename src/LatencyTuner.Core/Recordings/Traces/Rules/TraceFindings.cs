using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces.Rules;

/// <summary>The findings of all rules about traces.</summary>
internal static class TraceFindings
{
    public static IEnumerable<Finding> Of(TraceEvidence evidence) =>
    [
        .. TraceNagleRule.Evaluate(evidence), .. TraceDelayedAckRule.Evaluate(evidence), .. TraceWindowRule.Evaluate(evidence),
        .. TraceLossRule.Evaluate(evidence),
        .. TraceSendBufferRule.Evaluate(evidence), .. TraceSmallSegmentsRule.Evaluate(evidence), .. TraceRttRule.Evaluate(evidence),
        .. ApplicationRule.Evaluate(evidence), .. TraceEvidenceRule.Evaluate(evidence),
    ];
}
