namespace LatencyTuner.Core.Findings;

/// <summary>What one connection has of the figures of a finding: those of all its connections add up to them.</summary>
internal sealed record FindingPart
{
    /// <summary>The connection as the finding names it.</summary>
    public required string Connection { get; init; }

    /// <summary>How many times the cause was seen there.</summary>
    public required long Count { get; init; }

    /// <summary>The time lost there, nanoseconds.</summary>
    public required long CostNs { get; init; }

    /// <summary>The active time of the connection, nanoseconds.</summary>
    public required long ActiveNs { get; init; }

    /// <summary>Stalls there that count as long.</summary>
    public required long LongStalls { get; init; }

    /// <summary>The time of its first packet, nanoseconds.</summary>
    public required long FirstNs { get; init; }

    /// <summary>The time of its last packet, nanoseconds.</summary>
    public required long LastNs { get; init; }

    /// <summary>What the cure would bring there.</summary>
    public IReadOnlyList<CurePrediction> Predictions { get; init; } = [];
}
