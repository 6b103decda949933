namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Requests slower than a limit: what a 99th percentile hides.</summary>
public sealed record SlowFigures
{
    /// <summary>The limit in microseconds.</summary>
    public required double LimitUs { get; init; }

    /// <summary>Requests above it.</summary>
    public required long Count { get; init; }

    /// <summary>Their share (0 to 1) of all.</summary>
    public required double Share { get; init; }

    /// <summary>How many per second of the time covered.</summary>
    public required double PerSecond { get; init; }

    /// <summary>Most per second within one bin.</summary>
    public required double MostPerSecond { get; init; }

    /// <summary>Start of that bin; null when there was none.</summary>
    public DateTimeOffset? MostAtUtc { get; init; }
}
