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
        Dictionary<string, long> backward = evidence.Connections.Where(IsDisordered).GroupBy(ConnectionNames.Of)
            .ToDictionary(g => g.Key, g => g.Max(c => c.BackwardNs));
        IEnumerable<Finding> waits = others[0].Select(f => Doubted(Hedged(f, proxied), backward));
        return [.. waits.Concat([.. requests[0], .. others[1], .. requests[1], .. others[2]]).Where(f => !IsTrifling(f)).WorstFirst()];
    }

    /// <summary>True for what is in doubt and hardly cost anything: nobody would find out whether it is so.</summary>
    private static bool IsTrifling(Finding finding)
    {
        const double Share = 0.001;
        const double MsEach = 100;
        return finding is { Confidence: Confidence.Possible, CostMs: { } ms, CostShare: < Share } && ms < MsEach * finding.Count;
    }

    /// <summary>True where so many packets have an earlier time than the one before them, by so much, that neither order nor waits are sure.</summary>
    private static bool IsDisordered(ConnectionFacts connection)
    {
        const int OneOf = 50;
        const long LeastNs = 1_000_000;
        return connection.BackwardNs >= LeastNs && OneOf * connection.BackwardSteps >= connection.Packets;
    }

    /// <summary>What shows only where times go back is never more than possible.</summary>
    private static Finding Doubted(Finding finding, Dictionary<string, long> backward) =>
        backward.Count == 0 || finding.Connections.Count == 0 || !finding.Connections.All(backward.ContainsKey) ? finding
        : finding with
        {
            Confidence = Confidence.Possible,
            Severity = finding.Severity == Severity.Error ? Severity.Warning : finding.Severity,
            Against =
            [
                .. finding.Against,
                $"the clock of the capture steps back by up to {finding.Connections.Max(c => backward[c]) / 1e6:0} ms within these connections: neither the "
                + "order of their packets nor their times are sure",
            ],
        };

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
