namespace LatencyTuner.Core.Capture;

/// <summary>Bytes that were sent and are not acknowledged yet.</summary>
internal struct OutstandingSegment
{
    public uint Sequence;
    public uint End;
    public long FirstSentNs;
    public long LastSentNs;

    /// <summary>Timestamp value of the last transmission.</summary>
    public uint LastTimestamp;

    /// <summary>IP identification of the first transmission.</summary>
    public ushort IpId;

    /// <summary>Transmissions seen, at most 65535.</summary>
    public ushort Sends;

    /// <summary>True when it carries payload and not only SYN or FIN.</summary>
    public bool IsData;

    /// <summary>True when it arrived out of order at the tap or fills a hole.</summary>
    public bool OutOfOrder;
}
