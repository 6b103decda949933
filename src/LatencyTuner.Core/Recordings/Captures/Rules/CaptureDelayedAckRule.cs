using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>A host delays its pure ACKs (LT103). A cause only where data waited for them that no other finding counts; otherwise it costs 0.</summary>
internal static class CaptureDelayedAckRule
{
    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        foreach (CapturedHost host in evidence.Hosts.Values.OrderBy(h => h.Address))
        {
            if (evidence.TimerOf(host.Address) is not { Known: not null } timer)
            {
                continue;
            }

            SideOfConnection[] sides = [.. evidence.SidesAt(host.Address).Where(s => s.Facts.LateAcks > 0)];
            if (sides.Length > 0)
            {
                yield return Judge(evidence, host, timer, sides);
            }
        }
    }

    private static Finding Judge(CaptureEvidence evidence, CapturedHost host, HostTimer timer, SideOfConnection[] sides)
    {
        // Waits behind a send buffer belong to that finding, where there is one; waits with a window that losses had reduced belong to the losses.
        SideOfConnection[] waiting = [.. sides.Select(s => new SideOfConnection(s.Connection, 1 - s.Index)).Where(s =>
            s.Facts.SendBufferWaits >= 3 && s.Facts.SendBufferWaits >= SideFacts.SureOfPauses * s.Facts.OwnPauses
                && s.Facts.SendBufferWaits > s.Facts.Timeouts + s.Facts.FastRetransmissions && !CaptureSendBufferRule.Claims(s))];
        long harmful = waiting.Sum(s => s.Facts.SendBufferWaits);
        LostTime cost = LostTime.Of(waiting, StallKind.SendBuffer);
        long claimed = sides.Sum(s => s.PeerFacts.MayHaveHeld ? s.PeerFacts.Holds.All.Count(h => h.Late) : 0);
        long prompt = host.Acks[(int)AckClass.Immediate] + host.Acks[(int)AckClass.SecondSegment] + host.Acks[(int)AckClass.Piggyback];
        int clients = sides.Count(s => s.Index == 0);
        return new Finding
        {
            Cause = Cause.DelayedAck,
            Side = clients * 2 > sides.Length ? Side.Client : Side.Server,
            Host = host.Address.ToString(),
            Confidence = Confidence.Likely,
            Severity = harmful == 0 ? Severity.Info : evidence.Limits.Of(cost.Share, cost.LongStalls, cost.Elapsed),
            Count = timer.Fired,
            Fired = timer.Fired,
            Harmful = harmful,
            CostMs = harmful == 0 ? 0 : cost.Ms,
            CostShare = harmful == 0 ? 0 : cost.Share,
            Connections = ConnectionNames.Of(sides.Select(s => s.Connection)),
            For =
            [
                $"{timer.Fired} of {timer.Total} late pure ACKs of {host.Address} fit a timer of {timer.InWords()}; {host.AcksAbove100Ms} took more than "
                + "100 ms",
                prompt > 0 ? $"{Counted.Of(prompt, "other ACK")} of the same host {(prompt == 1 ? "was" : "were")} prompt, so the path is not slow"
                    : $"the fastest answer of this host took {Quickest(sides) / 1e6:0.0} ms, so the path is not slow",
            ],
            Against = [.. Against(harmful, claimed, timer.Fired)],
            Predictions = harmful == 0 ? [] : CaptureReplays.Of(waiting, CureAssumptions.PromptAcks, StallKind.SendBuffer),
            Recommendation = harmful == 0 ? null
                : "Let the sender write more with each send call. Or shorten the timer at the receiver (TcpAckFrequency 1, or a TCP template with a short "
                    + "DelayedAckTimeout).",
        };
    }

    private static long Quickest(SideOfConnection[] sides) =>
        sides.Min(s => (s.Index == 0 ? s.Connection.ClientBaseNs : s.Connection.ServerBaseNs) ?? long.MaxValue);

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
