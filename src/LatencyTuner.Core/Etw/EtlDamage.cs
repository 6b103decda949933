namespace LatencyTuner.Core.Etw;

/// <summary>One place where a trace could not be read.</summary>
/// <param name="Kind">What was wrong.</param>
/// <param name="Offset">Byte of the (unpacked) file; for an event inside a compressed buffer, the byte where that buffer begins.</param>
/// <param name="Detail">What was found and what was expected: one clause without a full stop.</param>
public sealed record EtlDamage(EtlDamageKind Kind, long Offset, string Detail);
