using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Series;

/// <summary>
/// Turns rows in nearly any order into a series with bounded memory: a window of rows is sorted and put into bins when it is full, except
/// for its last eighth. A row that comes later than that counts in the distribution only.
/// </summary>
internal sealed class SeriesAccumulator
{
    private const int MostFirstRows = 65_536;
    private const int SpreadParts = 8;

    // Rows as far as this from all others, at most one of ten at each end, were dated by a clock that was wrong, or nothing was measured in between: one
    // series of them all would have one bin for everything else.
    private const double FarSeconds = 86_400;
    private const double FarSpans = 10;
    private const int FarOneOf = 10;
    private const int MostFarRows = 65_536;

    private readonly SeriesReadOptions _options;
    private readonly ObservedSeries _series;
    private readonly List<SeriesPoint> _window = [];
    private readonly List<SeriesPoint> _first = [];
    private readonly List<SeriesPoint> _far = [];
    private readonly double _leastStep;
    private double _last = double.NegativeInfinity;
    private long _placed;
    private bool _farAreMany;
    private BoundedBins? _bins;
    private double _frontier = double.NegativeInfinity;
    private long _late;

    /// <summary>Creates an accumulator.</summary>
    /// <param name="series">The series to fill.</param>
    /// <param name="options">Bin length, exclusions and limit.</param>
    /// <param name="leastStep">The resolution of the times, seconds.</param>
    internal SeriesAccumulator(ObservedSeries series, SeriesReadOptions options, double leastStep = 0)
    {
        _series = series;
        _options = options;
        _leastStep = leastStep;
    }

    /// <summary>Adds a single request.</summary>
    internal void Add(double timeSeconds, long valueNs)
    {
        if (IsExcluded(timeSeconds))
        {
            return;
        }

        _series.Distribution.Record(valueNs);
        Put(new(timeSeconds, valueNs, valueNs, 1, valueNs > _options.SlowerThanNs ? 1 : 0));
    }

    /// <summary>Adds the figures of an interval.</summary>
    internal void Add(double timeSeconds, DecodedBuckets interval)
    {
        if (IsExcluded(timeSeconds))
        {
            return;
        }

        _series.RowsAreIntervals = true;
        if (interval.Count == 0)
        {
            _series.EmptyRows++;
            return;
        }

        _series.Distribution.Add(interval);
        Put(new(
            timeSeconds, interval.ValueAtPercentile(50), interval.ValueAtPercentile(99), (int)Math.Min(int.MaxValue, interval.Count),
            _options.SlowerThanNs is { } limit ? (int)Math.Min(int.MaxValue, interval.CountAbove(limit)) : 0));
    }

    /// <summary>Adds an interval of which only percentiles are known; its requests are spread evenly between them.</summary>
    /// <param name="timeSeconds">The middle of the interval, Unix time in seconds.</param>
    /// <param name="count">Number of requests in the interval.</param>
    /// <param name="knotsUs">Minimum, 10th, 50th, 90th, 99th, 99.9th percentile and maximum, microseconds.</param>
    internal void Add(double timeSeconds, long count, ReadOnlySpan<double> knotsUs)
    {
        if (IsExcluded(timeSeconds))
        {
            return;
        }

        _series.RowsAreIntervals = true;
        if (count == 0)
        {
            _series.EmptyRows++;
            return;
        }
        long slow = 0;
        long before = 0;
        for (int k = 1; k < IntervalSeries.Knots.Length; k++)
        {
            long upTo = (long)Math.Round(count * IntervalSeries.Knots[k]);
            long parts = Math.Min(upTo - before, SpreadParts);
            for (long i = 0, done = 0; i < parts; i++)
            {
                long next = (upTo - before) * (i + 1) / parts;
                // The largest value is known exactly, and it occurs at least once.
                bool largest = upTo == count && i == parts - 1;
                double within = (i + 0.5) / parts;
                long value = (long)(1e3 * (knotsUs[k - 1] + (within * (knotsUs[k] - knotsUs[k - 1]))));
                Spread(value, next - done - (largest ? 1 : 0), ref slow);
                if (largest)
                {
                    Spread((long)(1e3 * knotsUs[^1]), 1, ref slow);
                }

                done = next;
            }
            before = upTo;
        }
        Put(new(timeSeconds, (long)(knotsUs[2] * 1e3), (long)(knotsUs[4] * 1e3), (int)Math.Min(int.MaxValue, count), (int)Math.Min(int.MaxValue, slow)));
    }

    private void Spread(long valueNs, long count, ref long slow)
    {
        _series.Distribution.RecordMany(valueNs, count);
        slow += valueNs > _options.SlowerThanNs ? count : 0;
    }

    /// <summary>Counts a row that has no value.</summary>
    internal void AddEmpty()
    {
        _series.Rows++;
        _series.EmptyRows++;
    }

    /// <summary>Puts the remaining rows into bins.</summary>
    internal ObservedSeries Finish()
    {
        Flush(all: true);
        _bins?.CopyTo(_series, _options.SlowerThanNs is not null);
        _series.FirstRows = _far.Count == 0 ? _first : [.. _first.Where(p => p.TimeSeconds >= _bins!.StartSeconds && p.TimeSeconds <= _last)];
        if (_far.Count > 0)
        {
            _series.NoteList.Add(
                $"{Counted.Of(_far.Count, "row")} from {Format.Utc(Format.UtcOf(_far.Min(p => p.TimeSeconds)))} to "
                + $"{Format.Utc(Format.UtcOf(_far.Max(p => p.TimeSeconds)))} far from all others: "
                + "the clock was wrong, or nothing was measured in between. They count only in the distribution. To see them as a series of their own, leave "
                + "out the others with --exclude.");
        }

        if (_late > 0)
        {
            _series.NoteList.Add(
                $"{Counted.Were(_late, "row")} too far out of order for the time series, and {(_late == 1 ? "counts" : "count")} only in the distribution.");
        }

        if (_series.EmptyRows > 0)
        {
            _series.NoteList.Add($"{_series.EmptyRows} of {Counted.Of(_series.Rows, "row")} left out: no value, or a negative one.");
        }

        if (_series.Distribution.SaturatedCount > 0)
        {
            _series.NoteList.Add(
                $"{_series.Distribution.SaturatedCount} of {Counted.Of(_series.Distribution.Count, "value")} above 1 hour, counted as 1 hour. Check "
                + "the unit (--unit).");
        }

        if (_series.ExcludedRows > 0)
        {
            _series.NoteList.Add($"{_series.ExcludedRows} of {Counted.Of(_series.Rows, "row")} left out: in excluded times.");
        }

        return _series;
    }

    private bool IsExcluded(double timeSeconds)
    {
        _series.Rows++;
        foreach (ExcludedSpan span in _options.Excluded)
        {
            if (span.Holds(timeSeconds))
            {
                _series.ExcludedRows++;
                return true;
            }
        }
        return false;
    }

    private void Put(SeriesPoint point)
    {
        if (_first.Count < MostFirstRows)
        {
            _first.Add(point);
        }

        if (point.TimeSeconds < _frontier)
        {
            _late++;
            return;
        }

        _placed++;
        if (_bins is not null && !_farAreMany && point.TimeSeconds > _last + Far(_bins.StartSeconds, _last))
        {
            _far.Add(point);
            if (_far.Count > MostFarRows || _far.Count * FarOneOf > _placed)
            {
                // What was measured later, after a long pause, is no mistake of a clock.
                _farAreMany = true;
                _window.AddRange(_far.Where(p => p.TimeSeconds > _last));
                _far.RemoveAll(p => p.TimeSeconds > _last);
                _last = _window.Max(p => p.TimeSeconds);
            }

            return;
        }

        _last = _bins is null ? _last : Math.Max(_last, point.TimeSeconds);
        _window.Add(point);
        if (_window.Count >= _options.WindowRows)
        {
            Flush(all: false);
        }
    }

    private void Flush(bool all)
    {
        if (_window.Count == 0)
        {
            return;
        }

        if (!IsInOrder(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_window)))
        {
            _window.Sort((a, b) => a.TimeSeconds.CompareTo(b.TimeSeconds));
        }

        if (_bins is null)
        {
            SetFarAside();
            _last = _window[^1].TimeSeconds;
            _bins = CreateBins(all);
        }

        ReadOnlySpan<SeriesPoint> rows = System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_window);
        int keep = all ? rows.Length : rows.Length - (rows.Length / 8);
        int from = 0;
        while (from < keep)
        {
            long bin = _bins.BinOf(rows[from].TimeSeconds);
            int to = from + 1;
            while (to < rows.Length && _bins.BinOf(rows[to].TimeSeconds) == bin)
            {
                to++;
            }
            // A bin that a later row may still belong to waits, unless it fills the whole window.
            if (!all && to >= keep && from > 0)
            {
                break;
            }

            _bins.Add(rows[from..to]);
            _frontier = _bins.StartSeconds + ((_bins.BinOf(rows[from].TimeSeconds) + 1) * _bins.StepSeconds);
            from = to;
        }
        _window.RemoveRange(0, from);
    }

    /// <summary>Rows nearly always come in the order of their times; sorting them all the same would take longer than reading them.</summary>
    private static bool IsInOrder(ReadOnlySpan<SeriesPoint> rows)
    {
        for (int i = 1; i < rows.Length; i++)
        {
            if (rows[i].TimeSeconds < rows[i - 1].TimeSeconds)
            {
                return false;
            }
        }

        return true;
    }

    private static double Far(double first, double last) => Math.Max(FarSeconds, FarSpans * (last - first));

    /// <summary>Takes rows far before and after the others out of the first window, which is sorted.</summary>
    private void SetFarAside()
    {
        int edge = _window.Count / FarOneOf;
        (double low, double high) = (_window[edge].TimeSeconds, _window[^(edge + 1)].TimeSeconds);
        double far = Far(low, high);
        _far.AddRange(_window.Where(p => p.TimeSeconds < low - far || p.TimeSeconds > high + far));
        if (_far.Count > 0)
        {
            _window.RemoveAll(p => p.TimeSeconds < low - far || p.TimeSeconds > high + far);
        }
    }

    private BoundedBins CreateBins(bool isWhole)
    {
        double step = _options.StepSeconds ?? Step(isWhole);
        return new BoundedBins(Math.Floor(_window[0].TimeSeconds / step) * step, step);
    }

    /// <summary>One second where the data allows; for short series a thousandth of the span, for sparse ones the usual distance of rows.</summary>
    private double Step(bool isWhole)
    {
        List<double> gaps = new(_window.Count);
        for (int i = 1; i < _window.Count; i++)
        {
            double gap = _window[i].TimeSeconds - _window[i - 1].TimeSeconds;
            if (gap > 0)
            {
                gaps.Add(gap);
            }
        }
        gaps.Sort();
        double usual = gaps.Count == 0 ? 1 : gaps[gaps.Count / 2];
        double span = _window[^1].TimeSeconds - _window[0].TimeSeconds;
        double step = Math.Max(Math.Max(_leastStep, usual * 0.999), isWhole ? Math.Min(1, Nice(span / 1000)) : 1);
        // Timers are slightly late: an interval of 1.002 s means 1 s.
        double round = step >= 1 ? Math.Round(step) : Nice(step);
        return step >= 1 && Math.Abs(step - round) > 0.05 * step ? step : Math.Max(round, 1e-6);
    }

    private static double Nice(double seconds)
    {
        if (!(seconds > 1e-6))
        {
            return 1e-6;
        }

        double power = Math.Pow(10, Math.Floor(Math.Log10(seconds)));
        double digit = seconds / power;
        return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
    }
}
