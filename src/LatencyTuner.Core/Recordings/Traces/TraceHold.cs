namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>Data that an application posted and TCP held until the peer had acknowledged all earlier data. Times in nanoseconds since 1970.</summary>
/// <param name="SentNs">When the earlier data was sent.</param>
/// <param name="PostedNs">When the application posted the held data.</param>
/// <param name="AckNs">When the ACK arrived.</param>
/// <param name="ReleasedNs">When the held data was sent.</param>
/// <param name="Bytes">Size of the held data, bytes.</param>
internal readonly record struct TraceHold(long SentNs, long PostedNs, long AckNs, long ReleasedNs, long Bytes)
{
    /// <summary>Sequence number of the earlier data, as in the events.</summary>
    public uint FirstSequence { get; init; }

    /// <summary>Sequence number of the held data.</summary>
    public uint Sequence { get; init; }

    /// <summary>The congestion window and the peer's window when the data was posted, bytes.</summary>
    public uint Cwnd { get; init; }
    public uint Window { get; init; }

    /// <summary>Bytes of the last earlier segment.</summary>
    public uint BytesBefore { get; init; }

    /// <summary>True when the trace does not show whether the data was smaller than a full segment.</summary>
    public bool SizeUnknown { get; init; }

    /// <summary>When the peer's next data arrived; 0 when none did.</summary>
    public long AnsweredNs { get; init; }

    /// <summary>How long the application's data waited, nanoseconds.</summary>
    public long CostNs => ReleasedNs - PostedNs;

    /// <summary>How long the ACK took, nanoseconds.</summary>
    public long AckDelayNs => AckNs - SentNs;
}
