namespace LatencyTuner.Fuzz;

/// <summary>How one input ended.</summary>
/// <param name="Refused">No frame could be read, and one sentence said why.</param>
/// <param name="Damaged">Something was lost, and the reader said where.</param>
/// <param name="Frames">Frames read.</param>
/// <param name="Segments">TCP segments among them.</param>
internal readonly record struct FuzzOutcome(bool Refused, bool Damaged, long Frames, long Segments);
