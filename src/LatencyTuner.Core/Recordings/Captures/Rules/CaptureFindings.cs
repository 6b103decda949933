using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>The findings of all rules about captures, the worst finding first.</summary>
internal static class CaptureFindings
{
    /// <summary>Judges the evidence. Where a filter hides connections, all are judged; gaps are told of those that are shown.</summary>
    /// <param name="shown">The evidence that is shown.</param>
    public static IReadOnlyList<Finding> Of(CaptureEvidence shown)
    {
        CaptureEvidence evidence = shown.Whole ?? shown;
        // Created before both threads read them.
        _ = evidence.Sides;
        foreach (ConnectionFacts connection in evidence.Connections)
        {
            _ = connection.Time;
        }

        (Finding[][] others, Finding[][] requests) = ParallelPair.Run(
            () => new Finding[][]
            {
                [
                    .. CaptureNagleRule.Evaluate(evidence), .. CaptureDelayedAckRule.Evaluate(evidence), .. CaptureStretchAckRule.Evaluate(evidence),
                    .. CaptureWindowRule.Evaluate(evidence),
                    .. CongestionWindowRule.Evaluate(evidence),
                    .. CaptureSendBufferRule.Evaluate(evidence), .. CaptureSmallSegmentsRule.Evaluate(evidence), .. CaptureLossRule.Evaluate(evidence),
                    .. ReorderingRule.Evaluate(evidence)],
                [.. CaptureBufferbloatRule.Evaluate(evidence)],
                [.. CaptureEvidenceRule.Evaluate(shown)],
            },
            () => new Finding[][] { [.. CaptureRttRule.Evaluate(evidence)], [.. ThinkRule.Evaluate(evidence)] });
        IEnumerable<Finding> all = [.. others[0], .. requests[0], .. others[1], .. requests[1], .. others[2]];
        return [.. all.WorstFirst()];
    }
}
