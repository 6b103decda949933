using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Sweeps;

/// <summary>
/// The sender's kernel counts how long the peer's receive window (LT111) or its own send buffer (LT114) limited it. Both are limits of the
/// socket; what they cost is known only where another size of the sweep was faster.
/// </summary>
internal static class SocketLimitRule
{
    /// <summary>From this share of the time on, the limit is a finding.</summary>
    private const double Held = 0.2;

    /// <summary>Judges all points of a sweep.</summary>
    /// <param name="levels">The points.</param>
    /// <param name="cause"><see cref="Cause.ReceiveWindow"/> or <see cref="Cause.SendBuffer"/>.</param>
    /// <param name="side">The end whose buffer it is.</param>
    /// <param name="target">The target's name.</param>
    /// <param name="limits">What makes it a warning or an error.</param>
    internal static Finding? Evaluate(IReadOnlyList<LimitedLevel> levels, Cause cause, Side side, string target, SeverityLimits limits)
    {
        double ShareOf(LimitedLevel level) => (cause == Cause.SendBuffer ? level.SndbufShare : level.RwndShare) ?? 0;
        List<LimitedLevel> held = [.. levels.Where(l => l.BytesPerSecond.Count > 0 && ShareOf(l) >= Held)];
        if (held.Count == 0)
        {
            return null;
        }

        bool Seen(LimitedLevel level) => level.Best(levels) is var other && level.IsBeatenBy(other) && ShareOf(other) < ShareOf(level);
        // What the system itself chose matters most; then what another size shows, and of those what was held longest.
        LimitedLevel worst = held.OrderByDescending(l => l.SystemsOwn).ThenByDescending(Seen).ThenByDescending(ShareOf).First();
        LimitedLevel best = worst.Best(levels);
        bool seen = Seen(worst);
        double? cost = seen ? 1 - (worst.BytesPerSecond.Average() / best.BytesPerSecond.Average()) : null;
        bool window = cause == Cause.ReceiveWindow;
        return new Finding
        {
            Cause = cause,
            Side = side,
            Confidence = seen ? Confidence.Confirmed : Confidence.Likely,
            // A size that only this sweep has set costs nobody anything.
            Severity = worst.SystemsOwn && cost is { } share ? limits.Of(share, 0, TimeSpan.Zero) : Severity.Info,
            Count = held.Count,
            CountOf = "sweep point",
            CostShare = cost,
            Connections = [target],
            For = [.. For(worst, best, ShareOf(worst), ShareOf(best), window, seen, held.Count)],
            Against = seen ? []
                : [
                    "no other point of this sweep was faster in every round, so the cost is "
                    + $"unknown{(window ? "; a receiver that reads slowly looks the same" : "")}"],
            Predictions = seen && worst.Predict(best, target) is { } prediction ? [prediction] : [],
            Recommendation = window
                ? "Leave the receive buffer to the system, or set it above bandwidth x round trip before connect or listen. If the receiving application "
                    + "reads slowly, make it read faster."
                : "Leave the send buffer to the system, or set it above bandwidth x round trip and above the largest send.",
        };
    }

    private static IEnumerable<string> For(LimitedLevel worst, LimitedLevel best, double share, double bestShare, bool window, bool seen, int points)
    {
        string what = window ? "the peer's receive window" : "its send buffer";
        yield return $"with {worst.Name} and {Clients(worst.Clients)}, {what} limited the sender {Format.Share(share)} of the time (counted by its kernel)";
        if (seen)
        {
            yield return $"with {best.Name} it limited the sender {Format.Share(bestShare)} of the time, and the rate was "
                + $"{LimitedLevel.Rate(best.BytesPerSecond.Average())} instead of {LimitedLevel.Rate(worst.BytesPerSecond.Average())}, in every round";
        }

        if (points > 1)
        {
            yield return $"the same was seen at {points} points of the sweep";
        }
    }

    private static string Clients(int clients) => Counted.Of(clients, "connection");
}
