using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Sweeps;

/// <summary>What a point of a sweep reached, and for how long its sender was limited.</summary>
/// <param name="Name">The point in a phrase, such as <c>a receive buffer of 16,384 bytes</c>.</param>
/// <param name="SystemsOwn">True when the system or the library chose the buffer or window.</param>
/// <param name="Clients">Number of connections or streams at the same time.</param>
/// <param name="BytesPerSecond">Bytes per second of all clients together, one value for each round.</param>
/// <param name="RwndShare">Share (0 to 1) of the time in which the peer's receive window limited the sender; null when not counted.</param>
/// <param name="SndbufShare">Share (0 to 1) of the time in which the send buffer limited the sender; null when not counted.</param>
internal sealed record LimitedLevel(string Name, bool SystemsOwn, int Clients, IReadOnlyList<double> BytesPerSecond, double? RwndShare, double? SndbufShare)
{
    /// <summary>The fewest rounds with which a comparison is evidence.</summary>
    internal const int FewestRounds = 2;

    /// <summary>How many times faster another point must be in every round.</summary>
    internal const double LeastGain = 1.3;

    /// <summary>The stream window in bytes, over HTTP/2; null else.</summary>
    internal long? StreamWindow { get; init; }

    /// <summary>The shortest round trip in microseconds, over HTTP/2.</summary>
    internal double? RoundTripUs { get; init; }

    /// <summary>Share of its time in which the sender waited for flushes, over HTTP/2.</summary>
    internal double? WaitShare { get; init; }

    /// <summary>Response times of all rounds; null where they are not known one by one.</summary>
    internal LatencyHistogram? Times { get; init; }

    /// <summary>
    /// The requests of this point replayed with the times of a faster one: the best that another size can bring, since the path itself may be the next
    /// limit. Null where the times of either point are unknown.
    /// </summary>
    /// <param name="best">The faster point.</param>
    /// <param name="target">The target's name.</param>
    internal CurePrediction? Predict(LimitedLevel best, string target)
    {
        if (Times is not { } now || best.Times is not { Count: > 0 } after)
        {
            return null;
        }

        CureReplay replay = new();
        foreach ((long nowNs, long afterNs, long count) in RankPairs.Of(now, after))
        {
            replay.Add(nowNs, afterNs, count);
        }

        return replay.Predict(target, [$"requests then take as long as with {best.Name}, the fastest point measured"], atBest: true);
    }

    /// <summary>True when another point was faster in the round least favourable to that.</summary>
    internal bool IsBeatenBy(LimitedLevel other) =>
        BytesPerSecond.Count >= FewestRounds && other.BytesPerSecond.Count >= FewestRounds && other.BytesPerSecond.Min() > LeastGain * BytesPerSecond.Max();

    /// <summary>The point with as many clients that was fastest in its slowest round.</summary>
    internal LimitedLevel Best(IEnumerable<LimitedLevel> levels) =>
        levels.Where(l => l.Clients == Clients && l.BytesPerSecond.Count > 0).MaxBy(l => l.BytesPerSecond.Min()) ?? this;

    /// <summary>Bytes per second in words.</summary>
    internal static string Rate(double bytesPerSecond) => Format.BytesPerSecond(bytesPerSecond);
}
