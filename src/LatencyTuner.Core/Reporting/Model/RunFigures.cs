using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>One part of a measurement with its distribution, so that two measurements can be compared part by part.</summary>
public sealed record RunFigures
{
    /// <summary>Number of the run that this part belongs to, from 0. Each run opens connections of its own.</summary>
    public required int Run { get; init; }

    /// <summary>Start of the part in milliseconds after the first request of the measurement.</summary>
    public required double StartMs { get; init; }

    /// <summary>Length of the part in milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Number of responses.</summary>
    [Range(0, double.MaxValue)]
    public required long Count { get; init; }

    /// <summary>Response times as a HdrHistogram V2 compressed histogram (nanoseconds), base64.</summary>
    [JsonConverter(typeof(StoredHistogramConverter))]
    public required string Histogram { get; init; }
}

/// <summary>Requests that waited far longer than the path and the server explain.</summary>
public sealed record StallFigures
{
    /// <summary>Number of stalled requests.</summary>
    [Range(0, double.MaxValue)]
    public required long Count { get; init; }

    /// <summary>Stalled requests as a share (0 to 1) of all.</summary>
    public required double Share { get; init; }

    /// <summary>The ACK timer at which the waits cluster, in milliseconds: 10, 40, 50, 100 or 200; null without a cluster.</summary>
    [Required]
    public double? ClusterMs { get; init; }

    /// <summary>Median wait of the stalled requests in milliseconds; null without stalls.</summary>
    public double? MedianMs { get; init; }

    /// <summary>Sum of the time that each request lost in stalls, in milliseconds; where requests overlap it may exceed the time that passed.</summary>
    public required double TotalMs { get; init; }

    /// <summary>The limit in milliseconds: a longer wait counts as a stall.</summary>
    public required double ThresholdMs { get; init; }
}
