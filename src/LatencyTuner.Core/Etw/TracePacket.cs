namespace LatencyTuner.Core.Etw;

/// <summary>A network packet that an event of a trace holds. It is valid during the call that delivered the event.</summary>
public readonly ref struct TracePacket
{
    /// <summary>The captured bytes.</summary>
    public required ReadOnlySpan<byte> Data { get; init; }

    /// <summary>Bytes on the wire; never fewer than were captured.</summary>
    public required int OriginalLength { get; init; }

    /// <summary>Link type of the frame as pcap numbers it: 1 Ethernet, 101 raw IP, 105 IEEE 802.11.</summary>
    public required int LinkType { get; init; }

    /// <summary>The component (pktmon) or interface index (NDIS) it was captured at.</summary>
    public required uint Interface { get; init; }
}
