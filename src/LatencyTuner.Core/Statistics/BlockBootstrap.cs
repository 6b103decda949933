namespace LatencyTuner.Core.Statistics;

/// <summary>
/// Block bootstrap (Künsch 1989) of a figure of one or several series. It draws blocks of neighbours, so that correlation between neighbours
/// widens the interval. The blocks are circular (Politis and Romano 1992): a block near the end continues at the start, so that every value
/// is drawn equally often.
/// </summary>
internal static class BlockBootstrap
{
    /// <summary>Smallest number of values for <see cref="LongBlocks"/>.</summary>
    internal const int Fewest = 20;

    /// <summary>Default number of resamples.</summary>
    internal const int Resamples = 400;

    private const int Blocks = 20;

    /// <summary>Block length of 1/20 of the series, for consecutive requests on one path, where queues fill and empty over seconds.</summary>
    /// <param name="count">Values of the series.</param>
    internal static int LongBlocks(int count) => Math.Max(1, count / Blocks);

    /// <summary>
    /// Block length of the cube root of the series length, which is best where dependence ends after a few values: for requests with pauses, sent in
    /// turns with others.
    /// </summary>
    /// <param name="count">Values of the series.</param>
    internal static int ShortBlocks(int count) => Math.Max(1, (int)Math.Round(Math.Cbrt(count)));

    /// <summary>Resamples the series and computes the figure of each resample.</summary>
    /// <param name="series">The series in time order, each with at least one value.</param>
    /// <param name="blockLength">Block length for a number of values, at least 1: <see cref="LongBlocks"/> or <see cref="ShortBlocks"/>.</param>
    /// <param name="figure">Computes the figure from sorted series of the same lengths.</param>
    /// <param name="seed">Seed of the draws.</param>
    /// <param name="resamples">Number of resamples.</param>
    /// <returns>The drawn figures in ascending order.</returns>
    internal static double[] Draw(
        IReadOnlyList<IReadOnlyList<long>> series, Func<int, int> blockLength, Func<long[][], double> figure, int seed, int resamples = Resamples)
    {
        double[] figures = new double[resamples];
        int next = 0;
        DrawEach(series, blockLength, drawn => figures[next++] = figure(drawn), seed, resamples);
        Array.Sort(figures);
        return figures;
    }

    /// <summary>Resamples the series, for callers that compute more than one figure.</summary>
    /// <param name="series">The series in time order, each with at least one value.</param>
    /// <param name="blockLength">Block length for a number of values, at least 1.</param>
    /// <param name="take">Receives the drawn series, sorted; they are valid only during the call.</param>
    /// <param name="seed">Seed of the draws.</param>
    /// <param name="resamples">Number of resamples.</param>
    internal static void DrawEach(
        IReadOnlyList<IReadOnlyList<long>> series, Func<int, int> blockLength, Action<long[][]> take, int seed, int resamples = Resamples)
    {
        Random random = new(seed);
        long[][] values = [.. series.Select(s => s.ToArray())];
        long[][] drawn = Array.ConvertAll(values, v => new long[v.Length]);
        for (int r = 0; r < resamples; r++)
        {
            for (int s = 0; s < values.Length; s++)
            {
                Fill(values[s], drawn[s], blockLength(values[s].Length), random);
                Array.Sort(drawn[s]);
            }

            take(drawn);
        }
    }

    /// <summary>A quantile of sorted values by the nearest rank.</summary>
    internal static double At(double[] sorted, double q) => sorted[Math.Clamp((int)Math.Ceiling(q * sorted.Length) - 1, 0, sorted.Length - 1)];

    /// <summary>A quantile of sorted values by the nearest rank.</summary>
    internal static long At(long[] sorted, double q) => sorted[Math.Clamp((int)Math.Ceiling(q * sorted.Length) - 1, 0, sorted.Length - 1)];

    private static void Fill(long[] from, long[] to, int block, Random random)
    {
        for (int filled = 0; filled < to.Length;)
        {
            int start = random.Next(from.Length);
            int left = Math.Min(block, to.Length - filled);
            while (left > 0)
            {
                int count = Math.Min(left, from.Length - start);
                from.AsSpan(start, count).CopyTo(to.AsSpan(filled));
                filled += count;
                left -= count;
                start = 0;
            }
        }
    }
}
