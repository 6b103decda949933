namespace LatencyTuner.Core.Statistics;

/// <summary>
/// Round trips per minute as draft-ietf-ippm-responsiveness defines them for one kind of request: 60 s divided by the mean of the fastest 95 %
/// (its single-sided trimmed mean, TMP = 95 %).
/// </summary>
/// <param name="RoundTripsPerMinute">The estimate.</param>
/// <param name="Low">Lower end of the 95 % interval (block bootstrap).</param>
/// <param name="High">Upper end of the 95 % interval.</param>
internal readonly record struct Responsiveness(double RoundTripsPerMinute, double Low, double High)
{
    /// <summary>The share (0 to 1) of the fastest requests that count.</summary>
    public const double TrimmedShare = 0.95;

    /// <summary>Estimates the round trips per minute.</summary>
    /// <param name="timesNs">Response times in time order, nanoseconds.</param>
    /// <param name="seed">Seed of the bootstrap.</param>
    /// <returns>Null with fewer than 20 response times.</returns>
    public static Responsiveness? Of(IReadOnlyList<long> timesNs, int seed)
    {
        ArgumentNullException.ThrowIfNull(timesNs);
        if (timesNs.Count < BlockBootstrap.Fewest)
        {
            return null;
        }

        double estimate = PerMinute([.. timesNs.Order()]);
        double[] drawn = BlockBootstrap.Draw([timesNs], BlockBootstrap.LongBlocks, draws => PerMinute(draws[0]), seed);
        return new(estimate, BlockBootstrap.At(drawn, 0.025), BlockBootstrap.At(drawn, 0.975));
    }

    private static double PerMinute(long[] sorted)
    {
        int counted = Math.Max(1, (int)Math.Floor(sorted.Length * TrimmedShare));
        double mean = 0;
        for (int i = 0; i < counted; i++)
        {
            mean += (double)sorted[i] / counted;
        }

        return mean > 0 ? 60e9 / mean : 0;
    }
}
