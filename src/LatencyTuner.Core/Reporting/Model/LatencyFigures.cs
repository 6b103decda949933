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
