namespace LatencyTuner.Core.Statistics;

/// <summary>One percentile with its confidence interval.</summary>
/// <param name="Percentile">From 0 to 100, such as 99.9.</param>
/// <param name="ValueNs">The estimate, nanoseconds; null when there are too few samples for one.</param>
/// <param name="LowNs">Lower end of the interval; 0 when there are too few samples for one.</param>
/// <param name="HighNs">Upper end of the interval; null when there are too few effective samples.</param>
/// <param name="AtLeastNs">Only when <paramref name="ValueNs"/> is null and something was recorded: the largest value seen.</param>
public readonly record struct PercentileEstimate(double Percentile, long? ValueNs, long LowNs, long? HighNs, long? AtLeastNs);
