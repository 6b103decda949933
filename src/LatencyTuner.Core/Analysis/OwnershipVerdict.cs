namespace LatencyTuner.Core.Analysis;

/// <summary>Who owns a time: more than half of it for certain.</summary>
public sealed record OwnershipVerdict
{
    /// <summary>The owner, nobody, or cannot tell.</summary>
    public required Owner Owner { get; init; }

    /// <summary>What it rests on, or why it cannot be told, a sentence.</summary>
    public required string Because { get; init; }

    /// <summary>Requests that were judged.</summary>
    public int Count { get; init; }

    /// <summary>The percentile above which they lie; null when all of them do.</summary>
    public double? AbovePercentile { get; init; }

    /// <summary>The three owners; empty where there is nothing to share out.</summary>
    public IReadOnlyList<OwnerShare> Shares { get; init; } = [];
}
