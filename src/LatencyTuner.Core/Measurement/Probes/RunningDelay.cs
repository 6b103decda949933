namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>
/// The delay of a hedge: a percentile of the latest times of the first target, so that the share of requests that also ask the second one stays as planned
/// when the first becomes slower (Dean and Barroso, "The Tail at Scale", 2013; Finagle's BackupRequestFilter keeps a window in the same way).
/// </summary>
internal sealed class RunningDelay
{
    // So many of the kept times lie above the delay: fewer make it jump from one value to the next.
    private const int KeptAbove = 10;
    private const int FewestKept = 100;
    private const int MostKept = 4096;

    private readonly double _share;
    private readonly int _most;
    private readonly Queue<long> _latest = [];
    private readonly List<long> _sorted = [];

    /// <summary>Creates the delay.</summary>
    /// <param name="percentile">The percentile, from 1 to below 100.</param>
    internal RunningDelay(double percentile)
    {
        _share = percentile / 100;
        _most = (int)Math.Clamp(KeptAbove / (1 - _share), FewestKept, MostKept);
    }

    /// <summary>The time after which the next request asks the second target, nanoseconds; 0 before the first time is known.</summary>
    internal long Ns
    {
        get
        {
            // The next time exceeds this rank of n times with a probability of one minus the share; with few times the longest one is nearest.
            int rank = (int)Math.Clamp(Math.Ceiling(_share * (_sorted.Count + 1)), 1, Math.Max(_sorted.Count, 1));
            return _sorted.Count == 0 ? 0 : _sorted[rank - 1];
        }
    }

    /// <summary>Takes how long the first target took for one request.</summary>
    /// <param name="ns">Nanoseconds.</param>
    internal void Add(long ns)
    {
        if (_latest.Count == _most)
        {
            _sorted.RemoveAt(_sorted.BinarySearch(_latest.Dequeue()));
        }

        _latest.Enqueue(ns);
        int place = _sorted.BinarySearch(ns);
        _sorted.Insert(place < 0 ? ~place : place, ns);
    }
}
