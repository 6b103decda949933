namespace LatencyTuner.Core;

/// <summary>The progress of a measurement.</summary>
/// <param name="Share">The finished share, from 0 to 1; null when it is unknown.</param>
/// <param name="What">The current step, as a phrase.</param>
public readonly record struct MeasurementProgress(double? Share, string What);
