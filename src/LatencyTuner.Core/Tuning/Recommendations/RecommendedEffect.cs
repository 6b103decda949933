namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>What a recommendation does, and how that is known.</summary>
public sealed record RecommendedEffect
{
    /// <summary>What it rests on.</summary>
    public required EffectBasis Basis { get; init; }

    /// <summary>Milliseconds saved per request at the median, or per stall; null when unknown.</summary>
    public double? SavesMs { get; init; }

    /// <summary>Median before in microseconds; null when not measured.</summary>
    public double? P50UsBefore { get; init; }

    /// <summary>Median after in microseconds; null when not measured.</summary>
    public double? P50UsAfter { get; init; }

    /// <summary>Lower end of the 95 % interval of the median after, in microseconds.</summary>
    public double? P50UsAfterLow { get; init; }

    /// <summary>Upper end of the 95 % interval of the median after, in microseconds.</summary>
    public double? P50UsAfterHigh { get; init; }

    /// <summary>99th percentile after in microseconds; null for want of samples.</summary>
    public double? P99UsAfter { get; init; }

    /// <summary>Requests measured without it; null when not measured.</summary>
    public long? NBefore { get; init; }

    /// <summary>Requests measured with it; null when not measured.</summary>
    public long? N { get; init; }

    /// <summary>The file it comes from; null when from none.</summary>
    public string? File { get; init; }

    /// <summary>Why, a clause; null where the figures say it.</summary>
    public string? Because { get; init; }
}
