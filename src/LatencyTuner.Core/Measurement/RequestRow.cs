namespace LatencyTuner.Core.Measurement;

/// <summary>One answered request of a log; times are timestamps of the run's clock.</summary>
/// <param name="Planned">When it was to be sent; the start in a closed loop.</param>
/// <param name="Sent">When it was sent.</param>
/// <param name="Received">When its reply was complete.</param>
/// <param name="ResidenceNs">How long the server says it had it, held to what was seen here, nanoseconds.</param>
internal readonly record struct RequestRow(long Planned, long Sent, long Received, long ResidenceNs);
