namespace LatencyTuner.Core.Series;

/// <summary>Bins on a regular grid, at most a million: beyond that, neighbours are merged and the step doubles, as often as needed.</summary>
internal sealed class BoundedBins(double startSeconds, double stepSeconds)
{
    /// <summary>The most bins kept: 12 days of seconds.</summary>
    internal const int Capacity = 1 << 20;

    private const double MostlyEmpty = 0.9;

    private double[] _medians = [];
    private double[] _tails = [];
    private int[] _counts = [];
    private int[] _slow = [];
    private int _used;
    private double _lateSeconds;
    private long _rows;

    internal double StartSeconds { get; } = startSeconds;

    internal double StepSeconds { get; private set; } = stepSeconds;

    internal bool WasCoarsened { get; private set; }

    // The start is rounded to a bin: by the last bit, it may lie after the first row.
    internal long BinOf(double timeSeconds) => Math.Max(0, (long)Math.Floor((timeSeconds - StartSeconds) / StepSeconds));

    /// <summary>Adds the rows of one bin.</summary>
    /// <param name="rows">In any order; at least one, all of one bin.</param>
    internal void Add(ReadOnlySpan<SeriesPoint> rows)
    {
        long bin = BinOf(rows[0].TimeSeconds);
        while (bin >= Capacity)
        {
            Coarsen();
            bin = BinOf(rows[0].TimeSeconds);
        }
        Grow((int)bin + 1);
        double[] values = new double[rows.Length];
        long tail = 0;
        long count = 0;
        long slow = 0;
        for (int i = 0; i < rows.Length; i++)
        {
            values[i] = rows[i].ValueNs;
            tail = Math.Max(tail, rows[i].TailNs);
            count += rows[i].Count;
            slow += rows[i].Slow;
            _lateSeconds += rows[i].TimeSeconds - StartSeconds - ((bin + 0.5) * StepSeconds);
        }
        _rows += rows.Length;
        Array.Sort(values);
        double median = (values[(values.Length - 1) / 2] + values[values.Length / 2]) / 2;
        bool single = count == rows.Length && rows.Length >= 100;
        Merge((int)bin, median, single ? values[(int)(0.99 * values.Length)] : tail, count, slow);
    }

    internal void CopyTo(ObservedSeries series, bool withSlow)
    {
        series.StartSeconds = StartSeconds;
        series.StepSeconds = StepSeconds;
        series.LateSeconds = _rows > 0 ? Math.Clamp(_lateSeconds / _rows, -StepSeconds / 2, StepSeconds / 2) : 0;
        series.MedianNs = _medians[.._used];
        series.TailNs = _tails[.._used];
        series.Counts = _counts[.._used];
        series.Slow = withSlow ? _slow[.._used] : [];
        if (WasCoarsened)
        {
            series.NoteList.Add($"The series is long: its bins are {StepSeconds:0.###} s, and shorter oscillations cannot be detected.");
        }
        // For example a clock that started in 1970, or a wrong year.
        if (WasCoarsened && _counts.AsSpan(0, _used).Count(0) is var empty && empty > MostlyEmpty * _used)
        {
            series.NoteList.Add(
                $"{100.0 * empty / _used:0.0} % of these bins have no request. Use --exclude to leave out rows with a wrong time, far from all others.");
        }
    }

    private void Merge(int bin, double median, double tail, long count, long slow)
    {
        long before = _counts[bin];
        // A bin that is added to later was cut by coarsening or by the reading window: the mean of medians stands for their median.
        _medians[bin] = before == 0 ? median : ((_medians[bin] * before) + (median * count)) / (before + count);
        _tails[bin] = before == 0 ? tail : Math.Max(_tails[bin], tail);
        _counts[bin] = (int)Math.Min(int.MaxValue, before + count);
        _slow[bin] = (int)Math.Min(int.MaxValue, _slow[bin] + slow);
    }

    private void Grow(int needed)
    {
        if (needed > _counts.Length)
        {
            int length = Math.Min(Capacity, Math.Max(needed, Math.Max(1024, _counts.Length * 2)));
            int before = _counts.Length;
            Array.Resize(ref _medians, length);
            Array.Resize(ref _tails, length);
            Array.Resize(ref _counts, length);
            Array.Resize(ref _slow, length);
            Array.Fill(_medians, double.NaN, before, length - before);
            Array.Fill(_tails, double.NaN, before, length - before);
        }
        _used = Math.Max(_used, needed);
    }

    private void Coarsen()
    {
        WasCoarsened = true;
        (double[] medians, double[] tails, int[] counts, int[] slow, int used) = (_medians, _tails, _counts, _slow, _used);
        (_medians, _tails, _counts, _slow, _used) = ([], [], [], [], 0);
        StepSeconds *= 2;
        Grow((used + 1) / 2);
        for (int i = 0; i < used; i++)
        {
            if (counts[i] > 0)
            {
                Merge(i / 2, medians[i], tails[i], counts[i], slow[i]);
            }
        }
    }
}
