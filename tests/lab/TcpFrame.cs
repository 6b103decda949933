using System.Buffers.Binary;

namespace LatencyTuner.Lab;

/// <summary>What the emulator needs of one TCP segment in an Ethernet frame. Addresses of IPv4 are the low 32 bits.</summary>
public readonly record struct TcpFrame
{
    private const int EthernetHeader = 14;
    private const int TcpProtocol = 6;

    /// <summary>Source address.</summary>
    public UInt128 Source { get; private init; }

    /// <summary>Destination address.</summary>
    public UInt128 Destination { get; private init; }

    /// <summary>Source port.</summary>
    public ushort SourcePort { get; private init; }

    /// <summary>Destination port.</summary>
    public ushort DestinationPort { get; private init; }

    /// <summary>Sequence number of the first payload byte (or of the SYN).</summary>
    public uint Sequence { get; private init; }

    /// <summary>Acknowledgement number; meaningful with <see cref="TcpControl.Ack"/>.</summary>
    public uint Acknowledgement { get; private init; }

    /// <summary>Header flags.</summary>
    public TcpControl Flags { get; private init; }

    /// <summary>Payload bytes by the IP header's length, so Ethernet padding does not count.</summary>
    public int PayloadLength { get; private init; }

    /// <summary>The sequence number after this segment; SYN and FIN count one each.</summary>
    public uint EndSequence => unchecked(Sequence + (uint)PayloadLength + (Has(TcpControl.Syn) ? 1u : 0) + (Has(TcpControl.Fin) ? 1u : 0));

    /// <summary>Whether all the given flags are set.</summary>
    /// <param name="flags">The flags.</param>
    public bool Has(TcpControl flags) => (Flags & flags) == flags;

    /// <summary>Reads an Ethernet II frame. Any bytes are allowed; every length is checked against the frame.</summary>
    /// <param name="frame">The frame from the destination address on, without preamble.</param>
    /// <param name="tcp">The segment.</param>
    /// <returns>False where this is not one whole, unfragmented TCP segment over IPv4 or IPv6.</returns>
    public static bool TryParse(ReadOnlySpan<byte> frame, out TcpFrame tcp)
    {
        tcp = default;
        if (frame.Length < EthernetHeader)
        {
            return false;
        }

        ReadOnlySpan<byte> packet = frame[EthernetHeader..];
        return BinaryPrimitives.ReadUInt16BigEndian(frame[12..]) switch
        {
            0x0800 => TryParseIPv4(packet, out tcp),
            0x86dd => TryParseIPv6(packet, out tcp),
            _ => false,
        };
    }

    private static bool TryParseIPv4(ReadOnlySpan<byte> packet, out TcpFrame tcp)
    {
        tcp = default;
        if (packet.Length < 20 || packet[0] >> 4 != 4 || packet[9] != TcpProtocol)
        {
            return false;
        }

        int header = (packet[0] & 15) * 4;
        int total = BinaryPrimitives.ReadUInt16BigEndian(packet[2..]);
        bool fragment = (BinaryPrimitives.ReadUInt16BigEndian(packet[6..]) & 0x3fff) != 0;
        if (header < 20 || total < header || total > packet.Length || fragment)
        {
            return false;
        }

        return TryParseTcp(
            packet[header..total],
            BinaryPrimitives.ReadUInt32BigEndian(packet[12..]),
            BinaryPrimitives.ReadUInt32BigEndian(packet[16..]),
            out tcp);
    }

    private static bool TryParseIPv6(ReadOnlySpan<byte> packet, out TcpFrame tcp)
    {
        tcp = default;
        if (packet.Length < 40 || packet[0] >> 4 != 6)
        {
            return false;
        }

        int total = 40 + BinaryPrimitives.ReadUInt16BigEndian(packet[4..]);
        if (total > packet.Length)
        {
            return false;
        }

        int next = packet[6];
        int at = 40;
        while (next is 0 or 43 or 60) // hop-by-hop, routing, destination options (RFC 8200 section 4)
        {
            if (at + 8 > total)
            {
                return false;
            }

            next = packet[at];
            at += (packet[at + 1] + 1) * 8;
        }

        if (next != TcpProtocol || at > total)
        {
            return false;
        }

        return TryParseTcp(
            packet[at..total],
            BinaryPrimitives.ReadUInt128BigEndian(packet[8..]),
            BinaryPrimitives.ReadUInt128BigEndian(packet[24..]),
            out tcp);
    }

    private static bool TryParseTcp(ReadOnlySpan<byte> segment, UInt128 source, UInt128 destination, out TcpFrame tcp)
    {
        tcp = default;
        if (segment.Length < 20)
        {
            return false;
        }

        int header = (segment[12] >> 4) * 4;
        if (header < 20 || header > segment.Length)
        {
            return false;
        }

        tcp = new TcpFrame
        {
            Source = source,
            Destination = destination,
            SourcePort = BinaryPrimitives.ReadUInt16BigEndian(segment),
            DestinationPort = BinaryPrimitives.ReadUInt16BigEndian(segment[2..]),
            Sequence = BinaryPrimitives.ReadUInt32BigEndian(segment[4..]),
            Acknowledgement = BinaryPrimitives.ReadUInt32BigEndian(segment[8..]),
            Flags = (TcpControl)(segment[13] & 31),
            PayloadLength = segment.Length - header,
        };
        return true;
    }
}
