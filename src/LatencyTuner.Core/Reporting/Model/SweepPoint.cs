using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>One point of a sweep, all rounds together.</summary>
public sealed record SweepPoint
{
    /// <summary>Planned rate in requests per second.</summary>
    public double? Rate { get; init; }

    /// <summary>Rounds measured.</summary>
    public int Rounds { get; init; }

    /// <summary>Number of responses.</summary>
    public required long N { get; init; }

    /// <summary>Mean response time in microseconds.</summary>
    public double? MeanUs { get; init; }

    /// <summary>Median in microseconds.</summary>
    public double? P50Us { get; init; }

    /// <summary>90th percentile in microseconds.</summary>
    public double? P90Us { get; init; }

    /// <summary>99th percentile in microseconds; null for want of samples.</summary>
    public double? P99Us { get; init; }

    /// <summary>99.9th percentile in microseconds; null for want of samples.</summary>
    [JsonPropertyName("p99_9Us")]
    public double? P999Us { get; init; }

    /// <summary>Largest in microseconds.</summary>
    public double? MaxUs { get; init; }

    /// <summary>Responses per second.</summary>
    public double ThroughputPerSecond { get; init; }

    /// <summary>Share (0 to 1) of the time inside send calls.</summary>
    public double? SendBlockedShare { get; init; }

    /// <summary>Share of the time limited by the peer's receive window.</summary>
    public double? RwndLimitedShare { get; init; }

    /// <summary>Share of the time limited by the send buffer.</summary>
    public double? SndbufLimitedShare { get; init; }

    /// <summary>Share of the time limited by the congestion window.</summary>
    public double? CwndLimitedShare { get; init; }

    /// <summary>Longest send call in microseconds.</summary>
    public double? LongestSendUs { get; init; }

    /// <summary>99th percentile of the send lateness in microseconds.</summary>
    public double? SendLatenessP99Us { get; init; }

    /// <summary>True when the planned rate was held.</summary>
    public bool RateHeld { get; init; } = true;

    /// <summary>95 % intervals by the name of the figure.</summary>
    public IReadOnlyDictionary<string, IntervalFigures> Intervals { get; init; } = new Dictionary<string, IntervalFigures>();
}
