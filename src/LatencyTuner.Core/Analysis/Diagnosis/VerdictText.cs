using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement.Experiments;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Diagnosis;

/// <summary>Verdicts in words. Each number has its unit or noun.</summary>
internal static class VerdictText
{
    internal static DiagnosisVerdict Stalled(
        SplitDirection direction, Cause cause, Side side, CellResult with, CellResult without, StallAnalysis stalls, long rtt)
    {
        long before = with.Response.ValueAtPercentile(50);
        long after = without.Response.ValueAtPercentile(50);
        EndCounters? counters = direction.SenderCounters(with);
        double? acks = PerRequest(counters?.PureAcksIn, with);
        double? acksWithout = PerRequest(direction.SenderCounters(without)?.PureAcksIn, without);
        // The sender's kernel saw the ACK come late when it counts one more ACK per request or a smoothed RTT far above its minimum.
        bool ackSeen = acks - (acksWithout ?? 0) >= 0.5 * stalls.Share || SmoothedFarAboveMinimum(counters);
        // Where the sender waits for an ACK even with TCP_NODELAY, the comparison itself shows the cure.
        bool ackCured = cause == Cause.DelayedAck || ReceiverAckCures(direction, stalls, rtt);
        return new DiagnosisVerdict
        {
            Cause = cause,
            Side = side,
            AckTimerSide = cause == Cause.NagleHold ? null : direction.Receiver,
            ClusterMs = stalls.Timer?.ClusterMs,
            TimerModel = stalls.Timer is { } timer ? (timer.Model == AckTimerModel.Tick ? "tick" : "fixed") : null,
            CostUsPerRequest = Math.Max(before - after, 0) / 1e3,
            Confidence = cause == Cause.NagleHold ? Confidence.Likely : ackSeen || ackCured ? Confidence.Confirmed : Confidence.Likely,
            AppliesTo = cause == Cause.DelayedAck
                ? $"applications that wait for the {direction.ReceiverName}'s ACK before they send more"
                : $"applications whose {direction.SenderName} writes a {direction.Message} in two or more sends and leaves Nagle on",
            Text = Sentence(direction, cause, stalls, before, after),
            For = [.. Evidence(direction, cause, stalls, with, without, counters, acks, acksWithout, ackCured)],
            Against = [.. Doubts(direction, stalls, acks, ackCured)],
        };
    }

    /// <summary>True when almost no request stalled while the receiver acknowledged at once.</summary>
    internal static bool ReceiverAckCures(SplitDirection direction, StallAnalysis stalls, long rtt) =>
        direction.ReceiverAckWorks && direction.ReceiverAck is { Response.Count: >= 3 } cell
            && StallAnalysis.From(cell.Transport, rtt, 0).Share < stalls.Share / 3;

    internal static DiagnosisVerdict None(SplitDirection direction, CellResult split, CellResult noDelay, long rtt, StallAnalysis stalls)
    {
        long with = split.Response.ValueAtPercentile(50);
        long without = noDelay.Response.ValueAtPercentile(50);
        // In two sends with immediate ACKs the second write waits one round trip, and no timer is involved.
        bool extraRoundTrip = rtt >= 500_000 && with - without >= 0.5 * rtt;
        double server = direction.OneWrite?.ServerMeanNs ?? 0;
        string explanation = server >= Math.Max(5e6, 0.2 * with)
            ? $" The server's own processing takes {Ms((long)server)} of it."
            : rtt >= 1_000_000 ? $" The path's round trip is {Ms(rtt)}."
            : "";
        return new DiagnosisVerdict
        {
            Cause = Cause.None,
            Confidence = Confidence.Likely,
            CostUsPerRequest = Math.Max(with - without, 0) / 1e3,
            AppliesTo = $"applications whose {direction.SenderName} writes a {direction.Message} in two or more sends",
            Text =
                $"A {direction.Message} written in two sends takes {Ms(with)} here (median), {Ms(without)} with TCP_NODELAY. No timer is involved."
                + explanation
                + (extraRoundTrip ? $" Two sends cost one more round trip ({Ms(with - without)}); one send saves it." : ""),
            For = [
                $"{split.Response.Count:N0} and {Counted.Of(noDelay.Response.Count, "request")} in interleaved rounds; "
                + $"{(stalls.Timer is null ? "no waits cluster at an ACK timer" : "few waits lie at an ACK timer")}"],
            Against = stalls.Count == 0 ? []
                : [$"{stalls.Count:N0} of {Counted.Of(stalls.Requests, "request")} waited {Ms(stalls.MedianHoldNs ?? 0)} (median) beyond two round trips"],
        };
    }

    /// <summary>An application with TCP_NODELAY on: what stalls others does not concern it.</summary>
    internal static DiagnosisVerdict NoDelayIsOn(SplitDirection direction, string application)
    {
        CellResult with = direction.Split!;
        CellResult without = direction.NoDelay!;
        return new DiagnosisVerdict
        {
            Cause = Cause.None,
            Confidence = Confidence.Likely,
            CostUsPerRequest = 0,
            AppliesTo = $"{application}, which has TCP_NODELAY on",
            Text = $"{application} has TCP_NODELAY on: a {direction.Message} written in two sends takes {Ms(without.Response.ValueAtPercentile(50))} here "
                + $"(median). With Nagle on it would take {Ms(with.Response.ValueAtPercentile(50))}.",
            For = [$"{Counted.Of(without.Response.Count, "request")} with TCP_NODELAY and {with.Response.Count:N0} with Nagle on, in interleaved rounds"],
            Against = [],
        };
    }

    /// <summary>Waits cluster at a timer, but in too few requests for the pattern.</summary>
    internal static string TooFewWaitsAtTimer(StallAnalysis stalls, AckTimer timer) =>
        $"only {stalls.Share:P0} of the requests waited, although {timer.Members} of {Counted.Of(timer.Total, "wait")} cluster at {timer.ClusterMs:0} ms; "
            + "measure longer";

    internal static string TooFewWaits(StallAnalysis stalls) =>
        $"only {Counted.Of(stalls.Count, "request")} waited, and not at a known ACK timer: a busy machine can do that, too; measure longer";

    internal static DiagnosisVerdict CannotTell(SplitDirection direction, string because) => new()
    {
        Cause = Cause.CannotTell,
        Confidence = Confidence.Possible,
        AppliesTo = $"applications whose {direction.SenderName} writes a {direction.Message} in two or more sends",
        Text = $"Cannot tell, because {because.TrimEnd('.')}.",
        For = [],
        Against = [],
    };

    internal static string Ms(long ns) => ns switch
    {
        >= 100_000_000 => $"{ns / 1e6:0} ms",
        >= 1_000_000 => $"{ns / 1e6:0.0} ms",
        >= 100_000 => $"{ns / 1e3:0} us",
        _ => $"{ns / 1e3:0.0} us",
    };

    private static double? PerRequest(long? count, CellResult cell) => count is { } c && cell.Exchanges > 0 ? (double)c / cell.Exchanges : null;

    private static string Sentence(SplitDirection direction, Cause cause, StallAnalysis stalls, long before, long after)
    {
        string cost = $"A {direction.Message} written in two sends with Nagle on takes {Ms(before)} here, {Ms(after)} with TCP_NODELAY";
        return cause switch
        {
            Cause.NagleDelayedAck when stalls.Timer is { } timer =>
                $"{cost}. The {direction.SenderName}'s Nagle algorithm waits for the {direction.ReceiverName}'s {Timer(timer)}.",
            Cause.NagleDelayedAck =>
                $"{cost}. The {direction.SenderName}'s Nagle algorithm waits for the {direction.ReceiverName}'s delayed ACK. It comes "
                + $"{Ms(stalls.MedianHoldNs ?? 0)} later than the path explains, and the delay fits no known ACK timer.",
            Cause.NagleHold =>
                $"{cost}. The {direction.SenderName}'s Nagle algorithm holds the second write until the {direction.ReceiverName}'s ACK. It comes "
                + $"{Ms(stalls.MedianHoldNs ?? 0)} later than the path explains, and the delay fits no known ACK timer.",
            _ =>
                $"A {direction.Message} takes {Ms(before)} here even with TCP_NODELAY, {Ms(after)} when the {direction.ReceiverName} acknowledges at "
                + $"once. The sender waits for the {direction.ReceiverName}'s {Timer(stalls.Timer!)}.",
        };
    }

    private static string Timer(AckTimer timer) =>
        $"{timer.ClusterMs:0} ms ACK timer{(timer.Model == AckTimerModel.Tick ? " with a periodic tick (waits spread below it)" : "")}";

    private static bool SmoothedFarAboveMinimum(EndCounters? counters) =>
        counters is { RttUs: { } srtt, MinRttUs: { } min } && srtt > 2000 && srtt > 4 * min;

    private static IEnumerable<string> Evidence(
        SplitDirection direction, Cause cause, StallAnalysis stalls, CellResult with, CellResult without, EndCounters? counters, double? acks,
        double? acksWithout, bool ackCured)
    {
        yield return $"{stalls.Count:N0} of {Counted.Of(with.Response.Count, "request")} stalled with two sends and "
            + $"{(cause == Cause.DelayedAck ? "TCP_NODELAY" : "Nagle on")}; the comparison has {Counted.Of(without.Response.Count, "request")} in "
            + "interleaved rounds";
        if (stalls.Timer is { } timer)
        {
            yield return $"{timer.Members} of {Counted.Of(timer.Total, "wait")} cluster at {timer.ClusterMs:0} ms "
                + $"({(timer.Model == AckTimerModel.Tick ? "spread over a 100 ms tick" : "fixed timer")}), median {stalls.MedianHoldNs / 1e6:0.0} ms";
        }

        if (acks is { } a)
        {
            string compared = acksWithout is { } b ? $", {b:0.00} without the stall" : "";
            yield return $"the {direction.SenderName}'s kernel received {a:0.00} ACKs without data per request{compared}";
        }

        if (SmoothedFarAboveMinimum(counters) && counters is { RttUs: { } srtt, MinRttUs: { } min })
        {
            yield return $"the smoothed RTT of the {direction.SenderName}'s kernel is {srtt / 1e3:0.0} ms, although its minimum is {Ms((long)min * 1000)}";
        }

        if (ackCured)
        {
            yield return $"immediate ACKs at the {direction.ReceiverName} removed the stall";
        }

        if (cause != Cause.DelayedAck && direction.SenderAckWorks && direction.SenderAck is { Response.Count: >= 3 } wrongEnd
            && StallAnalysis.From(wrongEnd.Transport, stalls.RttNs, 0).Share > stalls.Share / 2)
        {
            yield return $"immediate ACKs at the {direction.SenderName}, the wrong end, changed nothing";
        }
    }

    private static IEnumerable<string> Doubts(SplitDirection direction, StallAnalysis stalls, double? acks, bool ackCured)
    {
        if (acks is null)
        {
            yield return $"the {direction.SenderName}'s kernel does not report ACKs without data";
        }

        if (direction.ReceiverAck is not { Response.Count: > 0 })
        {
            yield return $"immediate ACKs at the {direction.ReceiverName} were not tried";
        }
        else if (!direction.ReceiverAckWorks)
        {
            yield return $"immediate ACKs at the {direction.ReceiverName} could not be tried: its system has no call for them";
        }
        else if (!ackCured)
        {
            yield return $"immediate ACKs were requested at the {direction.ReceiverName} and did not remove the stall: either that had no effect, or a device "
                + "between the hosts delays the ACKs";
        }

        if (stalls.Share < 0.9)
        {
            yield return $"{1 - stalls.Share:P0} of the requests did not stall";
        }
    }
}
