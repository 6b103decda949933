using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Statistics;

/// <summary>
/// Infers a delayed-ACK timer from a distribution of ACK delays. Known values: 200 ms (Windows, long the default), 40 to 50 ms (newer Windows
/// Internet templates; Linux, whose minimum of 40 ms appears as up to 44 ms because of its clock tick), 100 ms (BSD, macOS), 10 ms (Windows
/// Datacenter template). A coarse periodic timer spreads its delays over the tick below its value. The result never names an operating
/// system, because different systems share values.
/// </summary>
internal static class AckTimerInference
{
    /// <summary>Smallest number of delays near a timer value for the timer to be accepted.</summary>
    public const long FewestMembers = 3;

    private const double FewestShare = 0.3;
    private const double LargestMiddle = 0.36;
    private const double LargestBesideCut = 0.15;

    // On a busy host timers expire late by one or two scheduler time slices, never early: then nearly all delays must fit, from the timer upwards.
    private const double LargestLatenessMs = 10;
    private const double FewestShareWhenLate = 0.9;
    private static readonly (double Value, double Low, double High)[] Candidates = [(10, 10, 10), (40, 40, 44), (50, 50, 50), (100, 100, 100), (200, 200, 200)];

    /// <summary>Infers the timer.</summary>
    /// <param name="holds">ACK delays in nanoseconds, only those that are stalls (see <see cref="StallAnalysis"/>).</param>
    /// <param name="jitterNs">Spread of the round-trip time of the path in nanoseconds, added to the tolerance.</param>
    /// <returns>The timer, or null when the delays do not cluster at a known value.</returns>
    public static AckTimer? Infer(LatencyHistogram holds, long jitterNs)
    {
        if (holds.Count < FewestMembers)
        {
            return null;
        }

        double jitterMs = Math.Max(jitterNs, 0) / 1e6;
        // Shorter waits are not stalls and are not included: a tail that is cut off here is dense at the cut, like the cluster of a timer.
        double cut = AckTimer.SmallestHold.TotalMilliseconds + (2 * jitterMs);
        List<Cluster> clusters = [];
        Cluster? late = null;
        foreach ((double value, double low, double high) in Candidates)
        {
            double tolerance = Math.Max(3, 0.06 * value) + jitterMs;
            Cluster cluster = ClusterOf(holds, value, low, high, tolerance, latenessMs: 0, cut);
            if (cluster.Members >= FewestMembers && cluster.Members >= FewestShare * holds.Count)
            {
                clusters.Add(cluster);
            }

            // For the shortest timer, lateness looks the same as the delay of any request on a busy host.
            Cluster wide = ClusterOf(holds, value, low, high, tolerance, LargestLatenessMs, cut);
            if (value > LargestLatenessMs && wide.IsClustered && wide.Members >= FewestMembers && wide.Members >= FewestShareWhenLate * holds.Count
                && wide.Distance <= tolerance && wide.Distance <= (late?.Distance ?? tolerance))
            {
                late = wide;
            }
        }

        long most = clusters.Count == 0 ? 0 : clusters.Max(c => c.Members);
        if (IsTick(holds, most))
        {
            return new AckTimer(200, AckTimerModel.Tick, Between(holds, 90, 210), holds.Count);
        }

        // With jitter, the ranges of the candidates can overlap: of those with about the most members, the one nearest to its members is used.
        Cluster? best = clusters.Where(c => c.IsClustered && c.Members >= 0.8 * most).OrderBy(c => c.Distance).ThenByDescending(c => c.Members).Cast<Cluster?>()
            .FirstOrDefault();
        if (late is { } l && (best?.Members ?? 0) < 0.8 * l.Members)
        {
            best = late;
        }

        return best is { } b ? new AckTimer(b.Value, AckTimerModel.Fixed, b.Members, holds.Count) : null;
    }

    private static Cluster ClusterOf(LatencyHistogram holds, double value, double low, double high, double tolerance, double latenessMs, double cut)
    {
        double from = Math.Max(low - tolerance, 0);
        double to = high + tolerance + latenessMs;
        long members = Between(holds, from, to);
        if (members == 0)
        {
            return new(value, 0, 0, false);
        }

        long below = holds.CountAtOrBelow((long)(from * 1e6) - 1);
        double At(double q) => holds.ValueAtRank(below + Math.Clamp((long)Math.Ceiling(q * members), 1, members)) / 1e6;
        // When timers expire late, the earliest delays show the timer value.
        double typical = At(latenessMs > 0 ? 0.1 : 0.5);
        double distance = Math.Max(0, Math.Max(low - typical, typical - high));
        // The middle half of evenly spread delays fills half of the range. A tail that decays from the cut is densest next to the cut. A timer
        // expires late, never early, and leaves almost nothing there.
        double start = Math.Max(from, cut);
        double width = to - start;
        bool decays = cut >= from && Between(holds, from, start + (width / 4)) > LargestBesideCut * members;
        bool gathers = At(0.75) - At(0.25) <= LargestMiddle * width && !decays;
        return new(value, members, distance, gathers);
    }

    private static bool IsTick(LatencyHistogram holds, long bestFixed)
    {
        double spreadMs = (holds.ValueAtPercentile(90) - holds.ValueAtPercentile(10)) / 1e6;
        long spread = Between(holds, 90, 210);
        // Two fixed waits, for example a timer and a retransmission, leave the middle empty.
        return spreadMs > 40 && spread >= 0.8 * holds.Count && bestFixed < 0.6 * holds.Count && Between(holds, 115, 185) >= 0.3 * spread;
    }

    private static long Between(LatencyHistogram holds, double lowMs, double highMs) =>
        holds.CountAtOrBelow((long)(highMs * 1e6)) - holds.CountAtOrBelow((long)(Math.Max(lowMs, 0) * 1e6) - 1);

    private readonly record struct Cluster(double Value, long Members, double Distance, bool IsClustered);
}
