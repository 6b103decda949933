namespace LatencyTuner.Core.Measurement.Load;

/// <summary>What the load had moved at one moment.</summary>
/// <param name="Timestamp">The moment on the run's clock.</param>
/// <param name="UpBytes">Bytes acknowledged by the responder's system so far; where this system does not tell, bytes handed to it.</param>
/// <param name="DownBytes">Bytes received so far.</param>
internal readonly record struct LoadBin(long Timestamp, long UpBytes, long DownBytes);
