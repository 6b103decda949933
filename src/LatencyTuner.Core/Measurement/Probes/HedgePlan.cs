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

/// <summary>What came of hedged requests, before any judgement. Times in nanoseconds, in the order in which they were measured.</summary>
/// <param name="StartedUtc">When it began.</param>
/// <param name="Elapsed">How long it took.</param>
/// <param name="Plan">How it was asked.</param>
/// <param name="First">The first target asked alone.</param>
/// <param name="Second">The second asked alone.</param>
/// <param name="FirstNs">Times of the first alone, the second standing by.</param>
/// <param name="SecondNs">Times of the second alone, from when it was to be asked.</param>
/// <param name="HedgedNs">Times until the quicker of both had answered.</param>
/// <param name="Delay">How long the first was waited for before the second was asked.</param>
/// <param name="Hedged">Hedged requests made.</param>
/// <param name="SecondAsked">Those of them for which the second was asked.</param>
/// <param name="Unanswered">Hedged requests that neither answered.</param>
/// <param name="Cancelled">True when it was cancelled.</param>
public sealed record HedgeResult(
    DateTimeOffset StartedUtc,
    TimeSpan Elapsed,
    HedgePlan Plan,
    ProbeSeries First,
    ProbeSeries Second,
    IReadOnlyList<long> FirstNs,
    IReadOnlyList<long> SecondNs,
    IReadOnlyList<long> HedgedNs,
    TimeSpan Delay,
    long Hedged,
    long SecondAsked,
    long Unanswered,
    bool Cancelled);
