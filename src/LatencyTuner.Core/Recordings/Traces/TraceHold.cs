namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>Data that an application had handed over and TCP kept until the peer had acknowledged all there was. Times in nanoseconds since 1970.</summary>
/// <param name="SentNs">When the data that was waited for was sent.</param>
/// <param name="PostedNs">When the application handed over the data that waited.</param>
/// <param name="AckNs">When the acknowledgement came.</param>
/// <param name="ReleasedNs">When the waiting data was sent.</param>
/// <param name="Bytes">How much waited.</param>
internal readonly record struct TraceHold(long SentNs, long PostedNs, long AckNs, long ReleasedNs, long Bytes)
{
    /// <summary>Sequence number of the data that was waited for, as the events have it.</summary>
    public uint FirstSequence { get; init; }

    /// <summary>Sequence number of the data that waited.</summary>
    public uint Sequence { get; init; }

    /// <summary>The windows when the data was handed over, bytes.</summary>
    public uint Cwnd { get; init; }
    public uint Window { get; init; }

    /// <summary>When the peer's next data arrived; 0 when none did.</summary>
    public long AnsweredNs { get; init; }

    /// <summary>What the application's data waited.</summary>
    public long CostNs => ReleasedNs - PostedNs;

    /// <summary>What the acknowledgement took.</summary>
    public long AckDelayNs => AckNs - SentNs;
}
