namespace LatencyTuner.Core.Etw;

/// <summary>Receives one event of a file or of a live session. Header and payload are valid during the call only.</summary>
/// <param name="header">What every event has.</param>
/// <param name="payload">The event's own data, without extended items.</param>
public delegate void EtwEventCallback(in EtwEventHeader header, ReadOnlySpan<byte> payload);
