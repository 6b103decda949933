namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>A point of a curve.</summary>
/// <param name="X">The swept value, above 0.</param>
/// <param name="MedianUs">Median in microseconds; null when there is none.</param>
/// <param name="P99Us">99th percentile in microseconds; null for want of samples.</param>
public readonly record struct CurvePoint(double X, double? MedianUs, double? P99Us);
