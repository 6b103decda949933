using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Sweeps;

/// <summary>
/// An HTTP/2 stream carries at most its window in each round trip (RFC 9113, section 5.2), even if the socket allows more: LT111 at the end that
/// gives the window. The kernel does not see this limit: it has nothing to send.
/// </summary>
internal static class StreamWindowRule
{
    /// <summary>From this share of the rate that the window allows, the window counts as the limit.</summary>
    private const double Near = 0.5;

    /// <summary>A rate above this multiple of what the window allows is no evidence for it: a round trip under load is longer than the shortest.</summary>
    private const double Beyond = 1.2;
    private const double MuchWaited = 0.5;
    private const double SocketHeld = 0.2;

    /// <summary>Judges all points of a sweep over HTTP/2.</summary>
    /// <param name="levels">The points.</param>
    /// <param name="target">The target's name.</param>
    /// <param name="limits">What makes it a warning or an error.</param>
    internal static Finding? Evaluate(IReadOnlyList<LimitedLevel> levels, string target, SeverityLimits limits)
    {
        List<(LimitedLevel Level, LimitedLevel Best, double PerStream, double Allowed, bool Seen)> held = [];
        foreach (LimitedLevel level in levels)
        {
            if (level is not { StreamWindow: { } window, RoundTripUs: > 0 and { } roundTrip, BytesPerSecond.Count: > 0 })
            {
                continue;
            }

            double allowed = window / roundTrip * 1e6;
            double perStream = level.BytesPerSecond.Average() / level.Clients;
            LimitedLevel best = level.Best(levels);
            bool seen = best.StreamWindow > window && level.IsBeatenBy(best);
            bool socket = (level.RwndShare ?? 0) + (level.SndbufShare ?? 0) >= SocketHeld;
            if (perStream >= Near * allowed && perStream <= Beyond * allowed && !socket && (seen || level.WaitShare >= MuchWaited))
            {
                held.Add((level, best, perStream, allowed, seen));
            }
        }

        if (held.Count == 0)
        {
            return null;
        }

        // What the library itself chose matters most; then what another size shows, and of those the largest that still holds.
        (LimitedLevel Level, LimitedLevel Best, double PerStream, double Allowed, bool Seen) worst = held.OrderByDescending(h => h.Level.SystemsOwn)
            .ThenByDescending(h => h.Seen).ThenBy(h => h.Level.Clients).ThenByDescending(h => h.Level.StreamWindow).First();
        double? cost = worst.Seen ? 1 - (worst.Level.BytesPerSecond.Average() / worst.Best.BytesPerSecond.Average()) : null;
        return new Finding
        {
            Cause = Cause.ReceiveWindow,
            Side = Side.Client,
            Confidence = worst.Seen ? Confidence.Likely : Confidence.Possible,
            // A size that only this sweep has set costs nobody anything.
            Severity = worst.Level.SystemsOwn && cost is { } share ? limits.Of(share, 0, TimeSpan.Zero) : Severity.Info,
            Count = held.Count,
            CountOf = "sweep point",
            CostShare = cost,
            Connections = [target],
            For = [.. For(worst, held.Count)],
            Against = worst.Seen ? [] : ["no larger window of this sweep was faster in every round"],
            Predictions = worst.Seen && worst.Level.Predict(worst.Best, target) is { } prediction ? [prediction] : [],
            Recommendation =
                "Leave SocketsHttpHandler.InitialHttp2StreamWindowSize unset, so that .NET lets the window grow, or set it above bandwidth x round trip. "
                + "More streams or connections have a window each. No socket buffer lifts this limit.",
        };
    }

    private static IEnumerable<string> For((LimitedLevel Level, LimitedLevel Best, double PerStream, double Allowed, bool Seen) worst, int points)
    {
        LimitedLevel level = worst.Level;
        yield return $"the HTTP/2 stream window limits, not the socket: {level.StreamWindow:N0} bytes in each round trip of {level.RoundTripUs / 1e3:0.0#} ms "
            + $"allow a stream at most {LimitedLevel.Rate(worst.Allowed)}; it got {LimitedLevel.Rate(worst.PerStream)}";
        if (worst.Seen)
        {
            yield return $"with {worst.Best.Name} it got {LimitedLevel.Rate(worst.Best.BytesPerSecond.Average() / worst.Best.Clients)}, in every round: "
                + "the path and the hosts could have carried it";
        }

        if (level is { WaitShare: { } wait, RwndShare: { } rwnd, SndbufShare: { } sndbuf })
        {
            yield return $"the sender waited for its flushes {Format.Share(wait)} of its time; the peer's receive window limited its socket "
                + $"{Format.Share(rwnd)} of the time and the send buffer {Format.Share(sndbuf)}";
        }

        if (points > 1)
        {
            yield return $"the same was seen at {points} points of the sweep";
        }
    }
}
