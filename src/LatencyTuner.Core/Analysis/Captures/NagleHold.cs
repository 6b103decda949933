namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>A small segment that waited for an ACK.</summary>
/// <param name="FirstSentNs">When the data was sent whose ACK it waited for.</param>
/// <param name="AckNs">When that pure ACK passed the tap.</param>
/// <param name="ReleasedNs">When the held segment passed the tap.</param>
/// <param name="AckDelayNs">How long the ACK was held beyond the path's own time.</param>
/// <param name="Late">True when that is a delayed ACK.</param>
/// <param name="FirstFrame">Frame of the data.</param>
/// <param name="AckFrame">Frame of the ACK.</param>
/// <param name="ReleasedFrame">Frame of the held segment.</param>
internal readonly record struct NagleHold(
    long FirstSentNs, long AckNs, long ReleasedNs, long AckDelayNs, bool Late, uint FirstFrame, uint AckFrame, uint ReleasedFrame)
{
    /// <summary>Sequence number of the data, counted from the sender's first.</summary>
    public uint FirstSequence { get; init; }

    /// <summary>Payload of the data and of the held segment, bytes.</summary>
    public int FirstLength { get; init; }
    public int ReleasedLength { get; init; }
}
