using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Series;

/// <summary>The <c>series</c> document: latencies over time, of one or several sources.</summary>
public sealed record SeriesReport : Report
{
    /// <summary><c>latencytuner/series/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/series/2";

    /// <summary>The series.</summary>
    [Required]
    public IReadOnlyList<SeriesFigures> Series { get; init; } = [];

    /// <summary>The pairs of series that have a result.</summary>
    public IReadOnlyList<SeriesPairFigures> Pairs { get; init; } = [];

    /// <summary>The findings LT151 and LT152 of all series.</summary>
    [Required]
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>The figures of the monitor that made the series; null for series read from files.</summary>
    public MonitorFigures? Monitor { get; init; }

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>A lasting change of level. Values are in microseconds, or requests per second for the rate of slow requests.</summary>
public sealed record LevelShiftFigures
{
    /// <summary>The figure that shifted.</summary>
    public required SeriesMetric Metric { get; init; }

    /// <summary>Time at which the new level began.</summary>
    public required DateTimeOffset AtUtc { get; init; }

    /// <summary>Lower end of the 95 % interval of the time.</summary>
    public required DateTimeOffset AtLowUtc { get; init; }

    /// <summary>Upper end of the 95 % interval of the time.</summary>
    public required DateTimeOffset AtHighUtc { get; init; }

    /// <summary>Median level before the shift.</summary>
    public required double Before { get; init; }

    /// <summary>Median level after the shift.</summary>
    public required double After { get; init; }

    /// <summary>Lower end of the 95 % interval of the difference.</summary>
    public required double DifferenceLow { get; init; }

    /// <summary>Upper end of the 95 % interval of the difference.</summary>
    public required double DifferenceHigh { get; init; }

    /// <summary>Probability that noise with this autocorrelation shows a shift of this size anywhere.</summary>
    public required double PValue { get; init; }
}

/// <summary>An oscillation. Values are in microseconds, or requests per second for the rate of slow requests.</summary>
public sealed record OscillationFigures
{
    /// <summary>The figure that oscillates.</summary>
    public required SeriesMetric Metric { get; init; }

    /// <summary>The period in seconds.</summary>
    public required double PeriodS { get; init; }

    /// <summary>Lower end of the 95 % interval of the period, in seconds.</summary>
    public required double PeriodLowS { get; init; }

    /// <summary>Upper end of the 95 % interval of the period, in seconds.</summary>
    public required double PeriodHighS { get; init; }

    /// <summary>Amplitude of the fundamental sine.</summary>
    public required double Amplitude { get; init; }

    /// <summary>Lower end of the 95 % interval of the amplitude.</summary>
    public required double AmplitudeLow { get; init; }

    /// <summary>Upper end of the 95 % interval of the amplitude.</summary>
    public required double AmplitudeHigh { get; init; }

    /// <summary>A time at which the oscillation is highest.</summary>
    public required DateTimeOffset PeakUtc { get; init; }

    /// <summary>Probability that noise with this spectrum shows a peak of this size anywhere.</summary>
    public required double FalseAlarmProbability { get; init; }

    /// <summary>Number of periods seen.</summary>
    public required double Cycles { get; init; }

    /// <summary>Share (0 to 1) of the variance that the oscillation explains, at a resolution of an eighth of the period.</summary>
    public required double ExplainedShare { get; init; }

    /// <summary>Number of harmonics that were used to find it: 1 for a sine, more for pulses and ramps.</summary>
    public required int Harmonics { get; init; }

    /// <summary>Whether a faster oscillation could look like it: <c>excluded</c>, <c>possible</c> or <c>likelier</c>.</summary>
    [AllowedValues("excluded", "possible", "likelier")]
    public required string Alias { get; init; }

    /// <summary>The nearest periods that would look the same, in seconds.</summary>
    public IReadOnlyList<double> AliasPeriodsS { get; init; } = [];

    /// <summary>The mean course of one period (folded cycle).</summary>
    public IReadOnlyList<ProfileFigures> Profile { get; init; } = [];
}

/// <summary>One phase of a folded cycle, in the unit of its oscillation.</summary>
public sealed record ProfileFigures
{
    /// <summary>Time after the highest point of the sine, as a share (0 to 1) of the period.</summary>
    public required double Phase { get; init; }

    /// <summary>Mean value in this phase.</summary>
    public required double Mean { get; init; }

    /// <summary>Lower end of the 95 % interval of the mean.</summary>
    public required double Low { get; init; }

    /// <summary>Upper end of the 95 % interval of the mean.</summary>
    public required double High { get; init; }

    /// <summary>Number of bins in this phase.</summary>
    public required int N { get; init; }
}

/// <summary>One bin of a series.</summary>
public sealed record SeriesBin
{
    /// <summary>Number of the bin, from 0: it starts this many bin lengths after the start of the series.</summary>
    public required int At { get; init; }

    /// <summary>Number of requests in the bin.</summary>
    public required long N { get; init; }

    /// <summary>Median of the requests in the bin, in microseconds.</summary>
    public required double P50Us { get; init; }

    /// <summary>99th percentile of the requests in the bin, in microseconds; with fewer than 100 requests, the largest value.</summary>
    public required double TailUs { get; init; }

    /// <summary>Number of requests above the limit.</summary>
    public long Slow { get; init; }
}

/// <summary>One series.</summary>
public sealed record SeriesFigures
{
    /// <summary>Name of the series: a file or a target.</summary>
    public required string Name { get; init; }

    /// <summary>Source of the series: <c>series</c>, <c>csv</c>, <c>iis</c>, <c>measurement</c> or <c>monitor</c>.</summary>
    public required string Kind { get; init; }

    /// <summary>Start of the first bin.</summary>
    public required DateTimeOffset StartUtc { get; init; }

    /// <summary>End of the last bin.</summary>
    public required DateTimeOffset EndUtc { get; init; }

    /// <summary>Length of a bin as analysed, milliseconds.</summary>
    public required double StepMs { get; init; }

    /// <summary>How much later the rows are than the middle of their bins, on average, in milliseconds; below 0 when they are earlier.</summary>
    public double LateMs { get; init; }

    /// <summary>Number of rows read, including those left out.</summary>
    public required long Rows { get; init; }

    /// <summary>Number of rows in excluded times.</summary>
    public long ExcludedRows { get; init; }

    /// <summary>Number of rows without a usable value.</summary>
    public long EmptyRows { get; init; }

    /// <summary>Share (0 to 1) of the bins without a value.</summary>
    public required double GapShare { get; init; }

    /// <summary>The latencies of the series.</summary>
    public required LatencyFigures Latency { get; init; }

    /// <summary>True when the latencies were calculated from percentiles of intervals.</summary>
    public bool Approximate { get; init; }

    /// <summary>Requests above the limit; null when no limit was given.</summary>
    public SlowFigures? Slow { get; init; }

    /// <summary>The oscillations that were found.</summary>
    public IReadOnlyList<OscillationFigures> Oscillations { get; init; } = [];

    /// <summary>Level shifts in order of time.</summary>
    public IReadOnlyList<LevelShiftFigures> Shifts { get; init; } = [];

    /// <summary>Length of the bins in <see cref="Bins"/>, milliseconds: one or several analysed bins.</summary>
    public required double BinMs { get; init; }

    /// <summary>The bins that have a value.</summary>
    public IReadOnlyList<SeriesBin> Bins { get; init; } = [];

    /// <summary>All latencies as a HdrHistogram V2 compressed histogram (nanoseconds), base64.</summary>
    [JsonConverter(typeof(StoredHistogramConverter))]
    public required string Histogram { get; init; }

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>Two series side by side.</summary>
public sealed record SeriesPairFigures
{
    /// <summary>Name of the first series.</summary>
    public required string A { get; init; }

    /// <summary>Name of the second series.</summary>
    public required string B { get; init; }

    /// <summary>The figure that was compared.</summary>
    public required SeriesMetric Metric { get; init; }

    /// <summary>
    /// The result for the oscillations: <c>locked</c> (a common cause is neither excluded nor proved), <c>independent</c> (a common cause
    /// is excluded), <c>only-one</c> (only one swings: the cause is not in what both share) or <c>cannot-tell</c>; null when neither oscillates.
    /// </summary>
    [AllowedValues("locked", "independent", "only-one", "cannot-tell", null)]
    public string? Verdict { get; init; }

    /// <summary>The period at which both are compared, in seconds.</summary>
    public double? PeriodS { get; init; }

    /// <summary>True when both have the same period within their errors; null when one has no oscillation.</summary>
    public bool? SamePeriod { get; init; }

    /// <summary>How far the second is behind the first, as a share (-0.5 to 0.5) of the period.</summary>
    public double? PhaseDifference { get; init; }

    /// <summary>Lower end of the 95 % interval of the phase difference.</summary>
    public double? PhaseLow { get; init; }

    /// <summary>Upper end of the 95 % interval of the phase difference.</summary>
    public double? PhaseHigh { get; init; }

    /// <summary>How far the second is behind the first in seconds, modulo the period.</summary>
    public double? DelayS { get; init; }

    /// <summary>Magnitude-squared coherence (0 to 1) at the period.</summary>
    public double? Coherence { get; init; }

    /// <summary>Probability that a phase difference this steady appears without a lock.</summary>
    public double? PValue { get; init; }

    /// <summary>
    /// Upper bound (97.5 %) of the amplitude at this period of the series without an oscillation of its own, in the unit of the metric
    /// (microseconds, or per second for slow-rate); null when both have an oscillation.
    /// </summary>
    public double? OtherAmplitudeHigh { get; init; }

    /// <summary>Length of the time that both series cover, in seconds.</summary>
    public double? CommonS { get; init; }

    /// <summary>Times at which both shifted to another level.</summary>
    public IReadOnlyList<DateTimeOffset> CommonShiftsUtc { get; init; } = [];

    /// <summary>What the result means, a sentence.</summary>
    public required string Text { get; init; }
}
