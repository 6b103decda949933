namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>What held a connection up, by precedence: one millisecond has one owner, the first of these that claims it.</summary>
internal enum StallKind : byte
{
    LossRto,
    LossFastRetransmit,
    ZeroWindow,
    ReceiveWindow,
    NagleDelayedAck,
    NagleHold,
    SendBuffer,
    DelayedAck,
    SmallSegments,
    CongestionWindow,
}
