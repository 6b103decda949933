namespace LatencyTuner.Core.Statistics;

/// <summary>What a quantile of the quicker of two answers is expected to be. Times in nanoseconds.</summary>
/// <param name="Quantile">Above 0 and below 1.</param>
/// <param name="Independent">When the two know nothing of each other.</param>
/// <param name="Low">Lower end of its bootstrap interval.</param>
/// <param name="High">Upper end.</param>
/// <param name="Best">When one is slow only while the other is quick (the lower Fréchet bound).</param>
/// <param name="Worst">When both are slow at the same moments (the upper Fréchet bound).</param>
public readonly record struct BestOfTwoQuantile(double Quantile, double Independent, double Low, double High, double Best, double Worst);
