using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Series;

/// <summary>Latencies over time from one source, on a regular grid.</summary>
public sealed class ObservedSeries
{
    internal ObservedSeries(string name, string kind) => (Name, Kind) = (name, kind);

    /// <summary>The source: a file, or a target within it.</summary>
    public string Name { get; }

    /// <summary><c>series</c>, <c>csv</c>, <c>iis</c>, <c>measurement</c> or <c>monitor</c>.</summary>
    public string Kind { get; }

    /// <summary>Start of the first bin, Unix seconds: a multiple of the step, so that the bins of several hosts coincide.</summary>
    public double StartSeconds { get; internal set; }

    /// <summary>Length of a bin, seconds.</summary>
    public double StepSeconds { get; internal set; } = 1;

    /// <summary>
    /// How much later the rows are than the middle of their bins, on average, seconds; minus half a bin where there is one row on each full
    /// second.
    /// </summary>
    public double LateSeconds { get; internal set; }

    /// <summary>Median of each bin, nanoseconds; NaN in a gap.</summary>
    public double[] MedianNs { get; internal set; } = [];

    /// <summary>99th percentile of each bin, or the largest of fewer than 100 values, nanoseconds; NaN in a gap.</summary>
    public double[] TailNs { get; internal set; } = [];

    /// <summary>Requests in each bin.</summary>
    public int[] Counts { get; internal set; } = [];

    /// <summary>Slow requests in each bin; empty when slow requests were not counted.</summary>
    public int[] Slow { get; internal set; } = [];

    /// <summary>All latencies.</summary>
    public LatencyHistogram Distribution { get; } = new();

    /// <summary>True when the distribution was assembled from the percentiles of intervals.</summary>
    public bool IsApproximate { get; internal set; }

    /// <summary>True when each row summarizes many requests.</summary>
    public bool RowsAreIntervals { get; internal set; }

    /// <summary>The first single rows, at most 65,536.</summary>
    public IReadOnlyList<SeriesPoint> FirstRows { get; internal set; } = [];

    /// <summary>Rows read, skipped rows included.</summary>
    public long Rows { get; internal set; }

    /// <summary>Rows within excluded spans.</summary>
    public long ExcludedRows { get; internal set; }

    /// <summary>Rows without a usable value: empty or negative, which some tools write for a request that failed.</summary>
    public long EmptyRows { get; internal set; }

    /// <summary>Notes that the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes => NoteList;

    internal List<string> NoteList { get; } = [];
}

/// <summary>One row of a series: a single request, or the figures of an interval.</summary>
/// <param name="TimeSeconds">Unix time, seconds.</param>
/// <param name="ValueNs">Its latency, or the median of the interval, nanoseconds.</param>
/// <param name="TailNs">The same, or the 99th percentile of the interval, nanoseconds.</param>
/// <param name="Count">Requests behind it.</param>
/// <param name="Slow">How many of them were slow.</param>
public readonly record struct SeriesPoint(double TimeSeconds, long ValueNs, long TailNs, int Count, int Slow);
