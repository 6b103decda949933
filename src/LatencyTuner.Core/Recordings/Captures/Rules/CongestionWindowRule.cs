using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>A sender waits for ACKs with data to send and the peer's window open (LT113): its congestion window is full, usually in slow start.</summary>
internal static class CongestionWindowRule
{
    private const int Fewest = 3;
    private const double LeastShare = 0.2;

    /// <summary>A connection with less of the time than this part of the worst one is no example.</summary>
    private const double LeastOfWorst = 0.05;

    /// <summary>What is counted leaves out so little that nobody needs to know it.</summary>
    private const double MuchMore = 1.1;

    /// <summary>Stops that are shorter on average than this many steps of the capture's clock may have lasted no time at all.</summary>
    private const int LeastSteps = 2;

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        foreach (IGrouping<(IpAddressValue Host, Side Side), SideOfConnection> group in evidence.Sides.Where(s => Waits(s) > 0 && !s.Facts.IsProxied)
            .GroupBy(s => (s.Host, s.Side)))
        {
            long worstNs = group.Max(OwnedNs);
            SideOfConnection[] sides = [.. group.Where(s => OwnedNs(s) >= LeastOfWorst * worstNs).OrderByDescending(OwnedNs)];
            LostTime cost = LostTime.Of(
                [.. sides.Select(s => (s, StallKind.CongestionWindow)), .. sides.Where(s => Repeats(s) > 0).Select(s => (s, StallKind.SendBuffer))]);
            long waits = sides.Sum(Waits);
            long pauses = sides.Sum(s => s.Facts.OwnPauses);
            if (cost.Share < LeastShare || waits < SideFacts.LeastOfPauses * pauses)
            {
                continue;
            }

            long? stepNs = sides.Max(s => s.Connection.CoarseStepNs);
            bool coarse = cost.Ms * 1e6 < LeastSteps * waits * stepNs;
            // Losses reduce the window, and so does what the sender took for a loss: then this wait is their consequence.
            bool reduced = sides.Any(s => s.Facts.StopsAfterRepair);
            yield return new Finding
            {
                Cause = Cause.CongestionWindow,
                Side = sides[0].Side,
                Host = sides[0].Host.ToString(),
                Confidence = reduced || coarse || waits < Fewest || waits < SideFacts.SureOfPauses * pauses ? Confidence.Possible : Confidence.Likely,
                Severity = coarse ? Severity.Info : evidence.Limits.Of(cost.Share, cost.LongStalls, cost.Elapsed),
                Count = waits,
                CostMs = cost.Ms,
                CostShare = cost.Share,
                Connections = ConnectionNames.Of(sides.Select(s => s.Connection)),
                For = [$"{sides[0].Host} stopped {Counted.Of(waits, "time")} with data waiting and the peer's window open, and continued right after an ACK"],
                Against = [.. Against(sides, cost.Ms, reduced, pauses, coarse ? stepNs : null)],
                Recommendation =
                    "Keep connections open: each new connection starts with a small congestion window. Avoid the window restart after idle time, or raise the "
                    + "initial window.",
            };
        }
    }

    private static long OwnedNs(SideOfConnection side) => side.Owned(StallKind.CongestionWindow) + (Repeats(side) > 0 ? side.Owned(StallKind.SendBuffer) : 0);

    private static long Waits(SideOfConnection side) => side.Facts.CongestionWaits + Repeats(side);

    /// <summary>Waits after as many bytes as before that are too few to show a send buffer (LT114): a window that does not grow looks the same.</summary>
    private static long Repeats(SideOfConnection side) =>
        side.Facts.SendBufferWaits > 0 || CaptureSendBufferRule.Claims(side) ? 0 : side.Facts.DrainRepeats;

    private static IEnumerable<string> Against(SideOfConnection[] sides, double costMs, bool reduced, long pauses, long? stepNs)
    {
        if (stepNs is not null)
        {
            yield return $"the clock of the capture moves in steps of {stepNs / 1e6:0.##} ms: a stop of one step may have lasted no time";
        }

        if (reduced)
        {
            yield return "losses, or what the sender took for them, reduce the congestion window: the waits may be their consequence";
        }

        (long stops, double stopsMs) = (sides.Sum(s => s.Facts.Stops), sides.Sum(s => s.Facts.StopsNs) / 1e6);
        if (stopsMs > MuchMore * costMs || stops > MuchMore * sides.Sum(Waits))
        {
            yield return "counting stops that ended a little later as well, and the time in which a queue on the path still carried earlier data: "
                + $"{Counted.Of(stops, "stop")}, {Format.Ms(stopsMs)} in all";
        }

        if (pauses > 0)
        {
            yield return $"it also continued {Counted.Of(pauses, "time")}, but not right after an ACK: perhaps after a pause of its own";
        }
    }
}
