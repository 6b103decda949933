namespace LatencyTuner.Core.Capture;

/// <summary>One TCP segment as it was captured, with every field an analysis needs and no reference to the frame.</summary>
internal struct TcpSegment
{
    /// <summary>Capture time in nanoseconds since 1970-01-01 UTC.</summary>
    public long TimeNs;

    /// <summary>Number of the frame in its file, from 1; for a fragmented segment the number of its last frame.</summary>
    public long FrameNumber;

    public IpAddressValue Source;
    public IpAddressValue Destination;
    public ushort SourcePort;
    public ushort DestinationPort;

    /// <summary>Interface it was captured on.</summary>
    public int InterfaceId;

    public uint Sequence;
    public uint Acknowledgement;
    public TcpFlags Flags;

    /// <summary>The window as sent, not scaled.</summary>
    public ushort Window;

    /// <summary>Payload in bytes from the IP length; from the frame length where the stack left the IP length 0 for the adapter to fill in.</summary>
    public int PayloadLength;

    /// <summary>Identification of IPv4; 0 for IPv6.</summary>
    public ushort IpId;

    /// <summary>Time to live, or hop limit.</summary>
    public byte Ttl;

    /// <summary>Type of service or traffic class, ECN in the lower two bits.</summary>
    public byte TypeOfService;

    /// <summary>True when the captured bytes show that its checksum is wrong (<see cref="TcpHeader.IsChecksumWrong"/>).</summary>
    public bool IsChecksumWrong;

    /// <summary>MSS option; 0 when absent.</summary>
    public ushort Mss;

    /// <summary>Window scale option; -1 when absent.</summary>
    public sbyte WindowScale;

    public bool SackPermitted;

    /// <summary>True when the segment has a timestamp option.</summary>
    public bool HasTimestamp;

    public uint TimestampValue;
    public uint TimestampEcho;

    /// <summary>Blocks in <see cref="Sack"/>.</summary>
    public byte SackCount;

    public SackBlockBuffer Sack;

    /// <summary>True when the captured bytes end inside the TCP header: options may be missing.</summary>
    public bool OptionsCut;

    /// <summary>
    /// The packet size that a router reported, bytes, where this is its report of the segment (<see cref="PathReport"/>); 0 for the segment itself.
    /// </summary>
    public ushort ReportedMtu;

    /// <summary>Length of all options by the header's own word, captured or not, bytes.</summary>
    public byte OptionBytes;

    /// <summary>True for SYN without ACK.</summary>
    public readonly bool IsSyn => (Flags & (TcpFlags.Syn | TcpFlags.Ack)) == TcpFlags.Syn;

    /// <summary>True for SYN with ACK.</summary>
    public readonly bool IsSynAck => (Flags & (TcpFlags.Syn | TcpFlags.Ack)) == (TcpFlags.Syn | TcpFlags.Ack);

    /// <summary>Length in sequence space: payload bytes, plus 1 for SYN and 1 for FIN.</summary>
    public readonly uint SequenceLength => (uint)PayloadLength + ((Flags & TcpFlags.Syn) != 0 ? 1u : 0) + ((Flags & TcpFlags.Fin) != 0 ? 1u : 0);
}

/// <summary>Comparisons modulo 2^32 (RFC 9293 3.4).</summary>
internal static class SequenceNumber
{
    /// <summary>How far <paramref name="a"/> is beyond <paramref name="b"/>; negative when before.</summary>
    public static int Beyond(uint a, uint b) => (int)(a - b);

    public static bool Less(uint a, uint b) => (int)(a - b) < 0;

    public static bool LessOrEqual(uint a, uint b) => (int)(a - b) <= 0;
}
