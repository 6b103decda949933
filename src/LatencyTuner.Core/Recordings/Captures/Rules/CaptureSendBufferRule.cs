using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>
/// A sender repeatedly waits with the same amount in flight for a late pure ACK, or after the same amount for the ACK of all of it, although the
/// peer's window and the path have room for more (LT114). On Windows a send no smaller than the send buffer completes when it is acknowledged
/// (KB 823764), with or without TCP_NODELAY.
/// </summary>
internal static class CaptureSendBufferRule
{
    private const int Fewest = 3;

    // A congestion window would have grown meanwhile: it doubles with every round trip of a new connection.
    private const int FewestDrains = 6;

    private const int FarMore = 4;

    // A loss makes the congestion window small for some round trips.
    private const int DrainsForEachLoss = 20;

    // The waits of a message that leaves whole: behind the end of a buffer, the rest of it may also have waited as a small segment does.
    private static readonly StallKind[] WithinMessages =
        [StallKind.SendBuffer, StallKind.CongestionWindow, StallKind.NagleHold, StallKind.NagleDelayedAck];

    // A device that speaks for the sender passes on what comes from afar, and its own short round trip is none of the sender's.
    internal static bool Claims(SideOfConnection side) => !side.Facts.IsProxied && (WaitsForLateAcks(side) || Drains(side));

    private static bool Drains(SideOfConnection side) =>
        side.Facts.Drains >= FewestDrains && side.Facts.DrainRepeats >= 0.8 * (side.Facts.Drains - 1) && side.Facts.Drains >= DrainsForEachLoss * Losses(side);

    private static long Losses(SideOfConnection side) =>
        side.Facts.Timeouts + side.Facts.FastRetransmissions + side.Facts.SpuriousRetransmissions + side.Facts.Reorderings;

    // What had far more on its way at another time has a larger buffer.
    private static bool WaitsForLateAcks(SideOfConnection side) =>
        side.Facts.LargestFlight < FarMore * side.Facts.SendBufferBytes
        && side.Facts.SendBufferWaits >= Fewest && side.Facts.SendBufferWaits >= SideFacts.LeastOfPauses * side.Facts.OwnPauses
        && side.Facts.SendBufferRepeats >= 0.8 * (side.Facts.SendBufferWaits - 1);

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        foreach (IGrouping<(IpAddressValue Host, Side Side), SideOfConnection> group in evidence.Sides.Where(Claims).GroupBy(s => (s.Host, s.Side)))
        {
            SideOfConnection[] sides = [.. group];
            LostTime cost = LostTime.Of(sides, StallKind.SendBuffer);
            SideOfConnection any = sides[0];
            bool foreign = sides.All(s => s.Facts.OmitsMss);
            bool atSender = sides.All(s => s.Connection.Vantage == (s.Index == 0 ? Vantage.Client : Vantage.Server));
            yield return new Finding
            {
                Cause = Cause.SendBuffer,
                Side = any.Side,
                Host = any.Host.ToString(),
                Confidence = atSender && !foreign ? Confidence.Likely : Confidence.Possible,
                Severity = evidence.Limits.Of(cost.Share, cost.LongStalls, cost.Elapsed),
                Count = sides.Sum(Waits),
                CostMs = cost.Ms,
                CostShare = cost.Share,
                Connections = ConnectionNames.Of(sides.Select(s => s.Connection)),
                For = [.. For(sides)],
                Against = [.. Against(any, atSender, foreign)],
                Predictions = CaptureReplays.AtBest(sides, CureAssumptions.LargeSendBuffer, true, WithinMessages),
                Recommendation =
                    (foreign ? $"Find out whether a VPN app or proxy beside {any.Peer} answers for {any.Host}, and measure without it. If none "
                        + $"does: on {any.Host}, "
                        : $"On {any.Host}: ")
                    + "set the send buffer (SO_SNDBUF) larger than the largest send, or keep several sends in flight.",
            };
        }
    }

    private static long Waits(SideOfConnection side) =>
        (WaitsForLateAcks(side) ? side.Facts.SendBufferWaits : 0) + (Drains(side) ? side.Facts.Drains : 0);

    private static IEnumerable<string> Against(SideOfConnection any, bool atSender, bool foreign)
    {
        if (!atSender)
        {
            yield return "the capture was not made at the sender; only there it shows the exact bytes in flight";
        }

        if (foreign)
        {
            yield return $"the SYN-ACK of {any.Host} contains no MSS, which nearly every operating system sends: a VPN app or proxy beside {any.Peer} may "
                + "answer for it. Then the buffer belongs to that program";
        }
    }

    private static IEnumerable<string> For(SideOfConnection[] sides)
    {
        SideOfConnection[] late = [.. sides.Where(WaitsForLateAcks)];
        if (late.Length > 0)
        {
            yield return $"{late[0].Host} stopped {Counted.Of(late.Sum(s => s.Facts.SendBufferWaits), "time")} with about "
                + $"{Counted.Of(late[0].Facts.SendBufferBytes, "byte")} in flight, "
                + "although the peer's window was open. It continued right after a late pure ACK";
        }

        SideOfConnection[] drained = [.. sides.Where(Drains)];
        if (drained.Length > 0)
        {
            string unlost = drained.Sum(Losses) == 0 ? " and no data was lost" : "";
            yield return $"{drained[0].Host} stopped {Counted.Of(drained.Sum(s => s.Facts.Drains), "time")} after each "
                + $"{Counted.Of(drained[0].Facts.DrainBytes, "byte")}, although the "
                + $"peer's window was open{unlost}. It continued right after the ACK of all of them";
        }
    }
}
