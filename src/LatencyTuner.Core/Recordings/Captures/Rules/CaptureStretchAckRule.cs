using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>
/// A host holds back ACKs of two or more full segments, which are due at once, and the sender waits for them (LT103). No timer is needed to see it.
/// </summary>
internal static class CaptureStretchAckRule
{
    private const int FewestWaits = 3;
    private const double FewShare = 0.05;
    private const double LeastWaiting = 0.3;
    private const double LeastStretched = 0.2;
    private const double QueueShare = 0.2;
    private const int ManyWaits = 10;
    private const double PathTimes = 2;
    private const double NearlyAll = 0.8;

    private static readonly string[] Assumes = ["this host acknowledges every second full segment at once"];

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        foreach (CapturedHost host in evidence.Hosts.Values.OrderBy(h => h.Address))
        {
            // The ends that waited for this host.
            SideOfConnection[] waiting =
                [.. evidence.SidesAt(host.Address).Select(s => new SideOfConnection(s.Connection, 1 - s.Index))
                    .Where(s => s.Facts.StretchWaits > 0 && !InQueue(s))];
            long waits = waiting.Sum(s => s.Facts.StretchWaits);
            // Beside the receiver no path can have held them, so that one or two that matter are enough.
            bool few = waits > 0 && Beside(waiting) && LostTime.Of(waiting, StallKind.DelayedAck).Share >= FewShare;
            if ((waits >= FewestWaits || few) && waits >= LeastWaiting * waiting.Sum(s => s.PeerFacts.StretchedAcks))
            {
                yield return Of(evidence, host, waiting, waits);
            }
        }
    }

    /// <summary>True where every capture was made beside the receiver.</summary>
    private static bool Beside(SideOfConnection[] waiting) =>
        waiting.All(s => s.Connection.Vantage == (s.PeerSide == Side.Client ? Vantage.Client : Vantage.Server));

    /// <summary>True where a queue was seen and these ACKs may have waited in it.</summary>
    private static bool InQueue(SideOfConnection sender) =>
        sender.Facts.UnsureStretchWaits > 0 && sender.Facts.BloatNs >= QueueShare * sender.Connection.ActiveNs;

    private static Finding Of(CaptureEvidence evidence, CapturedHost host, SideOfConnection[] waiting, long waits)
    {
        LostTime cost = LostTime.Of(waiting, StallKind.DelayedAck);
        long unsure = waiting.Sum(s => s.Facts.UnsureStretchWaits);
        bool gathered = host.StretchedTogether();
        int clients = waiting.Count(s => s.PeerSide == Side.Client);
        return new Finding
        {
            Cause = Cause.DelayedAck,
            Side = clients * 2 > waiting.Length ? Side.Client : Side.Server,
            Host = host.Address.ToString(),
            Confidence = waits >= FewestWaits && Held(host, waiting, waits, unsure, cost) && !gathered ? Confidence.Likely : Confidence.Possible,
            Severity = evidence.Limits.Of(cost.Share, cost.LongStalls, cost.Elapsed),
            Count = waiting.Sum(s => s.PeerFacts.StretchedAcks),
            Harmful = waits,
            CostMs = cost.Ms,
            CostShare = cost.Share,
            Connections = ConnectionNames.Of(waiting.Select(s => s.Connection)),
            For = [.. For(host, waiting, waits, unsure, cost)],
            Against = [.. Against(host, unsure, gathered)],
            Predictions = CaptureReplays.Of(waiting, Assumes, StallKind.DelayedAck),
            Recommendation = $"On {host.Address}: find what holds back its ACKs (TcpAckFrequency above 2, receive offload, a busy processor). At the sender: "
                + "keep more data in flight (larger or several sends), so that one late ACK does not stop it.",
        };
    }

    /// <summary>
    /// True when the host held the ACKs, and no path did. Either prompt ACKs came in between. Or nearly all of them are late, by more than the path takes,
    /// and each is the only one for many segments: the host had not sent those that were due before, wherever the data waited.
    /// </summary>
    private static bool Held(CapturedHost host, SideOfConnection[] waiting, long waits, long unsure, LostTime cost)
    {
        long several = host.Acks[(int)AckClass.SecondSegment] + host.Acks[(int)AckClass.Stretched] + host.Acks[(int)AckClass.MaybeStretched];
        if (2 * unsure < waits)
        {
            return host.Acks[(int)AckClass.Stretched] >= LeastStretched * several;
        }

        return waits >= ManyWaits && host.Acks[(int)AckClass.MaybeStretched] >= NearlyAll * several
            && 2 * waiting.Sum(s => s.Facts.UnsureLongWaits) >= waits
            && waiting.All(s => cost.Ns >= PathTimes * waits * (s.Connection.ClientBaseNs + s.Connection.ServerBaseNs));
    }

    private static IEnumerable<string> For(CapturedHost host, SideOfConnection[] waiting, long waits, long unsure, LostTime cost)
    {
        yield return $"{host.Address} held back {Counted.Of(waiting.Sum(s => s.PeerFacts.StretchedAcks), "ACK")} of two or more full segments, which are due "
            + "at once";
        yield return $"the sender waited for such an ACK {Counted.Of(waits, "time")}, a mean of {cost.Ns / 1e6 / waits:0} ms beyond the path's own time, and "
            + "continued right after it";
        long prompt = host.Acks[(int)AckClass.Immediate] + host.Acks[(int)AckClass.SecondSegment];
        if (Beside(waiting))
        {
            yield return "the capture was made at this host, so the path did not delay its ACKs";
        }
        else if (2 * unsure < waits && prompt > 0)
        {
            yield return $"{Counted.Of(prompt, "other ACK")} of the same host {(prompt == 1 ? "was" : "were")} prompt, so the path is not slow";
        }
    }

    private static IEnumerable<string> Against(CapturedHost host, long unsure, bool gathered)
    {
        if (unsure > 0)
        {
            yield return $"{Counted.Of(unsure, "wait")} had no prompt answer near {(unsure == 1 ? "it" : "them")}: a queue on the path looks the same. A "
                + $"capture at {host.Address} shows which";
        }

        if (gathered)
        {
            yield return "ACKs of several connections came together, as from a wireless link or a cable modem that gathers them on the path";
        }
    }
}
