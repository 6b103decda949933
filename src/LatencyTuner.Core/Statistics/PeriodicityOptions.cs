namespace LatencyTuner.Core.Statistics;

/// <summary>How oscillations are looked for.</summary>
public sealed record PeriodicityOptions
{
    /// <summary>The options that hold when none are given.</summary>
    public static readonly PeriodicityOptions Standard = new();

    /// <summary>Largest false-alarm probability that is accepted.</summary>
    public double MostFalseAlarm { get; init; } = 0.0004;

    /// <summary>Fewest periods within the series.</summary>
    public double LeastCycles { get; init; } = 5;

    /// <summary>Smallest share (0 to 1) of the variance, at a resolution of an eighth of the period.</summary>
    public double LeastExplained { get; init; } = 0.1;

    /// <summary>Most oscillations reported.</summary>
    public int Most { get; init; } = 3;

    /// <summary>Seed of the resampling behind the intervals.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Some of the single samples behind the series, for the check against aliases; empty when each bin is one sample or an aggregate.</summary>
    public IReadOnlyList<(double TimeSeconds, double Value)> Samples { get; init; } = [];

    /// <summary>True when each bin sums up many samples, so that what is faster than a bin averages out.</summary>
    public bool BinsAreAggregates { get; init; }
}
