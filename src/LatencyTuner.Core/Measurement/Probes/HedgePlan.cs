namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>How a first target is asked with a second one as its hedge.</summary>
public sealed record HedgePlan
{
    /// <summary>Turns per second; each asks the first alone, the second alone, or both.</summary>
    public required double RatePerSecond { get; init; }

    /// <summary>Turns of each of the three kinds.</summary>
    public required long Rounds { get; init; }

    /// <summary>How long to wait for the first before the second is asked; null to take it from <see cref="AfterPercentile"/>.</summary>
    public TimeSpan? After { get; init; }

    /// <summary>The percentile of the first alone that is waited for.</summary>
    public double AfterPercentile { get; init; } = 95;

    /// <summary>Seed of the order.</summary>
    public int Seed { get; init; } = 1;
}
