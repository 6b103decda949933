namespace LatencyTuner.Core.Series;

/// <summary>The settings for reading a series.</summary>
public sealed record SeriesReadOptions
{
    /// <summary>The column with the time, by its header or its number from 1; null to find it.</summary>
    public string? TimeColumn { get; init; }

    /// <summary>The column with the value, by its header or its number from 1; null to find it.</summary>
    public string? ValueColumn { get; init; }

    /// <summary>Nanoseconds of one unit of the value; null for what the header says, else milliseconds.</summary>
    public double? UnitNs { get; init; }

    /// <summary>A .NET format of the time, invariant culture; null for ISO 8601 and Unix time.</summary>
    public string? TimeFormat { get; init; }

    /// <summary>Length of a bin, seconds; null to choose it from the data: 1 s where possible.</summary>
    public double? StepSeconds { get; init; }

    /// <summary>Time spans to leave out, for example known outages.</summary>
    public IReadOnlyList<ExcludedSpan> Excluded { get; init; } = [];

    /// <summary>Values above are counted as slow, nanoseconds; null to count none.</summary>
    public long? SlowerThanNs { get; init; }

    /// <summary>Rows buffered before they are put into bins: times may be out of order by this many rows. 2 million by default (64 MB).</summary>
    public int WindowRows { get; init; } = 2_000_000;
}

/// <summary>A known outage: its rows are left out of all results.</summary>
/// <param name="FromUtc">Its start, inclusive.</param>
/// <param name="ToUtc">Its end, exclusive.</param>
public readonly record struct ExcludedSpan(DateTimeOffset FromUtc, DateTimeOffset ToUtc)
{
    internal bool Holds(double unixSeconds) =>
        unixSeconds >= FromUtc.ToUnixTimeMilliseconds() / 1e3 && unixSeconds < ToUtc.ToUnixTimeMilliseconds() / 1e3;
}
