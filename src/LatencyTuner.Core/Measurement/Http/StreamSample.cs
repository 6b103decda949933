namespace LatencyTuner.Core.Measurement.Http;

/// <summary>One stream as this end saw it.</summary>
/// <param name="ResponseNs">From the request to the last byte, nanoseconds.</param>
/// <param name="FirstNs">From the request to the first byte of the first message, nanoseconds.</param>
/// <param name="Times">The sender's times; null when it reported none, or impossible ones.</param>
/// <param name="Refused">True when the sender reported impossible times.</param>
internal sealed record StreamSample(long ResponseNs, long FirstNs, StreamTimes? Times, bool Refused)
{
    /// <summary>
    /// Lower bound of the time to make messages after the first had arrived here, nanoseconds: before that, the sender cannot have spent more
    /// time on it than the wait for the first byte.
    /// </summary>
    internal long? OverlapNs => Times is { } t ? Math.Max(t.FetchNs - FirstNs, 0) : null;
}
