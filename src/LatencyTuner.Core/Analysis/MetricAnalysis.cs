using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Analysis;

/// <summary>What was found in one metric of a series.</summary>
/// <param name="Metric">Which.</param>
/// <param name="Bins">The metric over time.</param>
/// <param name="Oscillations">Its oscillations, the most certain first.</param>
/// <param name="Shifts">Its level shifts in order of time.</param>
public sealed record MetricAnalysis(SeriesMetric Metric, BinnedSeries Bins, IReadOnlyList<Oscillation> Oscillations, IReadOnlyList<LevelShift> Shifts);
