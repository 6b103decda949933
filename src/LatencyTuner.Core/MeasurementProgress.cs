namespace LatencyTuner.Core;

/// <summary>How far a measurement is.</summary>
/// <param name="Share">0 to 1; null when it cannot be known.</param>
/// <param name="What">What is being done, a phrase.</param>
public readonly record struct MeasurementProgress(double? Share, string What);
