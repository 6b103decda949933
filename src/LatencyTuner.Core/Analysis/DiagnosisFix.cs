namespace LatencyTuner.Core.Analysis;

/// <summary>A remedy with the effect it had in this experiment.</summary>
public sealed record DiagnosisFix
{
    /// <summary>Stable id: <c>one-write</c>, <c>no-delay</c>, <c>ack-immediate</c>, with <c>-reply</c> for the server's writes.</summary>
    public required string Id { get; init; }

    /// <summary>What to change, a sentence.</summary>
    public required string What { get; init; }

    /// <summary>Where: <c>client application</c>, <c>server application</c>, <c>server socket or host</c> ...</summary>
    public required string Where { get; init; }

    /// <summary>Median before in microseconds.</summary>
    public double? P50UsBefore { get; init; }

    /// <summary>Median after in microseconds.</summary>
    public double? P50UsAfter { get; init; }

    /// <summary>99th percentile after in microseconds; null for want of samples.</summary>
    public double? P99UsAfter { get; init; }

    /// <summary>Share (0 to 1) of the median that it removed; null when it could not be measured.</summary>
    public double? Saves { get; init; }

    /// <summary>Number of requests measured with it.</summary>
    public long N { get; init; }

    /// <summary>Trade-off or limit, a sentence.</summary>
    public string? Note { get; init; }
}
