namespace LatencyTuner.Core.Measurement.Http;

/// <summary>One stream as this end saw it.</summary>
/// <param name="ResponseNs">From asking to the last byte, nanoseconds.</param>
/// <param name="FirstNs">From asking to the first byte of the first message, nanoseconds.</param>
/// <param name="Times">The sender's times; null when it gave none, or none that can be.</param>
/// <param name="Refused">True when its times cannot be.</param>
internal sealed record StreamSample(long ResponseNs, long FirstNs, StreamTimes? Times, bool Refused)
{
    /// <summary>
    /// The least of the sender's making of messages that went on after the first had arrived here, nanoseconds: no more of it than the wait
    /// for the first byte can have been before.
    /// </summary>
    internal long? OverlapNs => Times is { } t ? Math.Max(t.FetchNs - FirstNs, 0) : null;
}
