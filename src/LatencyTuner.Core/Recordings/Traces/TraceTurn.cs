namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>A request with its response as one end sees it, nanoseconds.</summary>
/// <param name="DurationNs">At the client from handing over the request to the last of the response; at the server from its first to having
/// sent the response.</param>
/// <param name="HeldNs">How much of that this end's Nagle algorithm held data.</param>
/// <param name="OwnNs">This end's application: at the server between them, at the client before; -1 when nothing came before.</param>
internal readonly record struct TraceTurn(long DurationNs, long HeldNs, long OwnNs);
