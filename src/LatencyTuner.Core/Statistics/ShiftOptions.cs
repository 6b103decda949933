namespace LatencyTuner.Core.Statistics;

/// <summary>How a <see cref="ShiftFunction"/> judges.</summary>
public sealed record ShiftOptions
{
    /// <summary>Differences up to this do not matter to the user, nanoseconds.</summary>
    public long PracticalLimitNs { get; init; }

    /// <summary>The same as a share of A's quantile; the larger of the two limits counts.</summary>
    public double PracticalLimitShare { get; init; } = 0.05;

    /// <summary>The step of the clock, nanoseconds.</summary>
    public long TimerResolutionNs { get; init; }

    /// <summary>One minus the confidence, above 0 and below 1.</summary>
    public double Alpha { get; init; } = 0.05;

    /// <summary>Bootstrap resamples, 100 or more.</summary>
    public int Resamples { get; init; } = 2000;

    /// <summary>Seed of the resampling: the same seed gives the same result.</summary>
    public int Seed { get; init; } = 1;
}
