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
            () => new Finding[][] { [.. OfWaits(evidence)], [.. CaptureBufferbloatRule.Evaluate(evidence)], [.. CaptureEvidenceRule.Evaluate(shown)] },
            () => new Finding[][] { [.. CaptureRttRule.Evaluate(evidence)], [.. ThinkRule.Evaluate(evidence)] });
        HashSet<string> proxied = [.. evidence.Sides.Where(s => s.Facts.IsProxied).Select(s => s.Host.ToString())];
        IEnumerable<Finding> all = [.. others[0].Select(f => Hedged(f, proxied)), .. requests[0], .. others[1], .. requests[1], .. others[2]];
        return [.. all.WorstFirst()];
    }

    /// <summary>The address of a host is also that of the device which speaks for it.</summary>
    private static Finding Hedged(Finding finding, HashSet<string> proxied) =>
        finding.Host is not { } host || finding.Side is not (Side.Client or Side.Server) || !proxied.Contains(host) ? finding
        : finding with
        {
            Against =
            [
                .. finding.Against,
                $"a device beside the capture point answers for {host}, as the address translation of a virtual machine's host does: it may be that device",
            ],
        };

    private static IEnumerable<Finding> OfWaits(CaptureEvidence evidence)
    {
        (Finding Finding, SideOfConnection[] Sides)[] held = [.. CaptureNagleRule.Evaluate(evidence)];
        return
        [
            .. held.Select(h => h.Finding), .. CaptureDelayedAckRule.Evaluate(evidence, held.SelectMany(h => h.Sides).ToHashSet()),
            .. CaptureStretchAckRule.Evaluate(evidence), .. CaptureWindowRule.Evaluate(evidence), .. CongestionWindowRule.Evaluate(evidence),
            .. CaptureSendBufferRule.Evaluate(evidence), .. CaptureSmallSegmentsRule.Evaluate(evidence), .. CaptureLossRule.Evaluate(evidence),
            .. ReorderingRule.Evaluate(evidence),
        ];
    }
}
