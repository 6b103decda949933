namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>Joins the buckets of a distribution into ranges of equal ratio; neighbouring empty ranges become one.</summary>
internal static class LogRanges
{
    // Bounds of the series 1, 2, 5: an admin reads "20 to 50 ms" faster than "17.8 to 31.6 ms".
    private static readonly double[] Steps = [1, 2, 5];
    private static readonly double[] FineSteps = [1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8];

    /// <summary>Ranges over the buckets that hold counts, at most the given number.</summary>
    internal static IReadOnlyList<HistogramBar> Of(IReadOnlyList<HistogramBar> buckets, int most)
    {
        List<HistogramBar> filled = buckets.Where(b => b.Count > 0 && double.IsFinite(b.HighUs) && b.HighUs > 0).ToList();
        if (filled.Count == 0)
        {
            return [];
        }

        foreach (double[]? steps in new[] { FineSteps, Steps, Steps[..1] })
        {
            List<HistogramBar> rows = Join(filled, steps);
            if (rows.Count <= most)
            {
                return rows;
            }
        }

        return [new(filled[0].LowUs, filled[^1].HighUs, filled.Sum(b => b.Count))];
    }

    private static List<HistogramBar> Join(List<HistogramBar> filled, double[] steps)
    {
        int first = IndexOf(LastOf(filled[0]), steps);
        int last = IndexOf(LastOf(filled[^1]), steps);
        long[] counts = new long[last - first + 1];
        foreach (HistogramBar bucket in filled)
        {
            counts[Math.Clamp(IndexOf(LastOf(bucket), steps) - first, 0, counts.Length - 1)] += bucket.Count;
        }

        return CloseGaps([.. counts.Select((count, i) => new HistogramBar(Bound(first + i, steps), Bound(first + i + 1, steps), count))]);
    }

    // Between microseconds and a 40 ms timer lie many empty ranges: one line says so.
    private static List<HistogramBar> CloseGaps(List<HistogramBar> rows)
    {
        List<HistogramBar> closed = new();
        foreach (HistogramBar row in rows)
        {
            if (row.Count == 0 && closed.Count > 0 && closed[^1].Count == 0)
            {
                closed[^1] = closed[^1] with { HighUs = row.HighUs };
            }
            else
            {
                closed.Add(row);
            }
        }

        return closed;
    }

    // A bucket that holds a bound belongs above it, so that what took exactly 20 ms stands at "20 to 25 ms". The floor, one nanosecond, keeps the
    // logarithm finite.
    private static double LastOf(HistogramBar bucket) => Math.Max(1e-3, bucket.HighUs - 1e-3);

    private static double Bound(int index, double[] steps)
    {
        int decade = (int)Math.Floor(index / (double)steps.Length);
        return steps[index - (decade * steps.Length)] * Math.Pow(10, decade);
    }

    private static int IndexOf(double value, double[] steps)
    {
        int decade = (int)Math.Floor(Math.Log10(value));
        int index = (decade * steps.Length) - 1;
        while (Bound(index + 1, steps) <= value * (1 + 1e-12))
        {
            index++;
        }

        return index;
    }
}
