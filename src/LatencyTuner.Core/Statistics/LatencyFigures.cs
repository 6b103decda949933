using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Statistics;

/// <summary>The figures of one latency distribution, in microseconds. A percentile that the samples do not support is null.</summary>
public sealed record LatencyFigures
{
    /// <summary>Number of samples.</summary>
    [Range(0, double.MaxValue)]
    public required long Count { get; init; }

    /// <summary>Effective number of samples after autocorrelation; at most <see cref="Count"/>.</summary>
    public double? EffectiveCount { get; init; }

    /// <summary>Smallest value in microseconds.</summary>
    [Required]
    public double? MinUs { get; init; }

    /// <summary>Arithmetic mean in microseconds.</summary>
    [Required]
    public double? MeanUs { get; init; }

    /// <summary>Standard deviation in microseconds.</summary>
    [Required]
    public double? StdevUs { get; init; }

    /// <summary>10th percentile in microseconds; null with too few samples.</summary>
    [Required]
    public double? P10Us { get; init; }

    /// <summary>Median in microseconds; null with too few samples.</summary>
    [Required]
    public double? P50Us { get; init; }

    /// <summary>90th percentile in microseconds; null with too few samples.</summary>
    [Required]
    public double? P90Us { get; init; }

    /// <summary>99th percentile in microseconds; null with too few samples.</summary>
    [Required]
    public double? P99Us { get; init; }

    /// <summary>99.9th percentile in microseconds; null with too few samples.</summary>
    [JsonPropertyName("p99_9Us")]
    [Required]
    public double? P999Us { get; init; }

    /// <summary>99.99th percentile in microseconds; null with too few samples.</summary>
    [JsonPropertyName("p99_99Us")]
    [Required]
    public double? P9999Us { get; init; }

    /// <summary>Largest value in microseconds.</summary>
    [Required]
    public double? MaxUs { get; init; }

    /// <summary>95 % confidence intervals by the name of the figure (<c>p50Us</c>, <c>meanUs</c>, ...).</summary>
    [Required]
    public IReadOnlyDictionary<string, IntervalFigures> Intervals { get; init; } = new Dictionary<string, IntervalFigures>();

    /// <summary>Converts a summary to microseconds, rounded to the nanosecond.</summary>
    internal static LatencyFigures From(LatencySummary summary) => new()
    {
        Count = summary.Count,
        EffectiveCount = summary.Count > 0 ? Math.Round(summary.EffectiveCount, 1) : null,
        MinUs = summary.Count > 0 ? Us(summary.MinNs) : null,
        MeanUs = summary.Count > 0 ? Us(summary.Mean.ValueNs) : null,
        StdevUs = summary.Count > 0 ? Us(summary.StandardDeviationNs) : null,
        P10Us = UsOrNull(summary.P10.ValueNs),
        P50Us = UsOrNull(summary.P50.ValueNs),
        P90Us = UsOrNull(summary.P90.ValueNs),
        P99Us = UsOrNull(summary.P99.ValueNs),
        P999Us = UsOrNull(summary.P999.ValueNs),
        P9999Us = UsOrNull(summary.P9999.ValueNs),
        MaxUs = summary.Count > 0 ? Us(summary.MaxNs) : null,
        Intervals = summary.Count == 0 ? [] : new Dictionary<string, IntervalFigures>
        {
            ["meanUs"] = new() { LowUs = Us(summary.Mean.LowNs), HighUs = summary.Mean.HighNs is { } high ? Us(high) : null },
            ["p10Us"] = Interval(summary.P10),
            ["p50Us"] = Interval(summary.P50),
            ["p90Us"] = Interval(summary.P90),
            ["p99Us"] = Interval(summary.P99),
            ["p99_9Us"] = Interval(summary.P999),
            ["p99_99Us"] = Interval(summary.P9999),
        },
    };

    /// <summary>Converts the interval of a percentile to microseconds.</summary>
    internal static IntervalFigures Interval(PercentileEstimate estimate) => new()
    {
        LowUs = Us(estimate.LowNs),
        HighUs = UsOrNull(estimate.HighNs),
        AtLeastUs = UsOrNull(estimate.AtLeastNs),
    };

    /// <summary>Converts nanoseconds to microseconds, rounded to the nanosecond.</summary>
    internal static double Us(double ns) => Math.Round(ns / 1e3, 3);

    /// <summary>Converts nanoseconds to microseconds; null stays null.</summary>
    internal static double? UsOrNull(long? ns) => ns is { } value ? Us((double)value) : null;
}

/// <summary>A 95 % confidence interval in microseconds. Without an upper end there are too few samples; see <see cref="AtLeastUs"/>.</summary>
public sealed record IntervalFigures
{
    /// <summary>Lower end in microseconds.</summary>
    public required double LowUs { get; init; }

    /// <summary>Upper end in microseconds; null with too few samples for an upper end.</summary>
    public double? HighUs { get; init; }

    /// <summary>The largest measured value in microseconds, given only when the figure itself is null because of too few samples.</summary>
    public double? AtLeastUs { get; init; }
}
