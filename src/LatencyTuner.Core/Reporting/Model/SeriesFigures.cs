namespace LatencyTuner.Core.Reporting.Model;

/// <summary>One series.</summary>
public sealed record SeriesFigures
{
    /// <summary>File or target.</summary>
    public required string Name { get; init; }

    /// <summary><c>series</c>, <c>csv</c>, <c>iis</c>, <c>measurement</c> or <c>monitor</c>.</summary>
    public required string Kind { get; init; }

    /// <summary>Start of the first bin.</summary>
    public required DateTimeOffset StartUtc { get; init; }

    /// <summary>End of the last bin.</summary>
    public required DateTimeOffset EndUtc { get; init; }

    /// <summary>Length of a bin as analysed, milliseconds.</summary>
    public required double StepMs { get; init; }

    /// <summary>By how much the rows are later than the middle of the bins they are in, on average, milliseconds; below 0 when earlier.</summary>
    public double LateMs { get; init; }

    /// <summary>Rows read, those left out included.</summary>
    public required long Rows { get; init; }

    /// <summary>Rows in excluded times.</summary>
    public long ExcludedRows { get; init; }

    /// <summary>Rows without a usable value.</summary>
    public long EmptyRows { get; init; }

    /// <summary>Share (0 to 1) of the bins without a value.</summary>
    public required double GapShare { get; init; }

    /// <summary>The latencies.</summary>
    public required LatencyFigures Latency { get; init; }

    /// <summary>True when they were put together from percentiles of intervals.</summary>
    public bool Approximate { get; init; }

    /// <summary>Requests above the limit; null when none was given.</summary>
    public SlowFigures? Slow { get; init; }

    /// <summary>Oscillations.</summary>
    public IReadOnlyList<OscillationFigures> Oscillations { get; init; } = [];

    /// <summary>Level shifts in order of time.</summary>
    public IReadOnlyList<LevelShiftFigures> Shifts { get; init; } = [];

    /// <summary>Length of the bins below, milliseconds: those analysed, or several of them together.</summary>
    public required double BinMs { get; init; }

    /// <summary>The bins that have a value.</summary>
    public IReadOnlyList<SeriesBin> Bins { get; init; } = [];

    /// <summary>All latencies as a HdrHistogram V2 compressed histogram (nanoseconds), base64.</summary>
    public required string Histogram { get; init; }

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
