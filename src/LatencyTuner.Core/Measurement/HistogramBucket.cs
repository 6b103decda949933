namespace LatencyTuner.Core.Measurement;

/// <summary>One recorded bucket of a <see cref="LatencyHistogram"/>: all values from low to high are counted together.</summary>
/// <param name="LowNs">Lowest value of the bucket, nanoseconds, inclusive.</param>
/// <param name="HighNs">Highest value of the bucket, nanoseconds, inclusive.</param>
/// <param name="Count">Number of recorded values, above 0.</param>
public readonly record struct HistogramBucket(long LowNs, long HighNs, long Count);
