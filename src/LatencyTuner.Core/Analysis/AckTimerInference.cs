using LatencyTuner.Core.Measurement;

namespace LatencyTuner.Core.Analysis;

/// <summary>
/// Infers a delayed-ACK timer from a distribution of holds. Known values: 200 ms (Windows, long the default), 40 to 50 ms (newer Windows
/// Internet templates; Linux, whose minimum of 40 ms reads up to 44 by its clock tick), 100 ms (BSD, macOS), 10 ms (Windows Datacenter
/// template). A coarse periodic timer spreads its holds over the tick below its value. Never an operating system's name: different
/// systems share values.
/// </summary>
public static class AckTimerInference
{
    /// <summary>A timer is accepted with at least this many holds near it.</summary>
    public const long FewestMembers = 3;

    private const double FewestShare = 0.3;
    private static readonly (double Value, double Low, double High)[] Candidates = [(10, 10, 10), (40, 40, 44), (50, 50, 50), (100, 100, 100), (200, 200, 200)];

    /// <summary>Infers the timer.</summary>
    /// <param name="holds">Holds in nanoseconds, only those that are waits (see <see cref="StallAnalysis"/>).</param>
    /// <param name="jitterNs">Spread of the path's own round trip, nanoseconds, added to the tolerance.</param>
    /// <returns>The timer, or null when the holds do not gather at a known value.</returns>
    public static AckTimer? Infer(LatencyHistogram holds, long jitterNs)
    {
        if (holds.Count < FewestMembers)
        {
            return null;
        }

        (double value, long members) = (0, 0);
        foreach ((double candidate, double low, double high) in Candidates)
        {
            double tolerance = Math.Max(3, 0.06 * candidate) + (jitterNs / 1e6);
            long near = Between(holds, low - tolerance, high + tolerance);
            // Of two overlapping candidates the one whose own value is nearer to the median wins.
            if (near > members || (near == members && near > 0 && Nearer(holds, candidate, value)))
            {
                (value, members) = (candidate, near);
            }
        }

        if (IsTick(holds, members))
        {
            return new AckTimer(200, AckTimerModel.Tick, Between(holds, 90, 210), holds.Count);
        }

        return members >= FewestMembers && members >= FewestShare * holds.Count
            ? new AckTimer(value, AckTimerModel.Fixed, members, holds.Count)
            : null;
    }

    private static bool Nearer(LatencyHistogram holds, double candidate, double other)
    {
        double median = holds.ValueAtPercentile(50) / 1e6;
        return Math.Abs(median - candidate) < Math.Abs(median - other);
    }

    private static bool IsTick(LatencyHistogram holds, long bestFixed)
    {
        double spreadMs = (holds.ValueAtPercentile(90) - holds.ValueAtPercentile(10)) / 1e6;
        return spreadMs > 40 && Between(holds, 90, 210) >= 0.8 * holds.Count && bestFixed < 0.6 * holds.Count;
    }

    private static long Between(LatencyHistogram holds, double lowMs, double highMs) =>
        holds.CountAtOrBelow((long)(highMs * 1e6)) - holds.CountAtOrBelow((long)(Math.Max(lowMs, 0) * 1e6) - 1);
}
