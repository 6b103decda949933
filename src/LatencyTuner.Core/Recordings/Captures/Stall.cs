namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>A time during which one side could not go on.</summary>
/// <param name="StartNs">Capture time, nanoseconds since 1970.</param>
/// <param name="EndNs">Capture time, nanoseconds since 1970.</param>
/// <param name="Kind">What held it up.</param>
/// <param name="Sender">The side whose data waited: 0 client, 1 server.</param>
internal readonly record struct Stall(long StartNs, long EndNs, StallKind Kind, byte Sender)
{
    /// <summary>Kinds and senders in one number, for sums by both.</summary>
    public const int Keys = ((int)StallKind.CongestionWindow + 1) * 2;

    public int Key => ((int)Kind * 2) + Sender;
}

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
