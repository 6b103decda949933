namespace LatencyTuner.Core.Etw.Sessions;

/// <summary>A live trace at a moment.</summary>
/// <param name="Events">Events delivered since it began.</param>
/// <param name="Losses">What its sessions lost.</param>
/// <param name="FreeBytes">Bytes free on the volume of the file; null without a file, or when Windows does not say.</param>
public readonly record struct TraceProgress(long Events, SessionLosses Losses, long? FreeBytes);
