namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The longest round trip of one interval.</summary>
public sealed record RoundTripInterval
{
    /// <summary>Start of the interval, milliseconds from the connection's first packet.</summary>
    public required double AtMs { get; init; }

    /// <summary>The longest round trip in it, microseconds.</summary>
    public required double LongestUs { get; init; }
}
