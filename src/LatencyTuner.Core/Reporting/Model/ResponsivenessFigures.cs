namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Round trips per minute, idle and under load.</summary>
public sealed record ResponsivenessFigures
{
    /// <summary>Idle; null for want of samples.</summary>
    public double? IdleRpm { get; init; }

    /// <summary>Under load.</summary>
    public double? LoadedRpm { get; init; }

    /// <summary>Lower end of the 95 % interval under load.</summary>
    public double? LoadedLowRpm { get; init; }

    /// <summary>Upper end of the 95 % interval under load.</summary>
    public double? LoadedHighRpm { get; init; }

    /// <summary>How it is counted and what differs from the IETF draft, a sentence.</summary>
    public required string Method { get; init; }
}
