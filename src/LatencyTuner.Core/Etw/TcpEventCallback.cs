using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Etw;

/// <summary>Receives one event about TCP. Both arguments are valid during the call only.</summary>
/// <param name="tcpEvent">The fields that analyses share.</param>
/// <param name="payload">Any field by name, for rare events such as summaries and template parameters.</param>
public delegate void TcpEventCallback(in TcpEvent tcpEvent, EtwPayload payload);
