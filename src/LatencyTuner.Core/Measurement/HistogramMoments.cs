namespace LatencyTuner.Core.Measurement;

/// <summary>What a histogram knows exactly and its encoding does not carry.</summary>
internal readonly record struct HistogramMoments(
    long Min, long Max, WideSum Sum, WideSum SumOfSquares, long NegativeCount, long SaturatedCount);
