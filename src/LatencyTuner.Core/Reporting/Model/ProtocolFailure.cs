namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Failures of one kind.</summary>
public sealed record ProtocolFailure
{
    /// <summary>The kind.</summary>
    public required string Reason { get; init; }

    /// <summary>How many.</summary>
    public required long Count { get; init; }

    /// <summary>The first of them, a sentence.</summary>
    public required string Example { get; init; }
}
