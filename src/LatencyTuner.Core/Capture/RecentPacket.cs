namespace LatencyTuner.Core.Capture;

/// <summary>What tells two captures of one packet apart from two packets.</summary>
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
