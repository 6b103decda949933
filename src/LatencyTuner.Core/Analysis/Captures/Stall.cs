namespace LatencyTuner.Core.Analysis.Captures;

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
