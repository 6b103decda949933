namespace LatencyTuner.Core.Measurement;

/// <summary>What a histogram knows exactly and its encoding does not carry.</summary>
internal readonly record struct HistogramMoments(
    long Min, long Max, UInt128 Sum, UInt128 SumOfSquares, long NegativeCount, long SaturatedCount);
