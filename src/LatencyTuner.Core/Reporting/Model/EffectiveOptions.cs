namespace LatencyTuner.Core.Reporting.Model;

/// <summary>What took effect at each end.</summary>
public sealed record EffectiveOptions
{
    /// <summary>This end.</summary>
    public required EndOptions Local { get; init; }

    /// <summary>The responder's end.</summary>
    public required EndOptions Peer { get; init; }
}
