namespace LatencyTuner.CaptureBench;

internal struct Packet
{
    public long TimeUs;
    public uint Client;
    public uint Server;
    public ushort ClientPort;
    public bool FromClient;
    public byte Flags;
    public ushort IpId;
    public uint Sequence;
    public uint Acknowledgement;
    public int Payload;
    public uint SackLeft;
    public uint SackRight;
}
