namespace LatencyTuner.Core.Statistics;

/// <summary>Order statistics of plain arrays.</summary>
internal static class OrderStatistics
{
    // Median absolute deviation of a normal distribution, as a share of its standard deviation.
    private const double MadOfNormal = 0.6744897501960817;

    /// <summary>The median; sorts the array. NaN when it is empty.</summary>
    internal static double Median(double[] values)
    {
        Array.Sort(values);
        return values.Length == 0 ? double.NaN : (values[(values.Length - 1) / 2] + values[values.Length / 2]) / 2;
    }

    /// <summary>A robust standard deviation: the median absolute deviation from zero, scaled. NaN values are left out.</summary>
    internal static double ScaleAroundZero(IEnumerable<double> values) => Median([.. values.Where(v => !double.IsNaN(v)).Select(Math.Abs)]) / MadOfNormal;

    /// <summary>Each value's rank among all as a normal score; equal values share the middle of their ranks; NaN stays NaN.</summary>
    internal static double[] NormalScores(double[] values)
    {
        int[] order = [.. Enumerable.Range(0, values.Length).Where(i => !double.IsNaN(values[i]))];
        double[] keys = Array.ConvertAll(order, i => values[i]);
        Array.Sort(keys, order);
        double[] scores = new double[values.Length];
        Array.Fill(scores, double.NaN);
        for (int i = 0; i < keys.Length;)
        {
            int end = i;
            while (end < keys.Length && keys[end] == keys[i])
            {
                end++;
            }

            double score = Distributions.NormalQuantile((i + end) / 2.0 / keys.Length);
            for (; i < end; i++)
            {
                scores[order[i]] = score;
            }
        }
        return scores;
    }
}
