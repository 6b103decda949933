using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>
/// A sender repeatedly waits with the same amount in flight for a late pure ACK, although the peer's window and the path have room for more
/// (LT114). On Windows a send no smaller than the send buffer completes when it is acknowledged (KB 823764), with or without TCP_NODELAY.
/// </summary>
internal static class CaptureSendBufferRule
{
    private const int Fewest = 3;

    internal static bool Claims(SideOfConnection side) =>
        side.Facts.SendBufferWaits >= Fewest && side.Facts.SendBufferRepeats >= 0.8 * (side.Facts.SendBufferWaits - 1);

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        foreach (IGrouping<(IpAddressValue Host, Side Side), SideOfConnection> group in evidence.Sides.Where(Claims).GroupBy(s => (s.Host, s.Side)))
        {
            SideOfConnection[] sides = [.. group];
            LostTime cost = LostTime.Of(sides, StallKind.SendBuffer);
            SideOfConnection any = sides[0];
            bool atSender = sides.All(s => s.Connection.Vantage == (s.Index == 0 ? Vantage.Client : Vantage.Server));
            yield return new Finding
            {
                Cause = Cause.SendBuffer,
                Side = any.Side,
                Host = any.Host.ToString(),
                Confidence = atSender ? Confidence.Likely : Confidence.Possible,
                Severity = evidence.Limits.Of(cost.Share, cost.LongStalls, cost.Elapsed),
                Count = sides.Sum(s => s.Facts.SendBufferWaits),
                CostMs = cost.Ms,
                CostShare = cost.Share,
                Connections = ConnectionNames.Of(sides.Select(s => s.Connection)),
                For = [
                    $"{any.Host} stopped {sides.Sum(s => s.Facts.SendBufferWaits)} times with about {any.Facts.SendBufferBytes} bytes in flight, although "
                    + "the peer's window was open. It continued right after a late pure ACK"],
                Against = atSender ? [] : ["the capture was not made at the sender; only there it shows the exact bytes in flight"],
                Recommendation = $"On {any.Host}: set the send buffer (SO_SNDBUF) larger than the largest send, or keep several sends in flight.",
            };
        }
    }
}
