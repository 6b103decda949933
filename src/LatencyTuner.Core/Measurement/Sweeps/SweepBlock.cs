namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>A time block of a stored round.</summary>
internal sealed record SweepBlock(SweepHistogram Times, long LengthNs);
