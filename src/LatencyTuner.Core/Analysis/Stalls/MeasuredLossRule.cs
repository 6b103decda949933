using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Stalls;

/// <summary>
/// The kernels of both ends sent segments again: requests that stalled waited for a timeout (LT121). A loss that duplicate ACKs repair costs about a
/// round trip and stalls no request (LT122).
/// </summary>
internal static class MeasuredLossRule
{
    // A shorter median is no timeout of any common system, unless nearly every wait has a loss of its own.
    private const double TimeoutMs = 100;

    internal static Finding? Evaluate(MeasurementFacts facts, SeverityLimits limits)
    {
        if (facts.Retransmitted is not { } sent || sent <= 0 || facts.Received == 0)
        {
            return null;
        }

        StallAnalysis stalls = facts.Stalls;
        if (stalls.Count == 0)
        {
            return Of(facts, Cause.LossFastRetransmit, Confidence.Possible, sent) with
            {
                Severity = Severity.Info,
                For = [Counts(facts, sent), "no request stalled"],
                Recommendation = "Some losses are normal on a busy path. Measure longer if requests were slow.",
            };
        }

        if (facts.NagleMayHold && !facts.LossesExplainWaits)
        {
            return null;
        }

        // A loss delays its own request; where requests overlap, also those behind it on the connection.
        StallAnalysis lost = facts.LossesExplainWaits ? stalls : stalls.Slowest(sent);
        double share = facts.ActiveNs > 0 ? Math.Min(lost.LostNs / facts.ActiveNs, 1) : 0;
        bool likely = !facts.NagleMayHold && (facts.LossesExplainWaits || lost.MedianHoldNs >= TimeoutMs * 1e6);
        return Of(facts, Cause.LossRto, likely ? Confidence.Likely : Confidence.Possible, lost.Count) with
        {
            CountOf = "stall",
            Severity = limits.Of(share, lost.LongCount, facts.Elapsed),
            CostMs = lost.LostNs / 1e6,
            CostShare = share,
            For = [
                Counts(facts, sent),
                $"{Counted.Of(lost.Count, "request")} of {stalls.Requests} waited a median of {lost.MedianHoldNs / 1e6:0.0} ms beyond two round trips of "
                + $"{stalls.RttNs / 1e6:0.###} ms"],
            Against = [.. Against(facts, stalls.Count - lost.Count)],
            Recommendation =
                "Find where the path drops packets: counters of interfaces and switches, duplex, cabling, drivers, a full queue, a firewall. A shorter minimum "
                + "RTO only reduces the cost.",
        };
    }

    private static Finding Of(MeasurementFacts facts, Cause cause, Confidence confidence, long count) => new()
    {
        Cause = cause,
        Side = Side.Network,
        Confidence = confidence,
        Severity = Severity.Info,
        Count = count,
        Connections = [facts.Target],
    };

    private static string Counts(MeasurementFacts facts, long sent)
    {
        string here = facts.Local?.SegmentsRetransmitted(facts.Workload.RequestSize) is { } local ? Format.Count(local) : "an unknown number";
        string there = facts.Peer?.SegmentsRetransmitted(facts.Workload.ReplySize) is { } peer ? Format.Count(peer) : "an unknown number";
        return $"the kernels sent {Counted.Of(sent, "segment")} again: {here} at the client, {there} at the server";
    }

    private static IEnumerable<string> Against(MeasurementFacts facts, long others)
    {
        if (facts.NagleMayHold)
        {
            yield return "messages are written in several sends with TCP_NODELAY off: an ACK that comes late can cause such waits and retransmissions too";
        }

        if (others > 0)
        {
            yield return $"{Counted.Of(others, "shorter stall")} had no retransmission";
        }
    }
}
