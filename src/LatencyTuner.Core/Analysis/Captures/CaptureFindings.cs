using LatencyTuner.Core.Analysis.Captures.Rules;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>All rules about captures, the costliest finding first.</summary>
internal static class CaptureFindings
{
    /// <summary>Judges the evidence.</summary>
    public static IReadOnlyList<Finding> Of(CaptureEvidence evidence)
    {
        // Made before both threads look at them.
        _ = evidence.Sides;
        (Finding[][] others, Finding[][] requests) = SideBySide.Run(
            () => new Finding[][]
            {
                [
                    .. NagleRule.Evaluate(evidence), .. DelayedAckRule.Evaluate(evidence), .. WindowRule.Evaluate(evidence),
                    .. CongestionWindowRule.Evaluate(evidence),
                    .. SendBufferRule.Evaluate(evidence), .. SmallSegmentsRule.Evaluate(evidence), .. LossRule.Evaluate(evidence),
                    .. ReorderingRule.Evaluate(evidence)],
                [.. BufferbloatRule.Evaluate(evidence)],
                [.. EvidenceRule.Evaluate(evidence)],
            },
            () => new Finding[][] { [.. NetworkRttRule.Evaluate(evidence)], [.. ThinkRule.Evaluate(evidence)] });
        IEnumerable<Finding> all = [.. others[0], .. requests[0], .. others[1], .. requests[1], .. others[2]];
        return [.. all.WorstFirst()];
    }
}
