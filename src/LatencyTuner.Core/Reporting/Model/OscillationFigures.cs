using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>An oscillation. Values are microseconds, or per second for the rate of slow requests.</summary>
public sealed record OscillationFigures
{
    /// <summary>What oscillates.</summary>
    public required SeriesMetric Metric { get; init; }

    /// <summary>The period in seconds.</summary>
    public required double PeriodS { get; init; }

    /// <summary>Lower end of its 95 % interval in seconds.</summary>
    public required double PeriodLowS { get; init; }

    /// <summary>Upper end of its 95 % interval in seconds.</summary>
    public required double PeriodHighS { get; init; }

    /// <summary>Amplitude of the fundamental sine.</summary>
    public required double Amplitude { get; init; }

    /// <summary>Lower end of its 95 % interval.</summary>
    public required double AmplitudeLow { get; init; }

    /// <summary>Upper end of its 95 % interval.</summary>
    public required double AmplitudeHigh { get; init; }

    /// <summary>A time at which it is highest.</summary>
    public required DateTimeOffset PeakUtc { get; init; }

    /// <summary>Probability that noise of this colour shows such a peak anywhere.</summary>
    public required double FalseAlarmProbability { get; init; }

    /// <summary>Periods seen.</summary>
    public required double Cycles { get; init; }

    /// <summary>Share (0 to 1) of the variance at a resolution of an eighth of the period.</summary>
    public required double ExplainedShare { get; init; }

    /// <summary>Harmonics it was found by: 1 for a sine, more for pulses and ramps.</summary>
    public required int Harmonics { get; init; }

    /// <summary>Whether a faster oscillation could look like it: <c>excluded</c>, <c>possible</c> or <c>likelier</c>.</summary>
    public required string Alias { get; init; }

    /// <summary>The nearest periods that would look the same, in seconds.</summary>
    public IReadOnlyList<double> AliasPeriodsS { get; init; } = [];

    /// <summary>The folded cycle.</summary>
    public IReadOnlyList<ProfileFigures> Profile { get; init; } = [];
}
