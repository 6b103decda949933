using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>How long requests took, and how long they would have taken without the waits for Nagle's algorithm.</summary>
/// <param name="Count">Number of requests.</param>
/// <param name="MedianMs">Median of their durations, milliseconds.</param>
/// <param name="P99Ms">99th percentile of their durations, milliseconds.</param>
/// <param name="MedianWithoutMs">Median of their durations without the waits, milliseconds.</param>
/// <param name="P99WithoutMs">99th percentile of their durations without the waits, milliseconds.</param>
/// <param name="Held">Number of requests in which data waited.</param>
internal sealed record TraceResponses(int Count, double MedianMs, double P99Ms, double MedianWithoutMs, double P99WithoutMs, int Held)
{
    /// <summary>The figures of connections; null when there are too few requests for a percentile to mean anything.</summary>
    public static TraceResponses? Of(IEnumerable<TraceConnection> connections)
    {
        const int Fewest = 20;
        List<long> with = [];
        List<long> without = [];
        int held = 0;
        foreach (TraceConnection c in connections)
        {
            bool believed = c.LateHolds.Count + c.PlainHolds.Count > 0;
            foreach (TraceTurn turn in c.Turns.All(c.IsClient))
            {
                long waited = believed ? turn.Waits.HeldNs : 0;
                held += waited > 0 ? 1 : 0;
                with.Add(turn.DurationNs);
                without.Add(Math.Max(turn.DurationNs - waited, 0));
            }
        }

        if (with.Count < Fewest)
        {
            return null;
        }

        with.Sort();
        without.Sort();
        return new(with.Count, At(with, 0.5), At(with, 0.99), At(without, 0.5), At(without, 0.99), held);
    }

    /// <summary>What removing a wait would bring, for each client and server, the largest saving first.</summary>
    /// <param name="connections">The connections with the wait.</param>
    /// <param name="wait">The time of the wait in a request, nanoseconds.</param>
    /// <param name="assumes">What the prediction takes for granted.</param>
    /// <param name="atBest">
    /// True for windows and buffers: no request takes less than the shortest round trip and the time in which the path carries what this end sent.
    /// </param>
    public static IReadOnlyList<CurePrediction> Without(
        IEnumerable<TraceConnection> connections, Func<TurnCounters, long> wait, IReadOnlyList<string> assumes, bool atBest = false)
    {
        const int MostTargets = 5;
        List<CurePrediction> predictions = [];
        foreach (IGrouping<string, TraceConnection> target in connections.GroupBy(TargetOf))
        {
            CureReplay replay = new();
            foreach (TraceConnection c in target)
            {
                foreach (TraceTurn turn in c.Turns.All(c.IsClient))
                {
                    long waited = wait(turn.Waits);
                    long least = atBest && waited > 0 ? (c.Sender.BaseNs ?? 0) + (long)(turn.Waits.SentBytes * c.Sender.NsPerByte) : 0;
                    replay.Add(turn.DurationNs, Math.Max(turn.DurationNs - waited, least));
                }
            }

            string name = target.Skip(1).Any() ? target.Key : target.First().Name;
            predictions.AddRange(replay.Predict(name, assumes, atBest) is { } prediction ? [prediction] : []);
        }

        return [.. predictions.OrderByDescending(p => p.SavesMs).Take(MostTargets)];
    }

    /// <summary>The client's address and the server's endpoint.</summary>
    private static string TargetOf(TraceConnection c)
    {
        (TcpEndpoint client, TcpEndpoint server) = c.IsClient ? (c.Local, c.Remote) : (c.Remote, c.Local);
        return $"{(client.IsKnown ? client.Address : "unknown")} > {server}";
    }

    // Nearest rank, so that the result is a value that was measured.
    private static double At(List<long> sorted, double quantile) =>
        sorted[Math.Clamp((int)Math.Ceiling(quantile * sorted.Count) - 1, 0, sorted.Count - 1)] / 1e6;
}
