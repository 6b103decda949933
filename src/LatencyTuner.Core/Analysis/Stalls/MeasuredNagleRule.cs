using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Stalls;

/// <summary>
/// The measured workload itself stalls: one end splits its messages with Nagle's algorithm on (RFC 896, RFC 1122 4.2.3.4), and its second
/// write waits for an ACK that the other end delays (LT101) or that merely takes its time (LT102).
/// </summary>
internal static class MeasuredNagleRule
{
    // Some stalls among many requests can be anything; the mechanism stalls every request, or a good part when requests overlap.
    private const double FewestShare = 0.02;

    // One or two messages that fill a segment would show nothing that a pause could not.
    private const int FewestToFill = 4;

    internal static Finding? Evaluate(MeasurementFacts facts, SeverityLimits limits)
    {
        bool clientSplits = facts.Workload.Writes.Count > 1 && facts.NoDelay == false;
        bool serverSplits = facts.Workload.PeerWrites > 1 && facts.PeerNoDelay == false;
        StallAnalysis stalls = facts.Stalls;
        if ((!clientSplits && !serverSplits) || stalls.Count < AckTimerInference.FewestMembers || stalls.Share < FewestShare || facts.ActiveNs <= 0)
        {
            return null;
        }

        // A loss explains a wait whatever else is true of it.
        if (facts.LossesExplainWaits)
        {
            return null;
        }

        Side side = clientSplits ? Side.Client : Side.Server;
        (string sender, string other) = clientSplits ? ("client", "server") : ("server", "client");
        EndCounters? counters = clientSplits ? facts.Local : facts.Peer;
        double? pureAcks = counters?.PureAcksIn is { } acks && facts.Exchanges > 0 ? (double)acks / facts.Exchanges : null;
        // Requests that overlap share the ACK that they wait for.
        bool ackSeen = pureAcks >= 0.5 * stalls.FirstShare;
        double? fillMs = FillMs(facts, side);
        if (stalls.Timer is null && !ackSeen && fillMs is null)
        {
            return null;
        }

        Cause cause = stalls.Timer is null ? Cause.NagleHold : Cause.NagleDelayedAck;
        double share = Math.Min(stalls.LostNs / facts.ActiveNs, 1);
        return new Finding
        {
            Cause = cause,
            Side = side,
            Host = side == Side.Server ? facts.Address : null,
            Confidence = IsLikely(facts, fillMs is not null, ackSeen, pureAcks is null) ? Confidence.Likely : Confidence.Possible,
            Severity = limits.Of(share, stalls.LongCount, facts.Elapsed),
            Count = stalls.Count,
            CostMs = stalls.LostNs / 1e6,
            CostShare = share,
            Connections = [facts.Target],
            For = [.. For(facts, sender, other, pureAcks, fillMs)],
            Against = [.. Against(facts, stalls, pureAcks, clientSplits && serverSplits)],
            Predictions = facts.Replay?.Predict(facts.Target, clientSplits && serverSplits) is { } prediction ? [prediction] : [],
            Recommendation = $"{CureCatalogue.NagleRemedy(side)} Run 'latencytuner diagnose {facts.Target}' to measure both.",
        };
    }

    /// <summary>
    /// The waits fit a timer or a full segment, and the ACKs were counted. Where the kernel counts none (Windows): nearly all waits fit, nearly every
    /// request had one or joined one, and almost nothing was lost.
    /// </summary>
    private static bool IsLikely(MeasurementFacts facts, bool fills, bool ackSeen, bool acksUnknown)
    {
        StallAnalysis stalls = facts.Stalls;
        bool nearlyAll = stalls.Timer is { } timer ? timer.Members >= 0.9 * timer.Total : fills;
        return (stalls.Timer is not null || fills)
            && (ackSeen || (acksUnknown && nearlyAll && stalls.Share >= 0.8 && facts.Retransmitted <= 0.1 * stalls.FirstShare * stalls.Requests));
    }

    /// <summary>
    /// What Nagle holds leaves when a full segment of it has collected, without any ACK. The time that this takes at the planned rate, milliseconds;
    /// null when the waits are not as long.
    /// </summary>
    private static double? FillMs(MeasurementFacts facts, Side side)
    {
        const double Tolerance = 0.2;
        (EndCounters? counters, int bytes) = side == Side.Client ? (facts.Local, facts.Workload.RequestSize) : (facts.Peer, facts.Workload.ReplySize);
        if (facts.Stalls is not { Timer: null, FirstMedianHoldNs: { } holdNs } || counters?.MssBytes is not { } mss
            || facts.RatePerConnection is not { } rate || mss < FewestToFill * bytes)
        {
            return null;
        }

        double fillMs = mss / (bytes * rate) * 1e3;
        return Math.Abs((holdNs / 1e6) - fillMs) <= Tolerance * fillMs ? fillMs : null;
    }

    private static IEnumerable<string> For(MeasurementFacts facts, string sender, string other, double? pureAcks, double? fillMs)
    {
        StallAnalysis stalls = facts.Stalls;
        string messages = sender == "client" ? "requests" : "replies";
        yield return $"the {sender} writes its {messages} in {(sender == "client" ? facts.Workload.Writes.Count : facts.Workload.PeerWrites)} sends with "
            + "TCP_NODELAY off (read back)";
        yield return $"{stalls.Count} of {Counted.Of(stalls.Requests, "request")} waited a median of {stalls.MedianHoldNs / 1e6:0.0} ms beyond two round "
            + "trips of "
            + $"{stalls.RttNs / 1e6:0.###} ms";
        if (stalls.FirstShare < stalls.Share)
        {
            yield return "requests overlapped: one that was sent during a wait waited for the rest of it";
        }

        if (stalls.Timer is { } timer)
        {
            yield return timer.Model == AckTimerModel.Tick
                ? $"{timer.Members} of {Counted.Of(timer.Total, "wait")} spread over 90 to 210 ms, as with a delayed-ACK timer with a coarse tick at the "
                    + $"{other}"
                : $"{timer.Members} of {Counted.Of(timer.Total, "wait")} cluster at {timer.ClusterMs:0} ms, a known delayed-ACK timer; it runs at the {other}";
        }

        if (fillMs is { } fill)
        {
            yield return $"waits that began with nothing unanswered took {stalls.FirstMedianHoldNs / 1e6:0.0} ms (median). At this rate a full segment, which "
                + $"Nagle's algorithm lets pass, collects in {fill:0.0} ms";
        }

        if (pureAcks is { } acks)
        {
            yield return $"the {sender}'s kernel received {acks:0.00} ACKs without data per request";
        }
    }

    private static IEnumerable<string> Against(MeasurementFacts facts, StallAnalysis stalls, double? pureAcks, bool bothSplit)
    {
        if (pureAcks is null)
        {
            yield return "the kernel does not report ACKs without data here, so the wait for an ACK was not seen directly";
        }

        if (facts.Retransmitted is > 0 and long retransmitted)
        {
            yield return $"{Counted.Were(retransmitted, "segment")} retransmitted; losses may explain those waits";
        }

        if (bothSplit)
        {
            yield return "both ends split their messages; which of them stalls was not separated here";
        }

        if (stalls.Share < 0.5)
        {
            yield return $"only {stalls.Share:P1} of the requests stalled";
        }

        if (facts.Workload.Gap > TimeSpan.Zero)
        {
            yield return "the gap between the writes is part of each request's time";
        }
    }
}
