using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>
/// A host delays its pure ACKs (LT103): those of single segments by a timer, or those of several full segments, which are due at once. A cause only where
/// data waited for them that no other finding counts; otherwise it costs 0.
/// </summary>
internal static class CaptureDelayedAckRule
{
    private const int FewestWaits = 3;
    private const double LeastWaiting = 0.3;
    private const double LeastStretched = 0.2;
    private const double QueueShare = 0.2;
    private const int ManyWaits = 10;
    private const double PathTimes = 2;
    private const double NearlyAll = 0.8;

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        foreach (CapturedHost host in evidence.Hosts.Values.OrderBy(h => h.Address))
        {
            HostTimer? timer = evidence.TimerOf(host.Address) is { Known: not null } known ? known : null;
            SideOfConnection[] late = timer is null ? [] : [.. evidence.SidesAt(host.Address).Where(s => s.Facts.LateAcks > 0)];
            SideOfConnection[] stretched = [.. evidence.SidesAt(host.Address).Where(Stretches)];
            long waits = stretched.Sum(s => s.PeerFacts.StretchWaits);
            stretched = waits >= FewestWaits && waits >= LeastWaiting * stretched.Sum(s => s.Facts.StretchedAcks) ? stretched : [];
            if (late.Length + stretched.Length > 0)
            {
                yield return Judge(evidence, host, timer, late, stretched);
            }
        }
    }

    /// <summary>True when the peer waited for ACKs that this end held back. Where a queue was seen and these ACKs may have waited in it, it is the queue.</summary>
    private static bool Stretches(SideOfConnection side) => side.PeerFacts.StretchWaits > 0
        && !(side.PeerFacts.UnsureStretchWaits > 0 && side.PeerFacts.BloatNs >= QueueShare * side.Connection.ActiveNs);

    private static Finding Judge(CaptureEvidence evidence, CapturedHost host, HostTimer? timer, SideOfConnection[] late, SideOfConnection[] stretched)
    {
        // Waits behind a send buffer belong to that finding, where there is one; waits with a window that losses had reduced belong to the losses.
        SideOfConnection[] waiting = [.. late.Select(s => new SideOfConnection(s.Connection, 1 - s.Index)).Where(s =>
            s.Facts.SendBufferWaits >= 3 && s.Facts.SendBufferWaits > s.Facts.Timeouts + s.Facts.FastRetransmissions && !CaptureSendBufferRule.Claims(s))];
        SideOfConnection[] behind = [.. stretched.Select(s => new SideOfConnection(s.Connection, 1 - s.Index))];
        long stretchWaits = behind.Sum(s => s.Facts.StretchWaits);
        long unsure = behind.Sum(s => s.Facts.UnsureStretchWaits);
        long several = host.Acks[(int)AckClass.SecondSegment] + host.Acks[(int)AckClass.Stretched] + host.Acks[(int)AckClass.MaybeStretched];
        // A receiver whose ACK of many segments is the only one had not sent those that were due before, wherever the data waited.
        bool alone = stretchWaits >= ManyWaits && host.Acks[(int)AckClass.MaybeStretched] >= NearlyAll * several && 2 * behind.Sum(s => s.Facts.UnsureLongWaits) >= stretchWaits;
        long harmful = waiting.Sum(s => s.Facts.SendBufferWaits) + stretchWaits;
        SideOfConnection[] sides = [.. late.Union(stretched)];
        LostTime lost = LostTime.Of(waiting, StallKind.SendBuffer);
        LostTime stretch = LostTime.Of(behind, StallKind.DelayedAck);
        LostTime of = LostTime.Of([.. waiting.Union(behind)]);
        LostTime cost = of with { Ns = lost.Ns + stretch.Ns, LongStalls = lost.LongStalls + stretch.LongStalls };
        long claimed = late.Sum(s => s.PeerFacts.MayHold ? s.PeerFacts.Holds.All.Count(h => h.Late) : 0);
        long fired = (late.Length > 0 ? timer!.Fired : 0) + stretched.Sum(s => s.Facts.StretchedAcks);
        bool gathered = stretched.Length > 0 && host.StretchedTogether();
        bool held = 2 * unsure < stretchWaits ? host.Acks[(int)AckClass.Stretched] >= LeastStretched * several
            : alone && stretched.All(s => stretch.Ns / stretchWaits >= PathTimes * (s.Connection.ClientBaseNs + s.Connection.ServerBaseNs));
        bool sure = late.Length > 0 || (held && !gathered);
        int clients = sides.Count(s => s.Index == 0);
        return new Finding
        {
            Cause = Cause.DelayedAck,
            Side = clients * 2 > sides.Length ? Side.Client : Side.Server,
            Host = host.Address.ToString(),
            Confidence = sure ? Confidence.Likely : Confidence.Possible,
            Severity = harmful == 0 ? Severity.Info : evidence.Limits.Of(cost.Share, cost.LongStalls, cost.Elapsed),
            Count = fired,
            Fired = fired,
            Harmful = harmful,
            CostMs = harmful == 0 ? 0 : cost.Ms,
            CostShare = harmful == 0 ? 0 : cost.Share,
            Connections = ConnectionNames.Of(sides.Select(s => s.Connection)),
            For = [.. For(host, timer, late, stretched, stretch)],
            Against = [.. Against(harmful, claimed, fired), .. Path(host, unsure, gathered)],
            Recommendation = harmful == 0 ? null
                : "Let the sender write more with each send call. Or shorten the timer at the receiver (TcpAckFrequency 1, or a TCP template with a short "
                    + "DelayedAckTimeout).",
        };
    }

    private static IEnumerable<string> For(
        CapturedHost host, HostTimer? timer, SideOfConnection[] late, SideOfConnection[] stretched, LostTime held)
    {
        long prompt = host.Acks[(int)AckClass.Immediate] + host.Acks[(int)AckClass.SecondSegment] + host.Acks[(int)AckClass.Piggyback];
        if (late.Length > 0)
        {
            yield return $"{timer!.Fired} of {timer.Total} late pure ACKs of {host.Address} fit a timer of {timer.InWords()}; {host.AcksAbove100Ms} took more than "
                + "100 ms";
        }

        if (stretched.Length > 0)
        {
            long waits = stretched.Sum(s => s.PeerFacts.StretchWaits);
            yield return $"{host.Address} held back {Counted.Of(stretched.Sum(s => s.Facts.StretchedAcks), "ACK")} of two or more full segments, which are due "
                + $"at once. {Counted.Of(waits, "time")} the sender waited for one, {held.Ns / 1e6 / waits:0} ms on average beyond the path's own time, and "
                + "continued right after it";
        }

        if (late.Length > 0 || stretched.Any(s => s.PeerFacts.UnsureStretchWaits < s.PeerFacts.StretchWaits))
        {
            bool beside = late.Length == 0 && stretched.All(s => s.Connection.Vantage == (s.Index == 0 ? Vantage.Client : Vantage.Server));
            yield return beside ? "the capture was made at this host, so the path did not delay these ACKs"
                : prompt > 0 ? $"{Counted.Of(prompt, "other ACK")} of the same host {(prompt == 1 ? "was" : "were")} prompt, so the path is not slow"
                : $"the fastest answer of this host took {Quickest([.. late.Union(stretched)]) / 1e6:0.0} ms, so the path is not slow";
        }
    }

    private static long Quickest(SideOfConnection[] sides) =>
        sides.Min(s => (s.Index == 0 ? s.Connection.ClientBaseNs : s.Connection.ServerBaseNs) ?? long.MaxValue);

    private static IEnumerable<string> Path(CapturedHost host, long unsure, bool gathered)
    {
        if (unsure > 0)
        {
            yield return $"{Counted.Of(unsure, "wait")} had no prompt answer near it, so a queue on the path looks the same. Capture at {host.Address}";
        }

        if (gathered)
        {
            yield return "ACKs of several connections came together, as from a wireless link or a cable modem that gathers them on the path";
        }
    }

    private static IEnumerable<string> Against(long harmful, long claimed, long fired)
    {
        if (claimed > 0)
        {
            yield return $"{claimed} of these ACKs {(claimed == 1 ? "is" : "are")} counted in the Nagle finding, because Nagle's algorithm waited for them";
        }

        if (harmful == 0 && claimed < fired)
        {
            yield return claimed > 0 ? fired - claimed == 1 ? "nothing waited for the other ACK" : "nothing waited for the other ACKs"
                : "nothing waited for these ACKs";
        }
    }
}
