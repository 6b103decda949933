namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>What the packets of one part say about the time to and from one end.</summary>
internal struct SideTiming
{
    /// <summary>Shortest round trip between the tap and this end, nanoseconds; 0 when unknown.</summary>
    public long BaseNs;

    /// <summary>False when no round trip to this end was ever seen.</summary>
    public bool BaseKnown;

    /// <summary>
    /// True when the base is only the most that the path can take: without a handshake, and with the tap elsewhere, an end that acknowledges with
    /// its next message alone seems as far away as it thinks long.
    /// </summary>
    public bool BaseIsBound;

    /// <summary>Usual deviation of this end's answers from their most frequent delay, nanoseconds.</summary>
    public long JitterNs;

    /// <summary>A pure ACK within this of the base is no delayed one, nanoseconds.</summary>
    public long GuardNs;

    /// <summary>Data that follows an ACK within this was released by it, nanoseconds.</summary>
    public long ReleaseNs;

    /// <summary>How much later the peer's packets reach this end's view than the tap, nanoseconds: 0 with the tap at this end.</summary>
    public long ShiftNs;

    /// <summary>Largest payload this end puts into one segment on the wire, bytes.</summary>
    public int Mss;
}
