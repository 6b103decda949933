using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The figures of one latency distribution, in microseconds. A percentile that the samples do not support is null.</summary>
public sealed record LatencyFigures
{
    /// <summary>Number of samples.</summary>
    public required long Count { get; init; }

    /// <summary>Effective number of samples after autocorrelation; at most <see cref="Count"/>.</summary>
    public double? EffectiveCount { get; init; }

    /// <summary>Smallest.</summary>
    public double? MinUs { get; init; }

    /// <summary>Arithmetic mean.</summary>
    public double? MeanUs { get; init; }

    /// <summary>Standard deviation.</summary>
    public double? StdevUs { get; init; }

    /// <summary>10th percentile.</summary>
    public double? P10Us { get; init; }

    /// <summary>Median.</summary>
    public double? P50Us { get; init; }

    /// <summary>90th percentile.</summary>
    public double? P90Us { get; init; }

    /// <summary>99th percentile.</summary>
    public double? P99Us { get; init; }

    /// <summary>99.9th percentile.</summary>
    [JsonPropertyName("p99_9Us")]
    public double? P999Us { get; init; }

    /// <summary>99.99th percentile.</summary>
    [JsonPropertyName("p99_99Us")]
    public double? P9999Us { get; init; }

    /// <summary>Largest.</summary>
    public double? MaxUs { get; init; }

    /// <summary>95 % intervals by the name of the figure (<c>p50Us</c>, <c>meanUs</c>, ...).</summary>
    public IReadOnlyDictionary<string, IntervalFigures> Intervals { get; init; } = new Dictionary<string, IntervalFigures>();
}

/// <summary>A 95 % confidence interval in microseconds. An open upper end means too few samples: then <see cref="AtLeastUs"/> says what was seen.</summary>
public sealed record IntervalFigures
{
    /// <summary>Lower end in microseconds.</summary>
    public required double LowUs { get; init; }

    /// <summary>Upper end in microseconds; null when the samples do not bound it.</summary>
    public double? HighUs { get; init; }

    /// <summary>The largest value seen in microseconds, given when the figure itself is null for want of samples.</summary>
    public double? AtLeastUs { get; init; }
}

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

/// <summary>Requests that waited far longer than the path and the server explain.</summary>
public sealed record StallFigures
{
    /// <summary>Number of stalled requests.</summary>
    public required long Count { get; init; }

    /// <summary>Stalled requests as a share (0 to 1) of all.</summary>
    public required double Share { get; init; }

    /// <summary>The ACK timer that the waits cluster at in milliseconds: 10, 40, 50, 100 or 200; null without a cluster.</summary>
    public double? ClusterMs { get; init; }

    /// <summary>Median wait of the stalled requests in milliseconds; null without stalls.</summary>
    public double? MedianMs { get; init; }

    /// <summary>Time lost in stalls in milliseconds.</summary>
    public required double TotalMs { get; init; }

    /// <summary>What counts as a stall here: a wait longer than this, in milliseconds.</summary>
    public required double ThresholdMs { get; init; }
}
