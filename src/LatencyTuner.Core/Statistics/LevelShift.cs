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

    /// <summary>Median between the previous shift and this one.</summary>
    public required double Before { get; init; }

    /// <summary>Median between this shift and the next one.</summary>
    public required double After { get; init; }

    /// <summary>Lower end of the 95 % interval of the difference.</summary>
    public required double DifferenceLow { get; init; }

    /// <summary>Upper end of the 95 % interval of the difference.</summary>
    public required double DifferenceHigh { get; init; }

    /// <summary>Probability that noise with the same autocorrelation as the series shows an equal shift anywhere.</summary>
    public required double P { get; init; }

    /// <summary>Number of bins with a value before the shift, back to the previous shift.</summary>
    public required int BinsBefore { get; init; }

    /// <summary>Number of bins with a value after the shift, up to the next shift.</summary>
    public required int BinsAfter { get; init; }

    /// <summary>The level after the shift minus the level before it.</summary>
    public double Difference => After - Before;
}
