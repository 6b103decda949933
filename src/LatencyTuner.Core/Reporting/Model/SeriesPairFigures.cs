using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Two series side by side.</summary>
public sealed record SeriesPairFigures
{
    /// <summary>Name of the first.</summary>
    public required string A { get; init; }

    /// <summary>Name of the second.</summary>
    public required string B { get; init; }

    /// <summary>What was compared.</summary>
    public required SeriesMetric Metric { get; init; }

    /// <summary>
    /// The oscillations: <c>locked</c> (a common cause is not excluded, nor proved), <c>independent</c> (excluded), <c>only-one</c> (one
    /// swings and the other hardly: what both share is not the cause) or <c>cannot-tell</c>; null when neither oscillates.
    /// </summary>
    public string? Verdict { get; init; }

    /// <summary>Period compared at, in seconds.</summary>
    public double? PeriodS { get; init; }

    /// <summary>Whether both have the same period within their errors; null when one has none.</summary>
    public bool? SamePeriod { get; init; }

    /// <summary>By how much of a period (-0.5 to 0.5) the second is behind the first.</summary>
    public double? PhaseDifference { get; init; }

    /// <summary>Lower end of its 95 % interval.</summary>
    public double? PhaseLow { get; init; }

    /// <summary>Upper end of its 95 % interval.</summary>
    public double? PhaseHigh { get; init; }

    /// <summary>The same in seconds, modulo the period.</summary>
    public double? DelayS { get; init; }

    /// <summary>Magnitude-squared coherence (0 to 1) at the period.</summary>
    public double? Coherence { get; init; }

    /// <summary>Probability of so steady a phase difference without a lock.</summary>
    public double? PValue { get; init; }

    /// <summary>
    /// The most (97.5 %) by which the one without an oscillation of its own swings at the period, in the unit of the metric (microseconds,
    /// or per second for slow-rate); null when both have one.
    /// </summary>
    public double? OtherAmplitudeHigh { get; init; }

    /// <summary>Common time in seconds.</summary>
    public double? CommonS { get; init; }

    /// <summary>Times at which both shifted to another level.</summary>
    public IReadOnlyList<DateTimeOffset> CommonShiftsUtc { get; init; } = [];

    /// <summary>What it means, in a sentence.</summary>
    public required string Text { get; init; }
}
