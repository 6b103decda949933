using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Analysis;

/// <summary>What of a series was looked at over time.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<SeriesMetric>))]
public enum SeriesMetric
{
    /// <summary>The median of each bin, milliseconds.</summary>
    Median,

    /// <summary>The 99th percentile of each bin, or the largest of fewer than 100 requests, milliseconds.</summary>
    Tail,

    /// <summary>Requests above the limit of <c>--slower-than</c>, per second.</summary>
    SlowRate,
}
