namespace LatencyTuner.Core.Statistics;

/// <summary>The difference of a latency figure under load and idle, with its 95 % interval (block bootstrap of both).</summary>
/// <param name="ValueNs">The difference in nanoseconds; below 0 when requests were faster under load.</param>
/// <param name="LowNs">Lower end of the interval in nanoseconds.</param>
/// <param name="HighNs">Upper end of the interval in nanoseconds.</param>
internal readonly record struct AddedLatency(double ValueNs, double LowNs, double HighNs)
{
    /// <summary>The difference of a quantile.</summary>
    /// <param name="idleNs">Idle response times in time order, nanoseconds.</param>
    /// <param name="loadedNs">Response times under load in time order, nanoseconds.</param>
    /// <param name="q">The quantile, above 0 and at most 0.9: for higher quantiles there are too few values for a bootstrap.</param>
    /// <param name="seed">Seed of the bootstrap.</param>
    /// <returns>Null with fewer than 20 values of either.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The quantile is out of range.</exception>
    public static AddedLatency? AtQuantile(IReadOnlyList<long> idleNs, IReadOnlyList<long> loadedNs, double q, int seed)
    {
        if (!(q > 0 && q <= 0.9))
        {
            throw new ArgumentOutOfRangeException(nameof(q), q, "The quantile must be above 0 and at most 0.9.");
        }

        return Of(idleNs, loadedNs, values => BlockBootstrap.At(values, q), seed);
    }

    /// <summary>The difference of the means.</summary>
    /// <param name="idleNs">Idle response times in time order, nanoseconds.</param>
    /// <param name="loadedNs">Response times under load in time order, nanoseconds.</param>
    /// <param name="seed">Seed of the bootstrap.</param>
    /// <returns>Null with fewer than 20 values of either.</returns>
    public static AddedLatency? OfMean(IReadOnlyList<long> idleNs, IReadOnlyList<long> loadedNs, int seed) =>
        Of(idleNs, loadedNs, values => values.Average(v => (double)v), seed);

    private static AddedLatency? Of(IReadOnlyList<long> idleNs, IReadOnlyList<long> loadedNs, Func<long[], double> figure, int seed)
    {
        ArgumentNullException.ThrowIfNull(idleNs);
        ArgumentNullException.ThrowIfNull(loadedNs);
        if (idleNs.Count < BlockBootstrap.Fewest || loadedNs.Count < BlockBootstrap.Fewest)
        {
            return null;
        }

        double[] drawn = BlockBootstrap.Draw([idleNs, loadedNs], BlockBootstrap.LongBlocks, s => figure(s[1]) - figure(s[0]), seed);
        return new(figure([.. loadedNs.Order()]) - figure([.. idleNs.Order()]), BlockBootstrap.At(drawn, 0.025), BlockBootstrap.At(drawn, 0.975));
    }
}
