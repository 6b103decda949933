using System.Numerics;
using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Statistics;

/// <summary>
/// The cumulative counts of several runs on their merged buckets, so that a quantile of any weighted pool of runs is a binary search.
/// </summary>
internal sealed class RunQuantiles
{
    private readonly int _runs;
    private readonly long[] _highs;
    private readonly double[] _cumulative;

    public RunQuantiles(IReadOnlyList<LatencyHistogram> runs)
    {
        _runs = runs.Count;
        SortedSet<int> used = new();
        foreach (LatencyHistogram run in runs)
        {
            foreach (HistogramBucket bucket in run)
            {
                used.Add(LatencyHistogram.IndexOf(bucket.LowNs));
            }
        }
        int[] indexes = [.. used];
        long max = runs.Count == 0 ? 0 : runs.Max(r => r.MaxNs);
        _highs = Array.ConvertAll(indexes, i => Math.Min(LatencyHistogram.HighOf(i), max));
        _cumulative = new double[_highs.Length * _runs];
        for (int r = 0; r < _runs; r++)
        {
            ReadOnlySpan<long> counts = runs[r].Counts;
            double seen = 0;
            for (int i = 0; i < indexes.Length; i++)
            {
                seen += counts[indexes[i]];
                _cumulative[(i * _runs) + r] = seen;
            }
        }
    }

    /// <summary>The quantile of the pool, in which each run counts as often as its weight; 0 for an empty pool.</summary>
    public long Quantile(double q, ReadOnlySpan<double> weights)
    {
        if (_highs.Length == 0)
        {
            return 0;
        }

        double total = Pooled(_highs.Length - 1, weights);
        double rank = Math.Max(1, Math.Ceiling(Math.BitDecrement(q * total)));
        int low = 0;
        int high = _highs.Length - 1;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (Pooled(middle, weights) >= rank)
            {
                high = middle;
            }
            else
            {
                low = middle + 1;
            }
        }
        return _highs[low];
    }

    private double Pooled(int bucket, ReadOnlySpan<double> weights)
    {
        ReadOnlySpan<double> row = _cumulative.AsSpan(bucket * _runs, _runs);
        Vector<double> sums = Vector<double>.Zero;
        int i = 0;
        for (; i <= row.Length - Vector<double>.Count; i += Vector<double>.Count)
        {
            sums += new Vector<double>(row[i..]) * new Vector<double>(weights[i..]);
        }

        double sum = Vector.Sum(sums);
        for (; i < row.Length; i++)
        {
            sum += row[i] * weights[i];
        }

        return sum;
    }
}
