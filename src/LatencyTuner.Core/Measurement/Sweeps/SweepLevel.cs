namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>One value of one dimension.</summary>
/// <param name="Dimension">What is varied.</param>
/// <param name="Value">The value in the dimension's unit; null leaves a buffer or window to the operating system.</param>
public readonly record struct SweepLevel(SweepDimension Dimension, double? Value);
