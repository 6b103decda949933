using System.ComponentModel.DataAnnotations;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Series;

/// <summary>The <c>series</c> document: latencies over time, of one or several sources.</summary>
public sealed record SeriesReport : Report
{
    /// <summary><c>latencytuner/series/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/series/1";

    /// <summary>False when something ended early.</summary>
    public required bool Complete { get; init; }

    /// <summary>The series.</summary>
    [Required]
    public IReadOnlyList<SeriesFigures> Series { get; init; } = [];

    /// <summary>Pairs of series about which there is something to say.</summary>
    public IReadOnlyList<SeriesPairFigures> Pairs { get; init; } = [];

    /// <summary>LT151 and LT152 of all series.</summary>
    [Required]
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>The run of a monitor behind it; null for series read from files.</summary>
    public MonitorFigures? Monitor { get; init; }

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

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
    [AllowedValues("excluded", "possible", "likelier")]
    public required string Alias { get; init; }

    /// <summary>The nearest periods that would look the same, in seconds.</summary>
    public IReadOnlyList<double> AliasPeriodsS { get; init; } = [];

    /// <summary>The folded cycle.</summary>
    public IReadOnlyList<ProfileFigures> Profile { get; init; } = [];
}

/// <summary>One phase of a folded cycle, in the unit of its oscillation.</summary>
public sealed record ProfileFigures
{
    /// <summary>Share (0 to 1) of the period after the highest point of the sine.</summary>
    public required double Phase { get; init; }

    /// <summary>Mean.</summary>
    public required double Mean { get; init; }

    /// <summary>Lower end of its 95 % interval.</summary>
    public required double Low { get; init; }

    /// <summary>Upper end of its 95 % interval.</summary>
    public required double High { get; init; }

    /// <summary>Bins in it.</summary>
    public required int N { get; init; }
}

/// <summary>One bin of a series.</summary>
public sealed record SeriesBin
{
    /// <summary>Its place from 0: it starts this many bin lengths after the start of the series.</summary>
    public required int At { get; init; }

    /// <summary>Requests in it.</summary>
    public required long N { get; init; }

    /// <summary>Their median in microseconds.</summary>
    public required double P50Us { get; init; }

    /// <summary>Their 99th percentile in microseconds, or the largest of fewer than 100.</summary>
    public required double TailUs { get; init; }

    /// <summary>Requests above the limit.</summary>
    public long Slow { get; init; }
}

/// <summary>One series.</summary>
public sealed record SeriesFigures
{
    /// <summary>File or target.</summary>
    public required string Name { get; init; }

    /// <summary><c>series</c>, <c>csv</c>, <c>iis</c>, <c>measurement</c> or <c>monitor</c>.</summary>
    public required string Kind { get; init; }

    /// <summary>Start of the first bin.</summary>
    public required DateTimeOffset StartUtc { get; init; }

    /// <summary>End of the last bin.</summary>
    public required DateTimeOffset EndUtc { get; init; }

    /// <summary>Length of a bin as analysed, milliseconds.</summary>
    public required double StepMs { get; init; }

    /// <summary>By how much the rows are later than the middle of the bins they are in, on average, milliseconds; below 0 when earlier.</summary>
    public double LateMs { get; init; }

    /// <summary>Rows read, those left out included.</summary>
    public required long Rows { get; init; }

    /// <summary>Rows in excluded times.</summary>
    public long ExcludedRows { get; init; }

    /// <summary>Rows without a usable value.</summary>
    public long EmptyRows { get; init; }

    /// <summary>Share (0 to 1) of the bins without a value.</summary>
    public required double GapShare { get; init; }

    /// <summary>The latencies.</summary>
    public required LatencyFigures Latency { get; init; }

    /// <summary>True when they were put together from percentiles of intervals.</summary>
    public bool Approximate { get; init; }

    /// <summary>Requests above the limit; null when none was given.</summary>
    public SlowFigures? Slow { get; init; }

    /// <summary>Oscillations.</summary>
    public IReadOnlyList<OscillationFigures> Oscillations { get; init; } = [];

    /// <summary>Level shifts in order of time.</summary>
    public IReadOnlyList<LevelShiftFigures> Shifts { get; init; } = [];

    /// <summary>Length of the bins below, milliseconds: those analysed, or several of them together.</summary>
    public required double BinMs { get; init; }

    /// <summary>The bins that have a value.</summary>
    public IReadOnlyList<SeriesBin> Bins { get; init; } = [];

    /// <summary>All latencies as a HdrHistogram V2 compressed histogram (nanoseconds), base64.</summary>
    public required string Histogram { get; init; }

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

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
    [AllowedValues("locked", "independent", "only-one", "cannot-tell", null)]
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
