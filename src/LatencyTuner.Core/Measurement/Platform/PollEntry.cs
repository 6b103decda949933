namespace LatencyTuner.Core.Measurement.Platform;

/// <summary>One socket to wait for.</summary>
/// <param name="Handle">The raw socket.</param>
/// <param name="Read">Wait until it can be read (or was closed by the peer).</param>
/// <param name="Write">Wait until it can be written.</param>
public readonly record struct PollEntry(nint Handle, bool Read, bool Write);
