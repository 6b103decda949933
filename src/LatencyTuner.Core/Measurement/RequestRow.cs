namespace LatencyTuner.Core.Measurement;

/// <summary>One answered request of a log; times are timestamps of the run's clock.</summary>
/// <param name="Planned">When it was to be sent; the start in a closed loop.</param>
/// <param name="Sent">When it was sent.</param>
/// <param name="Received">When its reply was complete.</param>
/// <param name="ResidenceNs">How long the server says it had it, nanoseconds; its word.</param>
/// <param name="ClientWaitNs">
/// How long the measuring thread was ready to run without running, or stopped by a collection, since the last look, which may be up to
/// <see cref="RequestLog.LookEveryNs"/> before the request; -1 where this system does not tell.
/// </param>
/// <param name="ServerWaitNs">The same of the serving thread, which the reply after this one tells; -1 when not told. The server's word.</param>
/// <param name="ServerStallNs">How long the server's machine left a waiting thread standing meanwhile; -1 when not told. The server's word.</param>
internal readonly record struct RequestRow(
    long Planned, long Sent, long Received, long ResidenceNs, long ClientWaitNs = -1, long ServerWaitNs = -1, long ServerStallNs = -1);
