namespace LatencyTuner.Core.Capture;

/// <summary>One block of a SACK option (RFC 2018): received bytes from <paramref name="Left"/> to before <paramref name="Right"/>.</summary>
internal readonly record struct SackBlock(uint Left, uint Right);
