using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Comparison;

/// <summary>The <c>comparison</c> document.</summary>
public sealed record ComparisonReport : Report
{
    /// <summary><c>latencytuner/comparison/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/comparison/2";

    /// <summary>Path of the first measurement.</summary>
    public required string A { get; init; }

    /// <summary>Path of the second measurement.</summary>
    public required string B { get; init; }

    /// <summary>Number of responses in A.</summary>
    [Range(0, double.MaxValue)]
    public required long CountA { get; init; }

    /// <summary>Number of responses in B.</summary>
    [Range(0, double.MaxValue)]
    public required long CountB { get; init; }

    /// <summary>Number of independent parts of A.</summary>
    public required int RunsA { get; init; }

    /// <summary>Number of independent parts of B.</summary>
    public required int RunsB { get; init; }

    /// <summary><c>better</c>, <c>same</c>, <c>worse</c> or <c>cannot-tell</c>: B compared with A.</summary>
    [AllowedValues("better", "same", "worse", "cannot-tell")]
    public required string Result { get; init; }

    /// <summary>The differences B minus A by quantile (shift function).</summary>
    public IReadOnlyList<ComparedQuantile> Quantiles { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>One quantile of the shift function B minus A.</summary>
public sealed record ComparedQuantile
{
    /// <summary>The quantile, 0 to 1.</summary>
    public required double Quantile { get; init; }

    /// <summary>Its value in A, microseconds.</summary>
    public required double AUs { get; init; }

    /// <summary>Its value in B, microseconds.</summary>
    public required double BUs { get; init; }

    /// <summary>B minus A, microseconds.</summary>
    public required double DeltaUs { get; init; }

    /// <summary>Lower end of the 95 % interval of the difference, microseconds.</summary>
    public required double LowUs { get; init; }

    /// <summary>Upper end of the 95 % interval of the difference, microseconds.</summary>
    public required double HighUs { get; init; }

    /// <summary>p-value of the difference, Holm-corrected over the quantiles.</summary>
    public required double PValue { get; init; }

    /// <summary>Smallest difference that counts, microseconds.</summary>
    public required double LimitUs { get; init; }

    /// <summary><c>better</c>, <c>same</c>, <c>worse</c> or <c>cannot-tell</c>.</summary>
    [AllowedValues("better", "same", "worse", "cannot-tell")]
    public required string Verdict { get; init; }
}
