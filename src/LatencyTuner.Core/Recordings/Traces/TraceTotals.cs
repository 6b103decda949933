namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// Totals that TCP writes when a connection ends (TCPIP events 1352, 1477). The manifest gives no unit for the limited times; milliseconds are
/// assumed, as in TCP_ESTATS_SND_CONG_ROD_v0, whose fields have the same names.
/// </summary>
internal sealed record TraceTotals
{
    public long ReceiverLimitedMs { get; init; }
    public long CongestionLimitedMs { get; init; }
    public long SenderLimitedMs { get; init; }
    public long Timeouts { get; init; }
    public long FastRetransmissions { get; init; }
    public long BytesRetransmitted { get; init; }
    public long SynRetransmissions { get; init; }
    public long? ConnectionMs { get; init; }
    public long? RttUs { get; init; }
    public long? MinRttUs { get; init; }
}
