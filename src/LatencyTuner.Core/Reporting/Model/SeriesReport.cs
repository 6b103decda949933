using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The <c>series</c> document: latencies over time, of one or several sources.</summary>
public sealed record SeriesReport
{
    /// <summary><c>latencytuner/series/1</c>.</summary>
    public string Schema { get; init; } = "latencytuner/series/1";

    /// <summary>False when something ended early.</summary>
    public required bool Complete { get; init; }

    /// <summary>The series.</summary>
    public IReadOnlyList<SeriesFigures> Series { get; init; } = [];

    /// <summary>Pairs of series about which there is something to say.</summary>
    public IReadOnlyList<SeriesPairFigures> Pairs { get; init; } = [];

    /// <summary>LT151 and LT152 of all series.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>The run of a monitor behind it; null for series read from files.</summary>
    public MonitorFigures? Monitor { get; init; }

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
