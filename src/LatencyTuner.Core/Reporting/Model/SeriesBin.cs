namespace LatencyTuner.Core.Reporting.Model;

/// <summary>One bin of a series.</summary>
public sealed record SeriesBin
{
    /// <summary>Its place from 0: it starts this many bin lengths after the start of the series.</summary>
    public required int At { get; init; }

    /// <summary>Requests in it.</summary>
    public required long N { get; init; }

    /// <summary>Their median in microseconds.</summary>
    public required double P50Us { get; init; }

    /// <summary>Their 99th percentile in microseconds, or the largest of fewer than 100.</summary>
    public required double TailUs { get; init; }

    /// <summary>Requests above the limit.</summary>
    public long Slow { get; init; }
}
