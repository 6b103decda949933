using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>A host delays its pure ACKs (LT103). A cause only where data waited for them that no other finding counts; otherwise it costs 0.</summary>
internal static class CaptureDelayedAckRule
{
    private const double LikelyChance = 0.01;

    /// <summary>Judges the ACKs of each host.</summary>
    /// <param name="evidence">The evidence.</param>
    /// <param name="held">The ends that a Nagle finding names.</param>
    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence, IReadOnlySet<SideOfConnection> held)
    {
        foreach (CapturedHost host in evidence.Hosts.Values.OrderBy(h => h.Address))
        {
            if (evidence.TimerOf(host.Address) is not { Known: not null } timer)
            {
                continue;
            }

            SideOfConnection[] sides = [.. evidence.SidesAt(host.Address).Where(s => s.Facts.LateAcks > 0)];
            // Where a host speaks to itself, its two ends are told apart by their ports.
            foreach (IGrouping<int?, SideOfConnection> end in sides.GroupBy(s => s.Host == s.Peer ? s.Index : (int?)null))
            {
                yield return Judge(evidence, host, timer, [.. end], held);
            }
        }
    }

    private static Finding Judge(
        CaptureEvidence evidence, CapturedHost host, HostTimer timer, SideOfConnection[] sides, IReadOnlySet<SideOfConnection> held)
    {
        // Waits behind a send buffer belong to that finding, where there is one; waits with a window that losses had reduced belong to the losses.
        SideOfConnection[] stopped = [.. sides.Select(s => new SideOfConnection(s.Connection, 1 - s.Index)).Where(s =>
            s.Facts.SendBufferWaits >= 3 && s.Facts.SendBufferWaits >= SideFacts.SureOfPauses * s.Facts.OwnPauses && !CaptureSendBufferRule.Claims(s))];
        SideOfConnection[] waiting = [.. stopped.Where(s => s.Facts.SendBufferWaits > s.Facts.Timeouts + s.Facts.FastRetransmissions)];
        long behindLosses = stopped.Except(waiting).Sum(s => s.Facts.SendBufferWaits);
        SideOfConnection[] holding = [.. sides.Select(s => new SideOfConnection(s.Connection, 1 - s.Index))
            .Where(s => s.Facts.MayHaveHeld && s.Facts.Holds.All.Any(Fits))];
        bool Fits(NagleHold hold) => hold.Late && timer.Fits(hold.AckDelayNs);
        long claimed = holding.Where(held.Contains).Sum(s => s.Facts.Holds.All.LongCount(Fits));
        // Holds too few for a finding of their own, where chance does not explain them.
        SideOfConnection[] few = [.. holding.Where(s => !held.Contains(s))];
        double expected = sides.Where(s => s.PeerFacts.MayHaveHeld && !held.Contains(new(s.Connection, 1 - s.Index))).Sum(s => s.PeerFacts.NagleCoincidences);
        double probability = Coincidence.Probability(expected, few.Sum(s => (long)s.Facts.Holds.Count));
        few = probability < LikelyChance ? few : [];
        long harmful = waiting.Sum(s => s.Facts.SendBufferWaits) + few.Sum(s => s.Facts.Holds.All.LongCount(Fits));
        // Prompt ACKs save the timer's part of a hold, not the round trip.
        long timerNs = few.Sum(s => Math.Min(s.Owned(StallKind.NagleDelayedAck), s.Facts.Holds.All.Where(Fits).Sum(h => h.AckDelayNs)));
        LostTime cost = LostTime.Of([.. waiting.Select(s => (s, StallKind.SendBuffer)), .. few.Select(s => (s, StallKind.NagleDelayedAck))]) with
        {
            Ns = timerNs + waiting.Sum(s => s.Owned(StallKind.SendBuffer)),
        };
        long prompt = host.Acks[(int)AckClass.Immediate] + host.Acks[(int)AckClass.SecondSegment] + host.Acks[(int)AckClass.Piggyback];
        int clients = sides.Count(s => s.Index == 0);
        bool itself = sides[0].Host == sides[0].Peer;
        long total = itself ? sides.Sum(s => s.Facts.LateAcks) : timer.Total;
        long fired = itself ? (long)Math.Round((double)timer.Fired * total / timer.Total) : timer.Fired;
        string name = itself ? $"{host.Address} as the {(sides[0].Index == 0 ? "client" : "server")}" : host.Address.ToString();
        long above100Ms = itself ? sides.Sum(s => s.Facts.AcksAbove100Ms) : host.AcksAbove100Ms;
        return new Finding
        {
            Cause = Cause.DelayedAck,
            Side = clients * 2 > sides.Length ? Side.Client : Side.Server,
            Host = host.Address.ToString(),
            Confidence = waiting.Length == 0 && few.Length > 0 && probability >= Coincidence.Unlikely ? Confidence.Possible : Confidence.Likely,
            Severity = harmful == 0 ? Severity.Info : evidence.Limits.Of(cost.Share, cost.LongStalls, cost.Elapsed),
            Count = fired,
            Fired = fired,
            Harmful = harmful,
            CostMs = harmful == 0 ? 0 : cost.Ms,
            CostShare = harmful == 0 ? 0 : cost.Share,
            Connections = ConnectionNames.Of(sides.Select(s => s.Connection)),
            For =
            [
                $"{fired} of {total} late pure ACKs of {name} fit a timer of {timer.InWords()}; {above100Ms} took more than "
                + "100 ms",
                prompt > 0 ? $"{Counted.Of(prompt, "other ACK")} of the same host {(prompt == 1 ? "was" : "were")} prompt, so the path is not slow"
                    : $"the fastest answer of this host took {Quickest(sides) / 1e6:0.0} ms, so the path is not slow",
            ],
            Against = [.. Against(harmful, claimed, fired, behindLosses)],
            Predictions = harmful == 0 ? [] : CaptureReplays.AtBest(
                [.. waiting.Union(few)], CureAssumptions.PromptAcks, false,
                few.Length == 0 ? [StallKind.SendBuffer] : [StallKind.SendBuffer, StallKind.NagleDelayedAck]),
            Recommendation = harmful == 0 ? null
                : "Let the sender write more with each send call. Or shorten the timer at the receiver (TcpAckFrequency 1, or a TCP template with a short "
                    + "DelayedAckTimeout).",
        };
    }

    private static long Quickest(SideOfConnection[] sides) =>
        sides.Min(s => (s.Index == 0 ? s.Connection.ClientBaseNs : s.Connection.ServerBaseNs) ?? long.MaxValue);

    private static IEnumerable<string> Against(long harmful, long claimed, long fired, long behindLosses)
    {
        if (claimed > 0)
        {
            yield return $"{claimed} of these ACKs {(claimed == 1 ? "is" : "are")} counted in the Nagle finding, because Nagle's algorithm waited for them";
        }

        if (behindLosses > 0)
        {
            yield return $"data waited for {behindLosses} of these ACKs while losses kept the sender's window small: they are the losses' consequence";
        }
        else if (harmful == 0 && claimed < fired)
        {
            yield return claimed > 0 ? fired - claimed == 1 ? "nothing waited for the other ACK" : "nothing waited for the other ACKs"
                : "nothing waited for these ACKs";
        }
    }
}
