namespace LatencyTuner.Core.Statistics;

/// <summary>A periodic oscillation of a series. Values are in the unit of the series.</summary>
public sealed record Oscillation
{
    /// <summary>The period, seconds.</summary>
    public required double PeriodSeconds { get; init; }

    /// <summary>Lower end of its 95 % interval, seconds.</summary>
    public required double PeriodLowSeconds { get; init; }

    /// <summary>Upper end of its 95 % interval, seconds.</summary>
    public required double PeriodHighSeconds { get; init; }

    /// <summary>Amplitude of the fundamental: half of its swing.</summary>
    public required double Amplitude { get; init; }

    /// <summary>Lower end of its 95 % interval.</summary>
    public required double AmplitudeLow { get; init; }

    /// <summary>Upper end of its 95 % interval.</summary>
    public required double AmplitudeHigh { get; init; }

    /// <summary>The first time at or after the start of the series at which the fundamental is highest, seconds on the clock of the series.</summary>
    public required double FirstPeakSeconds { get; init; }

    /// <summary>Probability that noise as red as that of the series shows a peak like this anywhere in the range searched.</summary>
    public required double FalseAlarmProbability { get; init; }

    /// <summary>Probability that cycles without a common phase add up as well as these.</summary>
    public required double CoherenceP { get; init; }

    /// <summary>Periods seen.</summary>
    public required double Cycles { get; init; }

    /// <summary>Share (0 to 1) of the variance that it explains, at a resolution of an eighth of the period.</summary>
    public required double ExplainedShare { get; init; }

    /// <summary>Harmonics that were taken together to find it, the fundamental included: 1 for a sine, more for pulses and ramps.</summary>
    public required int Harmonics { get; init; }

    /// <summary>The series folded at the period.</summary>
    public required IReadOnlyList<ProfilePoint> Profile { get; init; }

    /// <summary>Highest less lowest phase of the profile.</summary>
    public double ProfileSwing => Profile.Count == 0 ? 0 : Profile.Max(p => p.Mean) - Profile.Min(p => p.Mean);

    /// <summary>Whether it could be an alias.</summary>
    public AliasVerdict Alias { get; init; }

    /// <summary>The nearest periods that would look the same at this sampling, seconds.</summary>
    public IReadOnlyList<double> AliasPeriodsSeconds { get; init; } = [];
}
