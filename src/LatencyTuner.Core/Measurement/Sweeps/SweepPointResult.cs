namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>All rounds of one point.</summary>
/// <param name="Cell">The point.</param>
/// <param name="Rounds">What was measured, in the order of the rounds.</param>
/// <param name="Failure">Why the point was given up, a sentence; null when it was not.</param>
public sealed record SweepPointResult(SweepCell Cell, IReadOnlyList<SweepRound> Rounds, string? Failure);
