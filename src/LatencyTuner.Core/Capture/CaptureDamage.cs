namespace LatencyTuner.Core.Capture;

/// <summary>Where a file stopped making sense.</summary>
/// <param name="Offset">Offset in bytes of the record that could not be read, after decompression.</param>
/// <param name="Reason">What is wrong there, a clause with the offending value.</param>
public sealed record CaptureDamage(long Offset, string Reason);
