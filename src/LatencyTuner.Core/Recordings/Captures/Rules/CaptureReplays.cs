using System.Collections;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>
/// What a cure would bring: the transactions between two hosts, as the client sees them, replayed without the waits of some kinds. A stored finding
/// keeps the targets with the largest savings.
/// </summary>
internal static class CaptureReplays
{
    private const int MostTargets = 5;

    /// <summary>The predictions, the largest saving first; empty where requests and responses cannot be separated, or nothing would be saved.</summary>
    /// <param name="sides">The ends whose data waited.</param>
    /// <param name="assumes">What the predictions take for granted.</param>
    /// <param name="kinds">The kinds of waits that the cure removes.</param>
    /// <remarks>Made only when they are read: most findings of a large capture are counted and not listed.</remarks>
    public static IReadOnlyList<CurePrediction> Of(
        IReadOnlyCollection<SideOfConnection> sides, IReadOnlyList<string> assumes, params StallKind[] kinds) =>
        new PredictionsLater(() => Make(sides, kinds, t => Replay(t, assumes, kinds)));

    /// <summary>
    /// The same for waits that end with the size of a window or buffer: at best, no message takes less than a round trip and the time in which the path
    /// carries it at the highest rate that it showed, shared by as many transactions as there were at a time.
    /// </summary>
    /// <param name="sides">The ends whose data waited.</param>
    /// <param name="assumes">What the predictions take for granted.</param>
    /// <param name="wholeMessage">True where the cure lets the whole message leave at once, so that the round trips between its parts are saved too.</param>
    /// <param name="kinds">The kinds of waits that the cure removes.</param>
    public static IReadOnlyList<CurePrediction> AtBest(
        IReadOnlyCollection<SideOfConnection> sides, IReadOnlyList<string> assumes, bool wholeMessage, params StallKind[] kinds) =>
        new PredictionsLater(() => Make(sides, kinds, t => Bounded(t, assumes, wholeMessage, kinds)));

    private static CurePrediction[] Make(
        IReadOnlyCollection<SideOfConnection> sides, StallKind[] kinds, Func<SideOfConnection[], CurePrediction?> replay)
    {
        IEnumerable<SideOfConnection[]> targets = sides.Where(s => !s.Connection.NotSeparable && s.Connection.Transactions.Count > 0)
            .GroupBy(s => (s.Connection.Client, s.Connection.Server, s.Connection.ServerPort)).Select(g => g.ToArray())
            .OrderByDescending(t => t.Sum(s => kinds.Sum(s.Owned))).Take(MostTargets);
        return [.. targets.Select(replay).OfType<CurePrediction>().OrderByDescending(p => p.SavesMs)];
    }

    private static CurePrediction? Replay(SideOfConnection[] target, IReadOnlyList<string> assumes, StallKind[] kinds)
    {
        CureReplay replay = new();
        foreach (SideOfConnection side in target)
        {
            // What the tap does not see: the path between the client and the tap.
            long path = side.Connection.ClientBaseNs ?? 0;
            int wait = 0;
            for (int i = 0; i < side.Connection.Transactions.Count; i++)
            {
                Transaction t = side.Connection.Transactions[i];
                long now = t.DurationNs + path;
                replay.AddAt(t.RequestStartNs, now, now - Saved(side, i, kinds, 0, ref wait));
            }
        }

        return replay.Predict(NameOf(target), assumes);
    }

    private static CurePrediction? Bounded(SideOfConnection[] target, IReadOnlyList<string> assumes, bool wholeMessage, StallKind[] kinds)
    {
        double nsPerByte = DeliveryRate.NsPerByte(target);
        double atATime = AtATime(target);
        CureReplay replay = new();
        foreach (SideOfConnection side in target)
        {
            long path = side.Connection.ClientBaseNs ?? 0;
            long roundTrip = path + (side.Connection.ServerBaseNs ?? 0);
            int wait = 0;
            for (int i = 0; i < side.Connection.Transactions.Count; i++)
            {
                Transaction t = side.Connection.Transactions[i];
                long now = t.DurationNs + path;
                // What Nagle's algorithm holds waits for the round trip still.
                long saved = Saved(side, i, kinds, wholeMessage ? 0 : roundTrip, ref wait);
                long carried = (long)((side.Index == 0 ? t.RequestBytes : t.ResponseBytes) * nsPerByte);
                long others = roundTrip + t.ServerNs + t.ServerInsideNs + t.ClientInsideNs + Math.Max(0, t.StallNs - saved);
                long least = Math.Max(others + carried, (long)(atATime * carried));
                replay.AddAt(t.RequestStartNs, now, saved == 0 ? now : wholeMessage ? least : Math.Max(now - saved, least));
            }
        }

        return replay.Predict(NameOf(target), assumes, atBest: true);
    }

    /// <summary>The time that a transaction waited.</summary>
    /// <param name="side">The end whose data waited.</param>
    /// <param name="transaction">Its place in the log.</param>
    /// <param name="kinds">The kinds of waits that count.</param>
    /// <param name="roundTripNs">What a prompt ACK leaves of a wait for a late one, nanoseconds.</param>
    /// <param name="wait">The first wait of the transaction; afterwards that of the next one.</param>
    private static long Saved(SideOfConnection side, int transaction, StallKind[] kinds, long roundTripNs, ref int wait)
    {
        ref CompactList<TransactionWait> waits = ref side.Connection.Waits;
        long saved = 0;
        for (; wait < waits.Count && waits[wait].Transaction == transaction; wait++)
        {
            ref TransactionWait part = ref waits[wait];
            long leftNs = (StallKind)(part.Key / 2) == StallKind.NagleDelayedAck ? roundTripNs : 0;
            saved += part.Key % 2 == side.Index && kinds.Contains((StallKind)(part.Key / 2)) ? Math.Max(0, part.Ns - leftNs) : 0;
        }

        return saved;
    }

    /// <summary>How many transactions there were at a time in the mean, at least 1.</summary>
    private static double AtATime(SideOfConnection[] target)
    {
        (long first, long last, long all) = (long.MaxValue, 0, 0);
        foreach (TransactionLog log in target.Select(s => s.Connection.Transactions))
        {
            for (int i = 0; i < log.Count; i++)
            {
                Transaction t = log[i];
                (first, last, all) = (Math.Min(first, t.RequestStartNs), Math.Max(last, t.ResponseEndNs), all + t.DurationNs);
            }
        }

        return last <= first ? 1 : Math.Max(1, (double)all / (last - first));
    }

    private static string NameOf(SideOfConnection[] target)
    {
        ConnectionFacts any = target[0].Connection;
        return target.Length == 1 ? ConnectionNames.Of(any) : $"{any.Client} > {ConnectionNames.Endpoint(any.Server, any.ServerPort)}";
    }

    private sealed class PredictionsLater(Func<CurePrediction[]> make) : IReadOnlyList<CurePrediction>
    {
        private CurePrediction[]? _predictions;

        public int Count => Predictions.Length;

        private CurePrediction[] Predictions => _predictions ??= make();

        public CurePrediction this[int index] => Predictions[index];

        public IEnumerator<CurePrediction> GetEnumerator() => ((IEnumerable<CurePrediction>)Predictions).GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
