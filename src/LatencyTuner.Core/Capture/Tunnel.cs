using System.Buffers.Binary;

namespace LatencyTuner.Core.Capture;

/// <summary>Finds the IP datagram inside another one: IP in IP (RFC 2003, RFC 4213), GRE (RFC 2784, RFC 2890, RFC 2637), VXLAN (RFC 7348).</summary>
internal static class Tunnel
{
    /// <summary>Largest number of nested datagrams that are decoded.</summary>
    public const int Deepest = 4;

    /// <summary>Finds the inner datagram.</summary>
    /// <param name="protocol">Protocol number in the outer datagram.</param>
    /// <param name="payload">The captured bytes of the outer payload.</param>
    /// <param name="length">Length of that payload on the wire in bytes; lowered where the tunnel header gives a shorter length.</param>
    /// <param name="offset">Offset of the inner datagram, at most the length of <paramref name="payload"/>.</param>
    /// <returns><see cref="DecodeOutcome.Tcp"/> when decoding continues there; otherwise what the payload is.</returns>
    public static DecodeOutcome Find(byte protocol, ReadOnlySpan<byte> payload, ref int length, out int offset)
    {
        offset = 0;
        return protocol switch
        {
            IpProtocol.IpInIp or IpProtocol.Ipv6InIp => DecodeOutcome.Tcp,
            IpProtocol.Gre => Gre(payload, ref length, out offset),
            IpProtocol.Udp => Vxlan(payload, ref length, out offset),
            _ => DecodeOutcome.NotTcp,
        };
    }

    private static DecodeOutcome Gre(ReadOnlySpan<byte> payload, ref int length, out int offset)
    {
        const int Fixed = 4;
        const int Word = 4;
        const ushort Checksum = 0x8000;
        const ushort Routing = 0x4000;
        const ushort Key = 0x2000;
        const ushort SequenceNumber = 0x1000;
        const ushort Acknowledgement = 0x0080;
        const ushort TransparentEthernet = 0x6558;
        offset = 0;
        if (payload.Length < Fixed)
        {
            return DecodeOutcome.NotTcp;
        }

        ushort flags = BinaryPrimitives.ReadUInt16BigEndian(payload);
        ushort type = BinaryPrimitives.ReadUInt16BigEndian(payload[2..]);
        int version = flags & 7;
        if ((flags & Routing) != 0 || version > 1)
        {
            return DecodeOutcome.NotTcp;
        }

        offset = Fixed
            + ((flags & Checksum) != 0 ? Word : 0)
            + ((flags & Key) != 0 ? Word : 0)
            + ((flags & SequenceNumber) != 0 ? Word : 0)
            + (version == 1 && (flags & Acknowledgement) != 0 ? Word : 0);
        if (offset > payload.Length)
        {
            return DecodeOutcome.NotTcp;
        }

        if (type == TransparentEthernet)
        {
            return InEthernet(payload, ref length, ref offset);
        }

        return LinkLayer.Payload(type, payload, ref length, ref offset) == DecodeOutcome.Tcp && offset <= payload.Length ? DecodeOutcome.Tcp
            : DecodeOutcome.NotTcp;
    }

    private static DecodeOutcome Vxlan(ReadOnlySpan<byte> payload, ref int length, out int offset)
    {
        const int UdpHeader = 8;
        const ushort Port = 4789;
        const byte ValidNetwork = 0x08;
        offset = UdpHeader + 8;
        return payload.Length > offset && BinaryPrimitives.ReadUInt16BigEndian(payload[2..]) == Port && (payload[UdpHeader] & ValidNetwork) != 0
            ? InEthernet(payload, ref length, ref offset)
            : DecodeOutcome.NotTcp;
    }

    private static DecodeOutcome InEthernet(ReadOnlySpan<byte> payload, ref int length, ref int offset)
    {
        int inner = length - offset;
        DecodeOutcome outcome = LinkLayer.Ethernet(payload[offset..], ref inner, out int header);
        length = offset + inner;
        offset += header;
        return outcome == DecodeOutcome.Tcp ? DecodeOutcome.Tcp : DecodeOutcome.NotTcp;
    }
}
