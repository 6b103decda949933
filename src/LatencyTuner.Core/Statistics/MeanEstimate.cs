namespace LatencyTuner.Core.Statistics;

/// <summary>The arithmetic mean with its confidence interval.</summary>
/// <param name="ValueNs">Nanoseconds; 0 when nothing was recorded.</param>
/// <param name="LowNs">Lower end, not below the smallest value.</param>
/// <param name="HighNs">Upper end; null with fewer than two effective samples.</param>
public readonly record struct MeanEstimate(double ValueNs, double LowNs, double? HighNs);
