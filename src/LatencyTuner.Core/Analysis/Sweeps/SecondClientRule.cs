using System.Globalization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Sweeps;

/// <summary>
/// More clients raise a throughput that one alone could have had (LT161): its buffer or window limited it, not the path. It is no anomaly that
/// a second client adds to a load that waits for replies. It is one when a larger buffer gives one client the same.
/// </summary>
internal static class SecondClientRule
{
    /// <summary>The window of a stream by name.</summary>
    internal const string StreamWindow = "stream window";

    /// <summary>The send buffer by name.</summary>
    internal const string SendBuffer = "send buffer";

    private const int FewestRounds = 2;
    private const double LeastGain = 1.3;
    private const double MuchLimited = 0.3;

    /// <summary>Judges every size at which fewer and more clients were measured.</summary>
    /// <param name="levels">The points.</param>
    /// <param name="what">The buffer or window by name.</param>
    /// <param name="side">The end it belongs to.</param>
    /// <param name="target">The target's name.</param>
    /// <param name="limits">What makes it a warning or an error.</param>
    internal static Finding? Evaluate(IReadOnlyList<ClientLevel> levels, string what, Side side, string target, SeverityLimits limits)
    {
        if (levels.Count == 0)
        {
            return null;
        }

        int fewest = levels.Min(l => l.Clients);
        List<ClientLevel> alone = [.. levels.Where(l => l.Clients == fewest && l.PerSecond.Count >= FewestRounds)];
        ClientLevel? best = alone.MaxBy(l => l.PerSecond.Min());
        List<(ClientLevel Alone, ClientLevel Together, double Gain, bool Counted, bool Seen)> held = [];
        foreach (ClientLevel one in alone)
        {
            ClientLevel? more = levels.Where(l => l.Value == one.Value && l.Clients > fewest && l.PerSecond.Count >= FewestRounds).MinBy(l => l.Clients);
            // By the round least favourable to the finding.
            if (more is null || !(more.PerSecond.Min() > LeastGain * one.PerSecond.Max()))
            {
                continue;
            }

            bool counted = one.LimitedShare >= MuchLimited;
            // What the system adapts cannot be compared with a fixed size; and a smaller size that does better shows something else.
            bool larger = one.Value is { } own && (best!.Value is null || best.Value > own);
            bool seen = larger && best!.PerSecond.Min() > LeastGain * one.PerSecond.Max();
            if (counted || seen)
            {
                held.Add((one, more, more.PerSecond.Average() / one.PerSecond.Average(), counted, seen));
            }
        }

        if (held.Count == 0)
        {
            return null;
        }

        // What the system itself chose matters most; else the largest size that still holds a client back.
        (ClientLevel Alone, ClientLevel Together, double Gain, bool Counted, bool Seen) worst = held.OrderByDescending(h => h.Alone.Value is null)
            .ThenByDescending(h => h.Alone.Value).First();
        bool systems = worst.Alone.Value is null;
        double share = worst.Seen ? 1 - (worst.Alone.PerSecond.Average() / best!.PerSecond.Average()) : worst.Alone.LimitedShare!.Value;
        string size = systems ? $"the {what} left to the system" : $"a {what} of {worst.Alone.Value:N0} bytes";
        return new Finding
        {
            Cause = Cause.LoadInversion,
            Side = side,
            Confidence = worst is { Counted: true, Seen: true } ? Confidence.Likely : Confidence.Possible,
            // A size that only this sweep has set costs nobody anything.
            Severity = systems ? limits.Of(share, 0, TimeSpan.Zero) : Severity.Info,
            Count = held.Count,
            CountOf = "sweep point",
            CostShare = share,
            Connections = [target],
            For = [.. For(worst, best!, fewest, size, held.Count)],
            Against = worst.Seen || worst.Counted ? [] : ["no larger size gave one client more"],
            Recommendation = what switch
            {
                StreamWindow =>
                    "Leave the stream window to the library, or set it above the size where it begins to degrade. Each stream has a window of its own, so "
                    + "more streams get more.",
                SendBuffer =>
                    "Leave the send buffer to the system, or set it above the size where it begins to degrade. It holds data until the ACK, so a connection "
                    + "sends at most its size in each round trip.",
                _ => $"Leave the {what} to the system, or set it above the size where it begins to degrade, before connect or listen. A window cannot be "
                    + "scaled up later.",
            },
        };
    }

    private static IEnumerable<string> For(
        (ClientLevel Alone, ClientLevel Together, double Gain, bool Counted, bool Seen) worst, ClientLevel best, int fewest, string size, int sizes)
    {
        string Rate(ClientLevel level) => Format.Number(level.PerSecond.Average());
        yield return $"with {size}, {worst.Together.Clients} clients reach {Rate(worst.Together)} requests/s together and "
            + $"{(fewest == 1 ? "one alone" : $"{fewest} of them")} {Rate(worst.Alone)} requests/s: {worst.Gain:0.0} times as many, in every round";
        if (worst.Seen)
        {
            string with = best.Value is { } bytes ? $"{bytes:N0} bytes" : "the system's own size";
            yield return $"{(fewest == 1 ? "one" : fewest.ToString(CultureInfo.InvariantCulture))} with {with} {(fewest == 1 ? "reaches" : "reach")} "
                + $"{Rate(best)} requests/s: the path and the hosts could have carried it";
        }

        if (worst.Counted)
        {
            yield return $"the sender waited for this buffer or window {Format.Share(worst.Alone.LimitedShare)} of the time";
        }

        if (sizes > 1)
        {
            yield return $"the same was seen at {sizes} sizes of the sweep";
        }
    }
}
