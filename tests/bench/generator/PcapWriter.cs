using System.Buffers.Binary;

namespace LatencyTuner.CaptureBench;

/// <summary>Writes Ethernet, IPv4 and TCP with timestamps to a pcap of microseconds. Checksums are left 0, as an offloading sender's are.</summary>
internal sealed class PcapWriter : IDisposable
{
    private const int Record = 16;
    private const int Ethernet = 14;
    private const int Ip = 20;
    private const int Tcp = 32;
    private const int Sack = 12;

    // One for which no peer has a dissector of its own.
    private const ushort Port = 7117;

    private readonly Stream _stream;
    private readonly byte[] _frame = new byte[2048];

    public PcapWriter(Stream stream)
    {
        _stream = stream;
        Span<byte> header = stackalloc byte[24];
        BinaryPrimitives.WriteUInt32LittleEndian(header, 0xA1B2C3D4);
        header[4] = 2;
        header[6] = 4;
        BinaryPrimitives.WriteUInt32LittleEndian(header[16..], 262144);
        header[20] = 1;
        _stream.Write(header);
        // Something that looks like text: the payload must be read from the disk as any other.
        for (int i = Record; i < _frame.Length; i++)
        {
            _frame[i] = (byte)('a' + (i % 26));
        }
    }

    public long Bytes { get; private set; } = 24;

    public long Packets { get; private set; }

    public void Write(in Packet p)
    {
        Span<byte> f = _frame;
        int tcp = Tcp + (p.SackRight != p.SackLeft ? Sack : 0);
        int length = Ethernet + Ip + tcp + p.Payload;
        BinaryPrimitives.WriteUInt32LittleEndian(f, (uint)(p.TimeUs / 1_000_000));
        BinaryPrimitives.WriteUInt32LittleEndian(f[4..], (uint)(p.TimeUs % 1_000_000));
        BinaryPrimitives.WriteInt32LittleEndian(f[8..], length);
        BinaryPrimitives.WriteInt32LittleEndian(f[12..], length);
        Span<byte> e = f[Record..];
        e[..12].Clear();
        (e[5], e[11]) = p.FromClient ? ((byte)2, (byte)1) : ((byte)1, (byte)2);
        BinaryPrimitives.WriteUInt16BigEndian(e[12..], 0x0800);
        Span<byte> ip = e[Ethernet..];
        ip[..Ip].Clear();
        ip[0] = 0x45;
        BinaryPrimitives.WriteUInt16BigEndian(ip[2..], (ushort)(length - Ethernet));
        BinaryPrimitives.WriteUInt16BigEndian(ip[4..], p.IpId);
        ip[6] = 0x40;
        ip[8] = p.FromClient ? (byte)64 : (byte)57;
        ip[9] = 6;
        BinaryPrimitives.WriteUInt32BigEndian(ip[(p.FromClient ? 12 : 16)..], p.Client);
        BinaryPrimitives.WriteUInt32BigEndian(ip[(p.FromClient ? 16 : 12)..], p.Server);
        Span<byte> t = ip[Ip..];
        BinaryPrimitives.WriteUInt16BigEndian(t[(p.FromClient ? 0 : 2)..], p.ClientPort);
        BinaryPrimitives.WriteUInt16BigEndian(t[(p.FromClient ? 2 : 0)..], 443);
        BinaryPrimitives.WriteUInt32BigEndian(t[4..], p.Sequence);
        BinaryPrimitives.WriteUInt32BigEndian(t[8..], p.Acknowledgement);
        t[12] = (byte)(tcp / 4 << 4);
        t[13] = p.Flags;
        BinaryPrimitives.WriteUInt16BigEndian(t[14..], 60_000);
        BinaryPrimitives.WriteUInt32BigEndian(t[16..], 0);
        BinaryPrimitives.WriteUInt32BigEndian(t[20..], 0x0101_080A);
        BinaryPrimitives.WriteUInt32BigEndian(t[24..], (uint)(p.TimeUs / 1000));
        BinaryPrimitives.WriteUInt32BigEndian(t[28..], (uint)(p.TimeUs / 1000) - 10);
        if (tcp > Tcp)
        {
            BinaryPrimitives.WriteUInt32BigEndian(t[32..], 0x0101_050A);
            BinaryPrimitives.WriteUInt32BigEndian(t[36..], p.SackLeft);
            BinaryPrimitives.WriteUInt32BigEndian(t[40..], p.SackRight);
        }

        _stream.Write(f[..(Record + length)]);
        f.Slice(Record + Ethernet + Ip + Tcp, Sack).Fill((byte)'x');
        Bytes += Record + length;
        Packets++;
    }

    public void Dispose() => _stream.Dispose();
}
