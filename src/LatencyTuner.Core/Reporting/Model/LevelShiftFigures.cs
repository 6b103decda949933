using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>A lasting change of level. Values are microseconds, or per second for the rate of slow requests.</summary>
public sealed record LevelShiftFigures
{
    /// <summary>What shifted.</summary>
    public required SeriesMetric Metric { get; init; }

    /// <summary>When the new level began.</summary>
    public required DateTimeOffset AtUtc { get; init; }

    /// <summary>Lower end of the 95 % interval of that time.</summary>
    public required DateTimeOffset AtLowUtc { get; init; }

    /// <summary>Upper end of the 95 % interval of that time.</summary>
    public required DateTimeOffset AtHighUtc { get; init; }

    /// <summary>Median level before.</summary>
    public required double Before { get; init; }

    /// <summary>Median level after.</summary>
    public required double After { get; init; }

    /// <summary>Lower end of the 95 % interval of the difference.</summary>
    public required double DifferenceLow { get; init; }

    /// <summary>Upper end of the 95 % interval of the difference.</summary>
    public required double DifferenceHigh { get; init; }

    /// <summary>Probability of such a shift anywhere in noise with this autocorrelation.</summary>
    public required double PValue { get; init; }
}
