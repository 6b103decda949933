namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>What a connection had waited and sent up to a moment; the difference of two moments belongs to the time between them.</summary>
/// <param name="HeldNs">Time in which Nagle's algorithm at this end held data, nanoseconds.</param>
/// <param name="ReceiverLimitedNs">Time in which data waited for room in the peer's window, nanoseconds.</param>
/// <param name="ClosedNs">Time in which the peer's window was closed, nanoseconds.</param>
/// <param name="BlockedNs">Time of long send calls that nothing else explains, nanoseconds.</param>
/// <param name="LateAckNs">Time in which the peer waited for late ACKs of this end, nanoseconds.</param>
/// <param name="SentBytes">Bytes sent.</param>
internal readonly record struct TurnCounters(long HeldNs, long ReceiverLimitedNs, long ClosedNs, long BlockedNs, long LateAckNs, long SentBytes)
{
    /// <summary>What was added since an earlier moment, at least 0 each.</summary>
    public TurnCounters Since(in TurnCounters earlier) => new(
        Math.Max(HeldNs - earlier.HeldNs, 0), Math.Max(ReceiverLimitedNs - earlier.ReceiverLimitedNs, 0), Math.Max(ClosedNs - earlier.ClosedNs, 0),
        Math.Max(BlockedNs - earlier.BlockedNs, 0), Math.Max(LateAckNs - earlier.LateAckNs, 0), Math.Max(SentBytes - earlier.SentBytes, 0));
}
