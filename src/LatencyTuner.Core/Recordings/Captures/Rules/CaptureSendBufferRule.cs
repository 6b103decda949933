using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>
/// A sender waits, again and again behind the same amount in flight, for a late pure ACK though the peer's window and the path would take
/// more (LT114): on Windows a send no smaller than the send buffer completes when it is acknowledged (KB 823764), TCP_NODELAY or not.
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
                    $"{sides.Sum(s => s.Facts.SendBufferWaits)} times {any.Host} stopped with about {any.Facts.SendBufferBytes} bytes in flight and went "
                    + "on right behind a late pure ACK, with the peer's window open"],
                Against = atSender ? [] : ["the capture was not made at the sender, where the amount in flight can be seen"],
                Recommendation = $"On {any.Host}: a send buffer (SO_SNDBUF) larger than the largest send, or several sends in flight.",
            };
        }
    }
}
