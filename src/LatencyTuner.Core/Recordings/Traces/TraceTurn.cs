namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>A request with its response as one end sees it, nanoseconds.</summary>
/// <param name="DurationNs">At the client, from posting the request to the last data of the response; at the server, from the first data of the
/// request until the response was sent.</param>
/// <param name="Waits">What waited in this time, and what this end sent.</param>
/// <param name="OwnNs">The time of this end's application: at the server between request and response, at the client before the request; -1 when
/// nothing came before.</param>
internal readonly record struct TraceTurn(long DurationNs, TurnCounters Waits, long OwnNs);
