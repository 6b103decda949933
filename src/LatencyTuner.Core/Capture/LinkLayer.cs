using System.Buffers.Binary;

namespace LatencyTuner.Core.Capture;

/// <summary>Finds where IP begins in a frame.</summary>
internal static class LinkLayer
{
    private const ushort EtherTypeV4 = 0x0800;
    private const ushort EtherTypeV6 = 0x86DD;
    private const int EthernetHeader = 14;
    private const int CookedHeader = 16;
    private const int Cooked2Header = 20;
    private const int FamilyHeader = 4;
    private const ushort Netlink = 824;

    /// <summary>Finds the IP header.</summary>
    /// <param name="linkType">See <see cref="LinkTypes"/>.</param>
    /// <param name="data">The captured bytes.</param>
    /// <param name="wire">Length of the frame on the wire; where the link layer has a length of its own that is shorter, that one.</param>
    /// <param name="offset">Where IP begins, at most the length of <paramref name="data"/>.</param>
    /// <returns><see cref="DecodeOutcome.Tcp"/> to go on at <paramref name="offset"/>; else why not.</returns>
    public static DecodeOutcome Find(int linkType, ReadOnlySpan<byte> data, ref int wire, out int offset)
    {
        if (linkType == LinkTypes.Ethernet)
        {
            return Ethernet(data, ref wire, out offset);
        }

        offset = 0;
        switch (linkType)
        {
            case LinkTypes.RawBsd or LinkTypes.RawOpenBsd or LinkTypes.Raw or LinkTypes.Ipv4 or LinkTypes.Ipv6:
                return DecodeOutcome.Tcp;
            case LinkTypes.Null or LinkTypes.Loop:
                offset = FamilyHeader;
                return data.Length < FamilyHeader ? DecodeOutcome.Truncated : IsIpFamily(data) ? DecodeOutcome.Tcp : DecodeOutcome.NotIp;
            case LinkTypes.LinuxCooked:
                offset = CookedHeader;
                return Cooked(data, ref wire, ref offset, typeAt: 14, deviceAt: 2);
            case LinkTypes.LinuxCooked2:
                offset = Cooked2Header;
                return Cooked(data, ref wire, ref offset, typeAt: 0, deviceAt: 8);
            case LinkTypes.Ppp or LinkTypes.PppHdlc:
                return Ppp(data, ref offset);
            default:
                return DecodeOutcome.UnknownLink;
        }
    }

    /// <summary>Finds the IP header of an Ethernet frame.</summary>
    public static DecodeOutcome Ethernet(ReadOnlySpan<byte> data, ref int wire, out int offset)
    {
        offset = EthernetHeader;
        if (data.Length < EthernetHeader)
        {
            return DecodeOutcome.Truncated;
        }

        ushort type = BinaryPrimitives.ReadUInt16BigEndian(data[12..]);
        return type == EtherTypeV4 ? DecodeOutcome.Tcp : Payload(type, data, ref wire, ref offset);
    }

    /// <summary>Finds the IP header behind a field that has the meaning of Ethernet's type.</summary>
    /// <param name="type">The field.</param>
    /// <param name="data">The captured bytes.</param>
    /// <param name="wire">As in <see cref="Find"/>.</param>
    /// <param name="offset">Begin of the payload; where IP begins afterwards.</param>
    public static DecodeOutcome Payload(ushort type, ReadOnlySpan<byte> data, ref int wire, ref int offset)
    {
        const int Tag = 4;
        const int Pppoe = 6;
        const ushort LargestLength = 1500;
        while (true)
        {
            switch (type)
            {
                case EtherTypeV4 or EtherTypeV6:
                    return DecodeOutcome.Tcp;
                // IEEE 802.1Q and 802.1ad, and what was used before the latter.
                case 0x8100 or 0x88A8 or 0x9100 or 0x9200:
                    if (data.Length < offset + Tag)
                    {
                        return DecodeOutcome.Truncated;
                    }

                    type = BinaryPrimitives.ReadUInt16BigEndian(data[(offset + 2)..]);
                    offset += Tag;
                    break;
                case 0x8847 or 0x8848:
                    return Mpls(data, ref offset);
                case 0x8864:
                    if (data.Length < offset + Pppoe)
                    {
                        return DecodeOutcome.Truncated;
                    }

                    // Short datagrams are padded on Ethernet, and some access concentrators count the padding in the IP length.
                    int length = BinaryPrimitives.ReadUInt16BigEndian(data[(offset + 4)..]);
                    offset += Pppoe;
                    wire = length == 0 ? wire : Math.Min(wire, offset + length);
                    return Ppp(data, ref offset);
                case 0x880B:
                    return Ppp(data, ref offset);
                case <= LargestLength:
                    return Snap(data, ref offset, ref type) ? DecodeOutcome.Tcp : DecodeOutcome.NotIp;
                default:
                    return DecodeOutcome.NotIp;
            }
        }
    }

    /// <summary>IEEE 802.2 with a SNAP header, whose last two bytes are an Ethernet type.</summary>
    private static bool Snap(ReadOnlySpan<byte> data, ref int offset, ref ushort type)
    {
        const int Header = 8;
        if (data.Length < offset + Header || !data[offset..].StartsWith((ReadOnlySpan<byte>)[0xAA, 0xAA, 0x03, 0, 0, 0]))
        {
            return false;
        }

        type = BinaryPrimitives.ReadUInt16BigEndian(data[(offset + 6)..]);
        offset += Header;
        return type is EtherTypeV4 or EtherTypeV6;
    }

    /// <summary>Labels up to the bottom of the stack (RFC 3032); what follows is told by its first four bits.</summary>
    private static DecodeOutcome Mpls(ReadOnlySpan<byte> data, ref int offset)
    {
        const int Label = 4;
        bool bottom = false;
        while (!bottom)
        {
            if (data.Length <= offset + Label)
            {
                return DecodeOutcome.Truncated;
            }

            bottom = (data[offset + 2] & 1) != 0;
            offset += Label;
        }

        return data[offset] >> 4 is 4 or 6 ? DecodeOutcome.Tcp : DecodeOutcome.NotIp;
    }

    /// <summary>PPP (RFC 1661), with or without the address and control fields of RFC 1662.</summary>
    private static DecodeOutcome Ppp(ReadOnlySpan<byte> data, ref int offset)
    {
        const ushort AddressAndControl = 0xFF03;
        if (data.Length >= offset + 2 && BinaryPrimitives.ReadUInt16BigEndian(data[offset..]) == AddressAndControl)
        {
            offset += 2;
        }

        if (data.Length < offset + 2)
        {
            return DecodeOutcome.Truncated;
        }

        // An odd first byte is the whole number where the field is compressed.
        bool compressed = (data[offset] & 1) != 0;
        int protocol = compressed ? data[offset] : BinaryPrimitives.ReadUInt16BigEndian(data[offset..]);
        offset += compressed ? 1 : 2;
        return protocol is 0x21 or 0x57 ? DecodeOutcome.Tcp : DecodeOutcome.NotIp;
    }

    private static DecodeOutcome Cooked(ReadOnlySpan<byte> data, ref int wire, ref int offset, int typeAt, int deviceAt)
    {
        if (data.Length < offset)
        {
            return DecodeOutcome.Truncated;
        }

        // Values up to 1500 are kinds of frames of Linux and no lengths; of netlink devices they are families.
        ushort type = BinaryPrimitives.ReadUInt16BigEndian(data[typeAt..]);
        return type <= 1500 || BinaryPrimitives.ReadUInt16BigEndian(data[deviceAt..]) == Netlink ? DecodeOutcome.NotIp
            : Payload(type, data, ref wire, ref offset);
    }

    /// <summary>AF_INET, or AF_INET6 as any system numbers it, in the byte order of the capturing host, which is not known.</summary>
    private static bool IsIpFamily(ReadOnlySpan<byte> data)
    {
        uint family = BinaryPrimitives.ReadUInt32LittleEndian(data);
        return (family > ushort.MaxValue ? BinaryPrimitives.ReverseEndianness(family) : family) is 2 or 10 or 23 or 24 or 28 or 30;
    }
}
