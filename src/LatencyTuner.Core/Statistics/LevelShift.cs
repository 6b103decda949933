namespace LatencyTuner.Core.Statistics;

/// <summary>A lasting change of level. Values are in the unit of the series.</summary>
internal sealed record LevelShift
{
    /// <summary>The first moment of the new level, seconds on the clock of the series.</summary>
    public required double TimeSeconds { get; init; }

    /// <summary>Lower end of the 95 % interval of the time, seconds.</summary>
    public required double TimeLowSeconds { get; init; }

    /// <summary>Upper end of the 95 % interval of the time, seconds.</summary>
    public required double TimeHighSeconds { get; init; }

    /// <summary>Median between the shift before and this one.</summary>
    public required double Before { get; init; }

    /// <summary>Median between this shift and the next one.</summary>
    public required double After { get; init; }

    /// <summary>Lower end of the 95 % interval of the difference.</summary>
    public required double DifferenceLow { get; init; }

    /// <summary>Upper end of the 95 % interval of the difference.</summary>
    public required double DifferenceHigh { get; init; }

    /// <summary>Probability that noise as autocorrelated as that of the series shows such a shift anywhere.</summary>
    public required double P { get; init; }

    /// <summary>Bins with a value before, back to the shift before.</summary>
    public required int BinsBefore { get; init; }

    /// <summary>Bins with a value after, up to the next shift.</summary>
    public required int BinsAfter { get; init; }

    /// <summary>After less before.</summary>
    public double Difference => After - Before;
}
