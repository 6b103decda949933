namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>A small segment first sent after a pure ACK of all earlier data: the ACK released it, or the application wrote it then by chance.</summary>
/// <param name="GapNs">From when the ACK reached the sender to the segment, nanoseconds.</param>
/// <param name="Hold">What it was if the ACK released it.</param>
/// <param name="OnlyBehindOthers">
/// True where it counts only behind holds that are surer: full segments before it are still unacknowledged, and the ACK covers the small one before those
/// (Minshall's variation); or the ACK came with data, of which the segment acknowledges a part of a message alone, so that it cannot be the answer.
/// </param>
internal readonly record struct NagleChance(long GapNs, NagleHold Hold, bool OnlyBehindOthers);

/// <summary>A small segment that waited for an ACK.</summary>
/// <param name="FirstSentNs">When the data was sent for whose ACK it waited.</param>
/// <param name="AckNs">When that pure ACK passed the tap.</param>
/// <param name="ReleasedNs">When the held segment passed the tap.</param>
/// <param name="AckDelayNs">How long the ACK was delayed beyond the path's own time.</param>
/// <param name="Late">True when the ACK is a delayed ACK.</param>
/// <param name="FirstFrame">Frame number of the data.</param>
/// <param name="AckFrame">Frame number of the ACK.</param>
/// <param name="ReleasedFrame">Frame number of the held segment.</param>
internal readonly record struct NagleHold(
    long FirstSentNs, long AckNs, long ReleasedNs, long AckDelayNs, bool Late, uint FirstFrame, uint AckFrame, uint ReleasedFrame)
{
    /// <summary>From the data to the held segment, nanoseconds: the path's round trip and the time for which the ACK was delayed.</summary>
    public long HeldNs => ReleasedNs - FirstSentNs;

    /// <summary>Sequence number of the data, counted from the sender's first.</summary>
    public uint FirstSequence { get; init; }

    /// <summary>Payload of the data and of the held segment, bytes.</summary>
    public int FirstLength { get; init; }
    public int ReleasedLength { get; init; }

    /// <summary>True for one key behind another one: each is a write of its own, at its own time.</summary>
    public bool IsTyped => FirstLength == 1 && ReleasedLength == 1;

    /// <summary>
    /// True when data before it was not acknowledged by that ACK: it had not arrived when the ACK left, and without it nobody can use what was held.
    /// </summary>
    public bool IsBehindMore { get; init; }

    /// <summary>
    /// False when its sender had more to send, by the push flag (RFC 9293 3.9.1.2), which it has set before: Nagle's algorithm lets all go that it held.
    /// </summary>
    public bool Pushed { get; init; }
}
