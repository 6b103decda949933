namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Requests slower than a limit. A 99th percentile does not show how many there are.</summary>
public sealed record SlowFigures
{
    /// <summary>The limit in microseconds.</summary>
    public required double LimitUs { get; init; }

    /// <summary>Number of requests above the limit.</summary>
    public required long Count { get; init; }

    /// <summary>Share (0 to 1) of all requests that is above the limit.</summary>
    public required double Share { get; init; }

    /// <summary>Requests above the limit per second, over the whole time covered.</summary>
    public required double PerSecond { get; init; }

    /// <summary>Requests above the limit per second in the bin that has the most of them.</summary>
    public required double MostPerSecond { get; init; }

    /// <summary>Start of the bin with the most requests above the limit; null when there was none.</summary>
    public DateTimeOffset? MostAtUtc { get; init; }
}
