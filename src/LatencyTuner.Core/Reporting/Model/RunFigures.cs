namespace LatencyTuner.Core.Reporting.Model;

/// <summary>One part of a measurement with its distribution, so that two measurements can be compared part by part.</summary>
public sealed record RunFigures
{
    /// <summary>Which run this part belongs to, from 0: a run has its own connections.</summary>
    public required int Run { get; init; }

    /// <summary>Start in milliseconds since the first request of the measurement.</summary>
    public required double StartMs { get; init; }

    /// <summary>Length in milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Number of responses.</summary>
    public required long Count { get; init; }

    /// <summary>Response times as a HdrHistogram V2 compressed histogram (nanoseconds), base64.</summary>
    public required string Histogram { get; init; }
}
