using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>The receiver's window holds back the sender: it is too small for the path or the reader is too slow (LT111), or it is closed (LT112).</summary>
internal static class CaptureWindowRule
{
    private const double LimitedShare = 0.2;
    private const double SlowStartShare = 0.5;
    private const double LeastOfWorst = 0.1;
    private const double ClosedShare = 0.01;
    private const long LongClosedNs = 200_000_000;

    // An application that empties so small a buffer so soon waits for data, and not the other way round.
    private const long SoonReadNs = 1_000_000;
    private const int SmallBuffer = 8192;

    private const string SlowStart =
        "mostly just as many segments were in flight as slow start allows then, early in a connection or after idle time: its congestion window would have "
        + "held it back as well";

    internal static IEnumerable<Finding> Evaluate(CaptureEvidence evidence)
    {
        foreach (IGrouping<(IpAddressValue Peer, Side PeerSide), SideOfConnection> group in evidence.Sides
            .Where(s => s.Facts.WindowReleases + s.Facts.ZeroWindows > 0 && s.Connection is { IsHandmade: false, IsReplayed: false })
            .GroupBy(s => (s.Peer, s.PeerSide)))
        {
            SideOfConnection[] sides = [.. group];
            SideOfConnection[] closed =
                [.. sides.Where(
                    s => s.Facts.ZeroWindows > 0
                        && (s.Facts.LongestZeroWindowNs > LongClosedNs || s.Owned(StallKind.ZeroWindow) > ClosedShare * s.Connection.ActiveNs))];
            SideOfConnection[] waiting = [.. sides.Where(s => s.Facts.WindowReleases > 0 && s.Owned(StallKind.ReceiveWindow) > 0)];
            SideOfConnection[] limited =
                [.. waiting.Where(s => s.Owned(StallKind.ReceiveWindow) + s.Owned(StallKind.ZeroWindow) > LimitedShare * s.Connection.ActiveNs)];
            // What waited on a connection with more to do is the same limit.
            double leastNs = limited.Length == 0 ? double.MaxValue : LeastOfWorst * limited.Max(s => s.Owned(StallKind.ReceiveWindow));
            limited = [.. waiting.Where(s => limited.Contains(s) || s.Owned(StallKind.ReceiveWindow) >= leastNs)];
            // A window whose scale is unknown proves nothing about those whose scale is known.
            foreach (SideOfConnection[] alike in limited.GroupBy(s => s.Connection.ScaleKnown).Select(g => g.ToArray()))
            {
                yield return Of(
                    evidence, Cause.ReceiveWindow, alike, Limited(alike),
                    closed.Length > 0 ? [StallKind.ReceiveWindow] : [StallKind.ReceiveWindow, StallKind.ZeroWindow]);
            }

            if (closed.Length > 0)
            {
                yield return Of(evidence, Cause.ZeroWindow, closed, Closed(closed), [StallKind.ZeroWindow]);
            }
        }
    }

    private static Finding Of(CaptureEvidence evidence, Cause cause, SideOfConnection[] sides, string because, StallKind[] kinds)
    {
        LostTime cost = LostTime.Of(sides, kinds);
        SideOfConnection any = sides[0];
        bool scaleKnown = sides.Any(s => s.Connection.ScaleKnown);
        // Where the congestion window explains the wait as well, a larger receive window would not have let more go.
        bool slowStart = cause == Cause.ReceiveWindow && sides.Sum(s => s.Facts.SlowStartNs) > SlowStartShare * cost.Ns;
        bool proxied = sides.All(s => s.PeerFacts.IsProxied);
        int flight = sides.Max(s => s.Facts.LargestFlight);
        bool slow = sides.Any(s => s.Facts.ZeroWindows > 0);
        return new Finding
        {
            Cause = cause,
            Side = any.PeerSide,
            Host = any.Peer.ToString(),
            Confidence = (scaleKnown && !slowStart) || cause == Cause.ZeroWindow ? Confidence.Likely : Confidence.Possible,
            Severity = (scaleKnown && !slowStart) || cause == Cause.ZeroWindow ? evidence.Limits.Of(cost.Share, cost.LongStalls, cost.Elapsed) : Severity.Info,
            Count = cause == Cause.ZeroWindow ? sides.Sum(s => s.Facts.ZeroWindows) : sides.Sum(s => s.Facts.WindowReleases),
            CostMs = cost.Ms,
            CostShare = cost.Share,
            Connections = ConnectionNames.Of(sides.Select(s => s.Connection)),
            For = [because],
            Against = [.. scaleKnown ? [] : new[] { Unscaled(sides) }, .. slowStart ? new[] { SlowStart } : []],
            Predictions = proxied ? [] : CaptureReplays.AtBest(sides, CureAssumptions.OpenWindow, false, kinds),
            Recommendation = proxied
                ? $"A device beside the capture point took the data for {any.Peer}. Find out how fast it passes them on, or capture at {any.Peer}."
                : slow && sides.Max(s => s.Facts.LongestZeroWindowNs) < SoonReadNs && flight is > 0 and <= SmallBuffer
                ? $"On {any.Peer}: allow a larger receive buffer (no fixed SO_RCVBUF). The window never takes more than {flight} bytes, and the application "
                + "empties it at once."
                : slow
                ? $"On {any.Peer}: find out why the application reads too slowly. A larger receive buffer only postpones the stall."
                : $"On {any.Peer}: allow a larger receive buffer (no fixed SO_RCVBUF, receive window auto-tuning on).",
        };
    }

    private static string Unscaled(SideOfConnection[] sides)
    {
        int least = sides.Max(s => s.PeerFacts.LeastScale);
        return (sides.Any(s => s.Connection.HandshakeSeen) ? "the TCP options of the handshake were cut off" : "the handshake was not captured")
            + ", so the window scale is unknown" + (least > 0 ? $"; the data in flight shows that it is at least {least}" : "");
    }

    private static string Limited(SideOfConnection[] sides) =>
        $"{sides[0].Host} filled the window of {sides[0].Peer} {Counted.Of(sides.Sum(s => s.Facts.WindowReleases), "time")} and continued as soon as the "
        + $"window advanced; at most {Counted.Were(sides.Max(s => s.Facts.LargestFlight), "byte")} in flight";

    private static string Closed(SideOfConnection[] sides) =>
        $"{sides[0].Peer} closed its window to less than a segment {Counted.Of(sides.Sum(s => s.Facts.ZeroWindows), "time")} while data waited; the longest "
        + $"wait was {sides.Max(s => s.Facts.LongestZeroWindowNs) / 1e6:0.0} ms"
        + (sides.Any(s => s.Facts.IsWindowStillClosed)
            ? ". A window was still closed when the last packet of its connection passed: that wait may have been longer" : "");
}
