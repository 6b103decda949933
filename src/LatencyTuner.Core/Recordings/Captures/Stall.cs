namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>A time during which one side could not continue.</summary>
/// <param name="StartNs">Capture time, nanoseconds since 1970.</param>
/// <param name="EndNs">Capture time, nanoseconds since 1970.</param>
/// <param name="Kind">The cause of the stall.</param>
/// <param name="Sender">The side whose data waited: 0 client, 1 server.</param>
internal readonly record struct Stall(long StartNs, long EndNs, StallKind Kind, byte Sender)
{
    /// <summary>Number of keys that combine a kind and a sender, for sums by both.</summary>
    public const int Keys = ((int)StallKind.CongestionWindow + 1) * 2;

    public int Key => ((int)Kind * 2) + Sender;

    /// <summary>The part of it that lies between two times, nanoseconds.</summary>
    public long TimeWithin(long startNs, long endNs) => Math.Max(0, Math.Min(EndNs, endNs) - Math.Max(StartNs, startNs));
}

/// <summary>Causes of a stall, by precedence: each millisecond is charged to one cause, the first of these that applies.</summary>
internal enum StallKind : byte
{
    LossRto,
    LossFastRetransmit,
    ZeroWindow,
    ReceiveWindow,
    NagleDelayedAck,
    NagleHold,

    /// <summary>A silence in which, by the numbers of the packets, the end of a message was lost before the tap.</summary>
    TailLoss,

    DelayedAck,
    SendBuffer,
    SmallSegments,
    CongestionWindow,
}
