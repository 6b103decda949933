namespace LatencyTuner.Core.Statistics;

/// <summary>
/// Moving-block bootstrap (Künsch 1989) of a figure of one or several series: blocks of neighbours are drawn, so that what neighbours have in
/// common widens the interval. Blocks are long, a twentieth of a series, because queues fill and empty over seconds.
/// </summary>
internal static class BlockBootstrap
{
    /// <summary>Fewer values than this make no blocks.</summary>
    internal const int Fewest = 20;

    private const int Blocks = 20;
    private const int Resamples = 400;

    /// <summary>Draws the figure again and again.</summary>
    /// <param name="series">The series in time order, each with at least <see cref="Fewest"/> values.</param>
    /// <param name="figure">The figure of sorted series of the same lengths.</param>
    /// <param name="seed">Seed of the draws.</param>
    /// <returns>The drawn figures in ascending order.</returns>
    internal static double[] Draw(IReadOnlyList<IReadOnlyList<long>> series, Func<long[][], double> figure, int seed)
    {
        var random = new Random(seed);
        long[][] values = [.. series.Select(s => s.ToArray())];
        long[][] drawn = Array.ConvertAll(values, v => new long[v.Length]);
        var figures = new double[Resamples];
        for (int r = 0; r < Resamples; r++)
        {
            for (int s = 0; s < values.Length; s++)
            {
                Fill(values[s], drawn[s], random);
                Array.Sort(drawn[s]);
            }
            figures[r] = figure(drawn);
        }
        Array.Sort(figures);
        return figures;
    }

    /// <summary>A quantile of sorted values by the nearest rank.</summary>
    internal static double At(double[] sorted, double q) => sorted[Math.Clamp((int)Math.Ceiling(q * sorted.Length) - 1, 0, sorted.Length - 1)];

    /// <summary>A quantile of sorted values by the nearest rank.</summary>
    internal static long At(long[] sorted, double q) => sorted[Math.Clamp((int)Math.Ceiling(q * sorted.Length) - 1, 0, sorted.Length - 1)];

    private static void Fill(long[] from, long[] to, Random random)
    {
        int length = Math.Max(1, from.Length / Blocks);
        for (int filled = 0; filled < to.Length;)
        {
            int start = random.Next(from.Length - length + 1);
            int count = Math.Min(length, to.Length - filled);
            from.AsSpan(start, count).CopyTo(to.AsSpan(filled));
            filled += count;
        }
    }
}
