namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>
/// The planned send times of an open loop. Latency counts from them, so that a stall is charged to every request it delayed and not only
/// to the one that met it (coordinated omission: Gil Tene, "How NOT to Measure Latency").
/// </summary>
internal sealed class SendSchedule
{
    private readonly double _intervalNs;
    private readonly Random? _random;
    private readonly long _count;
    private long _index;
    private double _nextNs;

    /// <summary>Creates a schedule.</summary>
    /// <param name="ratePerSecond">Requests per second, positive.</param>
    /// <param name="arrivals">Spacing of the planned times.</param>
    /// <param name="count">Number of requests.</param>
    /// <param name="seed">Seed of the random gaps of Poisson arrivals.</param>
    public SendSchedule(double ratePerSecond, Arrivals arrivals, long count, int seed)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(ratePerSecond);
        _intervalNs = 1e9 / ratePerSecond;
        _random = arrivals == Arrivals.Poisson ? new Random(seed) : null;
        _count = count;
        _nextNs = _random is null ? 0 : Gap();
    }

    /// <summary>Number of planned times that are left.</summary>
    public long Left => _count - _index;

    /// <summary>The next planned time in nanoseconds since the start; meaningless when none is left.</summary>
    public long NextNs => (long)_nextNs;

    /// <summary>Takes the next planned time.</summary>
    public void Advance()
    {
        _index++;
        // Multiplied, not added up, so that an hour of requests does not drift by rounding.
        _nextNs = _random is null ? _index * _intervalNs : _nextNs + Gap();
    }

    private double Gap() => -Math.Log(1 - _random!.NextDouble()) * _intervalNs;
}
