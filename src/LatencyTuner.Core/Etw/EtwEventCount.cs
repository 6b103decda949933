namespace LatencyTuner.Core.Etw;

/// <summary>How often an event is in a trace.</summary>
/// <param name="Provider">Provider, or class of classic and kernel events.</param>
/// <param name="Id">Id of a manifest event; null for classic and kernel events.</param>
/// <param name="Opcode">Opcode of a classic or kernel event; null for manifest events.</param>
/// <param name="Version">Version of the payload.</param>
/// <param name="Count">How often, at least once.</param>
public sealed record EtwEventCount(Guid Provider, int? Id, int? Opcode, int Version, long Count);
