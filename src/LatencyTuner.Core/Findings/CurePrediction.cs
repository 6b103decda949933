using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Findings;

/// <summary>
/// What the cure of a finding would bring: the transactions of one target or connection as they were, and the same transactions replayed without the
/// wait. A transaction is a request with its response.
/// </summary>
public sealed record CurePrediction
{
    /// <summary>The target or the connection whose transactions were replayed.</summary>
    public required string Of { get; init; }

    /// <summary>Number of transactions that were replayed.</summary>
    [Range(0, double.MaxValue)]
    public required long N { get; init; }

    /// <summary>The time that all transactions together would save, milliseconds.</summary>
    [Range(0, double.MaxValue)]
    public required double SavesMs { get; init; }

    /// <summary>The median as it was, microseconds.</summary>
    [Range(0, double.MaxValue)]
    public required double P50Us { get; init; }

    /// <summary>The 99th percentile as it was, microseconds; of fewer than 100 transactions the slowest one.</summary>
    [Range(0, double.MaxValue)]
    public required double P99Us { get; init; }

    /// <summary>The median after the cure, microseconds.</summary>
    [Range(0, double.MaxValue)]
    public required double P50AfterUs { get; init; }

    /// <summary>The 99th percentile after the cure, microseconds; of fewer than 100 transactions the slowest one.</summary>
    [Range(0, double.MaxValue)]
    public required double P99AfterUs { get; init; }

    /// <summary>
    /// The lower end of the interval (95 %) in which the 99th percentile of another run of as many transactions lies, microseconds; null where there are
    /// too few.
    /// </summary>
    [Required]
    [Range(0, double.MaxValue)]
    public double? P99AfterLowUs { get; init; }

    /// <summary>The upper end of that interval, microseconds; null where there are too few transactions for an upper end.</summary>
    [Required]
    [Range(0, double.MaxValue)]
    public double? P99AfterHighUs { get; init; }

    /// <summary>
    /// True where the figures are the best that the cure can bring: another limit, which the evidence does not show because it was never reached, may
    /// come first.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool AtBest { get; init; }

    /// <summary>What the prediction takes for granted, a clause each.</summary>
    [Required]
    public IReadOnlyList<string> Assumes { get; init; } = [];
}
