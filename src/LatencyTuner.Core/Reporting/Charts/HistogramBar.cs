namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>A bucket of a distribution.</summary>
/// <param name="LowUs">Its lower bound in microseconds, inclusive.</param>
/// <param name="HighUs">Its upper bound in microseconds, exclusive.</param>
/// <param name="Count">Number of values in the bucket.</param>
internal readonly record struct HistogramBar(double LowUs, double HighUs, long Count);
