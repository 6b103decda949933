using System.Buffers.Binary;

namespace LatencyTuner.Core.Capture;

/// <summary>One direction of a connection at the capture point: what its sender has sent, and what its peer has acknowledged and allowed.</summary>
internal struct FlowState
{
    /// <summary>Stands for a base round trip that was never measured.</summary>
    public const long Unknown = long.MaxValue;

    private const long FarNs = 20_000_000;

    /// <summary>When nothing reached its sender; null before something did.</summary>
    public HostSilences? Silences;

    /// <summary>True after the first packet of this direction.</summary>
    public bool Started;

    /// <summary>True when its SYN was seen.</summary>
    public bool SynSeen;

    /// <summary>When its last SYN passed, nanoseconds since 1970; 0 before the first.</summary>
    public long SynNs;
    public bool FinSeen;

    /// <summary>When the peer had acknowledged everything up to this sender's FIN, capture time; 0 before that.</summary>
    public long FinAckedNs;

    /// <summary>True after the server's first packet that is no SYN.</summary>
    public bool Answered;

    /// <summary>Initial sequence number, or the first one seen.</summary>
    public uint Initial;

    /// <summary>Sequence number of the first data seen.</summary>
    public uint FirstData;

    /// <summary>Sequence number after the highest byte sent.</summary>
    public uint Next;

    /// <summary>Highest acknowledgement from the peer.</summary>
    public uint Acknowledged;

    /// <summary>True after the peer acknowledged anything.</summary>
    public bool AckSeen;

    /// <summary>Right edge of the window that the peer offers.</summary>
    public uint WindowRight;

    /// <summary>The acknowledgement number of the packet with that window, and its unscaled window field.</summary>
    public uint WindowAck;
    public ushort WindowField;

    /// <summary>True when the peer's last window was 0.</summary>
    public bool WindowClosed;

    /// <summary>
    /// The window that this sender advertised last, and its scale; <see cref="UnknownScale"/> without a captured SYN, <see cref="Unscaled"/>
    /// when its SYN has no window scale option.
    /// </summary>
    public uint LastWindow;
    public sbyte Scale;
    public const sbyte UnknownScale = -1;
    public const sbyte Unscaled = -2;

    /// <summary>The smallest scale that is possible after what the peer sent, while <see cref="Scale"/> is not known.</summary>
    public sbyte LeastScale;
    public ushort Mss;
    public bool SackPermitted;

    /// <summary>The least length of the options of its packets behind the SYN, bytes; 255 before the first.</summary>
    public byte LeastOptionBytes;
    public bool Timestamps;

    /// <summary>Time, timestamp and IP identification of the packet that sent the highest byte.</summary>
    public long NextSentNs;
    public uint NextTimestamp;
    public ushort NextIpId;

    /// <summary>True when this sender numbers its packets (RFC 6864 allows it not to): two with the same IP identification are the same packet.</summary>
    public bool IpIdVaries;

    /// <summary>True when this sender gave different data the same identification: it does not number its packets.</summary>
    public bool IpIdRepeats;

    /// <summary>
    /// True when this sender's data was acknowledged although every copy had a wrong checksum; when some was that never had one; and when a copy with another
    /// one repaired what had a wrong one.
    /// </summary>
    public bool ChecksumsLie;
    public bool ChecksumsTell;
    public bool DamageIsShown;

    /// <summary>Shortest round trip between the capture point and this direction's sender, nanoseconds; <see cref="Unknown"/> without a sample.</summary>
    public long BaseNs;

    /// <summary>Shortest round trip from timestamp echoes in this sender's data, nanoseconds; <see cref="Unknown"/> without one.</summary>
    public long EchoBaseNs;

    /// <summary>The same round trip as the handshake shows it, nanoseconds; <see cref="Unknown"/> without one.</summary>
    public long HandshakeNs;

    /// <summary>How long after the last SYN of the peer this sender answered it, nanoseconds; <see cref="Unknown"/> before that.</summary>
    public long SynAnsweredNs;

    /// <summary>A timestamp of this sender that waits for its echo, and when it was captured; 0 when none waits.</summary>
    public uint EchoTimestamp;
    public long EchoNs;

    /// <summary>By how much a timestamp of this sender was ahead of the one that it echoed: the least, and the first, ticks; 0 before that.</summary>
    public uint LeastLead;
    public uint FirstLead;

    /// <summary>
    /// The timestamp of this sender's latest ACK without data, if no other packet had it, else 0; and true once this sender's data echoed one of the peer's:
    /// stacks from before RFC 7323 4.3 echo only what data brought.
    /// </summary>
    public uint PureTimestamp;
    public bool EchoesPureAcks;

    /// <summary>The timestamp of this sender's latest packet.</summary>
    public uint LatestTimestamp;

    /// <summary>
    /// The sequence number that a pure ACK shows this sender has reached, above <see cref="Next"/>; the time, timestamp and IP identification of the
    /// first one. Nothing is shown when the time is 0.
    /// </summary>
    public uint Claimed;
    public long ClaimedNs;
    public uint ClaimedTimestamp;
    public ushort ClaimedIpId;

    /// <summary>When such an ACK first showed a hole that data above it shows too, and the sequence number of that ACK; 0 without one.</summary>
    public long HoleNs;
    public uint HoleEnd;

    /// <summary>
    /// Where the latest hole ends whose packets had not been sent when it opened: no identification is missing before the packet above it. 0 for none.
    /// </summary>
    public uint UnsentEnd;

    /// <summary>
    /// The packet size that a router last reported to this sender, bytes, when that last passed, and the frame of the first time (<see cref="PathReport"/>); 0
    /// before it.
    /// </summary>
    public ushort ReportedMtu;
    public long ReportedNs;
    public uint ReportFrame;

    /// <summary>Which of this sender's packets had numbers that no window explains, the last time; and these numbers.</summary>
    public long DoubtedPacket;
    public uint DoubtedSequence;
    public uint DoubtedAcknowledgement;

    /// <summary>IP identification of the packet that this sender sent last, as far as the identifications show.</summary>
    public ushort LastIpId;

    /// <summary>The last timestamp of this sender, and when it was captured; 0 before the first.</summary>
    public uint TimestampValue;
    public long TimestampNs;

    /// <summary>The first one, how often the next one was far on in a packet of the same time, and by how many ticks at most.</summary>
    public uint FirstTimestamp;
    public long FirstTimestampNs;
    public int BatchLeaps;
    public int LongestBatchLeap;

    public long Packets;

    /// <summary>Payload in bytes, retransmissions included.</summary>
    public long Bytes;
    public long DataPackets;
    public long PureAcks;
    public long Retransmissions;
    public int LargestPayload;

    /// <summary>The longest packet of this sender that was acknowledged without having been sent again, bytes.</summary>
    public int LargestDelivered;
    public uint LargestWindow;
    public byte Ttl;

    public OutstandingRing Outstanding;
    private RecentPacket _recent0;
    private RecentPacket _recent1;
    private byte _recentAt;

    /// <summary>
    /// True when a device near the capture point speaks for this end: at most one router has lowered the time to live (the device itself may), and the SYN
    /// was answered far later than everything else. Such a device numbers the packets of all its connections together.
    /// </summary>
    public readonly bool IsProxied => SynAnsweredNs != Unknown && AnsweredByDevice(SynAnsweredNs);

    /// <summary>True where an answer to a SYN after this time came from such a device, nanoseconds.</summary>
    public readonly bool AnsweredByDevice(long handshakeNs) =>
        Ttl is 64 or 63 or 128 or 127 or 255 or 254 && handshakeNs >= FarNs && handshakeNs / 10 >= BaseNs;

    /// <summary>True where a wrong checksum of its data means that the packet was damaged.</summary>
    public readonly bool ShowsDamage => DamageIsShown && !ChecksumsLie;

    public readonly bool HasOutstanding => AckSeen ? SequenceNumber.Less(Acknowledged, Next) : Outstanding.Count > 0;

    /// <summary>True when the scale of this sender's windows is known (RFC 7323 2.2: no scaling unless both SYNs offer it).</summary>
    public readonly bool ScaleKnown(in FlowState peer) => Scale == Unscaled || peer.Scale == Unscaled || (Scale >= 0 && peer.Scale >= 0);

    /// <summary>True when a packet was sent before the last one seen, or is that one again; remembers a later one.</summary>
    public bool IsLate(ushort ipId)
    {
        bool late = WasSentBefore(ipId);
        LastIpId = late ? LastIpId : ipId;
        return late;
    }

    /// <summary>True when the identification is that of the last packet, or of one shortly before it; false where identifications do not count up.</summary>
    public readonly bool WasSentBefore(ushort ipId)
    {
        const int Window = 64;
        return IpIdVaries && ipId != 0 && (ushort)(LastIpId - ipId) < Window;
    }

    /// <summary>
    /// True when no packet is missing between the last one and this one, by their identifications, which some hosts count in the other order of bytes; false
    /// where identifications do not count up.
    /// </summary>
    public readonly bool IsNext(ushort ipId) => IpIdVaries && ipId != 0
        && ((ushort)(ipId - LastIpId) == 1 || (ushort)(BinaryPrimitives.ReverseEndianness(ipId) - BinaryPrimitives.ReverseEndianness(LastIpId)) == 1);

    /// <summary>Takes a router's report of a segment that is on its way; of others anybody could have sent it (RFC 5927 4.1).</summary>
    public void Report(in TcpSegment report)
    {
        if (Started && SequenceNumber.LessOrEqual(Acknowledged, report.Sequence) && SequenceNumber.Less(report.Sequence, Next))
        {
            ReportFrame = report.ReportedMtu == ReportedMtu ? ReportFrame : (uint)report.FrameNumber;
            (ReportedMtu, ReportedNs) = (report.ReportedMtu, report.TimeNs);
        }
    }

    /// <summary>True when the same packet was captured twice; remembers it otherwise.</summary>
    public bool IsCaptureDuplicate(in TcpSegment segment)
    {
        const long Soon = 1_000_000;
        if (Same(in _recent0, in segment, Soon) || Same(in _recent1, in segment, Soon))
        {
            return true;
        }

        ref RecentPacket slot = ref (_recentAt ^= 1) == 0 ? ref _recent0 : ref _recent1;
        slot.TimeNs = segment.TimeNs;
        slot.Sequence = segment.Sequence;
        slot.Acknowledgement = segment.Acknowledgement;
        slot.Length = segment.PayloadLength;
        slot.TimestampValue = segment.TimestampValue;
        slot.IpId = segment.IpId;
        slot.Window = segment.Window;
        slot.Flags = segment.Flags;
        slot.InterfaceId = segment.InterfaceId;
        return false;
    }

    private readonly bool Same(in RecentPacket earlier, in TcpSegment segment, long soon) =>
        earlier.Sequence == segment.Sequence && earlier.Acknowledgement == segment.Acknowledgement && earlier.Length == segment.PayloadLength
        && earlier.IpId == segment.IpId && earlier.Flags == segment.Flags && earlier.Window == segment.Window
        && earlier.TimestampValue == segment.TimestampValue
        && Math.Abs(segment.TimeNs - earlier.TimeNs) <= soon && Packets > 0
        // Without an identification, two ACKs look alike: then only a second interface, or what is not retransmitted this soon, shows a duplicate.
        && (segment.IpId != 0 || segment.PayloadLength > 0 || (segment.Flags & (TcpFlags.Syn | TcpFlags.Fin)) != 0
            || segment.InterfaceId != earlier.InterfaceId);
}

/// <summary>The values that show whether two captured packets are the same packet.</summary>
internal struct RecentPacket
{
    public long TimeNs;
    public uint Sequence;
    public uint Acknowledgement;
    public int Length;
    public uint TimestampValue;
    public ushort IpId;
    public ushort Window;
    public TcpFlags Flags;
    public int InterfaceId;
}
