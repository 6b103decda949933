namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>The settings of a hedged run: a first target, and a second one as its hedge.</summary>
public sealed record HedgePlan
{
    /// <summary>Turns per second; each turn asks the first target alone, the second alone, or both.</summary>
    public required double RatePerSecond { get; init; }

    /// <summary>Number of turns of each of the three kinds.</summary>
    public required long Rounds { get; init; }

    /// <summary>How long to wait for the first target before the second is asked; null to derive it from <see cref="AfterPercentile"/>.</summary>
    public TimeSpan? After { get; init; }

    /// <summary>The percentile of the latest times of the first target after which the second is asked.</summary>
    public double AfterPercentile { get; init; } = 95;

    /// <summary>Share (0 to 1) of the hedged requests that are planned to ask the second target too; null with a fixed delay.</summary>
    public double? PlannedExtraShare => After is null ? 1 - (AfterPercentile / 100) : null;

    /// <summary>Seed of the random order of the turns.</summary>
    public int Seed { get; init; } = 1;
}

/// <summary>The results of hedged requests, before any verdict. Times in nanoseconds, in the order in which they were measured.</summary>
/// <param name="StartedUtc">Start of the run, UTC.</param>
/// <param name="Elapsed">Duration of the run.</param>
/// <param name="Plan">The settings of the run.</param>
/// <param name="First">The first target asked alone.</param>
/// <param name="Second">The second target asked alone.</param>
/// <param name="FirstNs">Times of the first target alone.</param>
/// <param name="SecondNs">Times of the second target alone, from the planned time of each request.</param>
/// <param name="HedgedNs">Times until the faster of both targets had answered.</param>
/// <param name="DelaysNs">How long each hedged request waited for the first target before it asked the second; a single entry where none was hedged.</param>
/// <param name="Hedged">Number of hedged requests.</param>
/// <param name="SecondAsked">Number of hedged requests for which the second target was asked.</param>
/// <param name="Unanswered">Number of hedged requests that neither target answered.</param>
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
    IReadOnlyList<long> DelaysNs,
    long Hedged,
    long SecondAsked,
    long Unanswered,
    bool Cancelled);
