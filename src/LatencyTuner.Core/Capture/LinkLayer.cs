using System.Buffers.Binary;

namespace LatencyTuner.Core.Capture;

/// <summary>Finds the start of the IP header in a frame.</summary>
internal static class LinkLayer
{
    private const ushort EtherTypeV4 = 0x0800;
    private const ushort EtherTypeV6 = 0x86DD;
    private const int EthernetHeader = 14;
    private const int CookedHeader = 16;
    private const int Cooked2Header = 20;
    private const int FamilyHeader = 4;
    private const int FddiHeader = 13;
    private const ushort Netlink = 824;

    /// <summary>Finds the IP header.</summary>
    /// <param name="linkType">See <see cref="LinkTypes"/>.</param>
    /// <param name="data">The captured bytes.</param>
    /// <param name="wire">Length of the frame on the wire in bytes; lowered to the length field of the link layer where that is shorter.</param>
    /// <param name="offset">Offset of the IP header, at most the length of <paramref name="data"/>.</param>
    /// <returns><see cref="DecodeOutcome.Tcp"/> when decoding continues at <paramref name="offset"/>; otherwise the reason why it does not.</returns>
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
            case LinkTypes.Fddi:
                offset = FddiHeader;
                // The frame control of asynchronous LLC frames, of any priority; all have a SNAP header.
                return data.Length < FddiHeader ? DecodeOutcome.Truncated
                    : (data[0] & 0xF8) == 0x50 ? Payload(0, data, ref wire, ref offset) : DecodeOutcome.NotIp;
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

    /// <summary>Finds the IP header after an EtherType field.</summary>
    /// <param name="type">The value of the EtherType field.</param>
    /// <param name="data">The captured bytes.</param>
    /// <param name="wire">As in <see cref="Find"/>.</param>
    /// <param name="offset">On entry the start of the payload, on return the offset of the IP header.</param>
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
                // IEEE 802.1Q, 802.1ad, and the values used before 802.1ad.
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

    /// <summary>Skips the labels to the bottom of the stack (RFC 3032); the first four bits after them show the payload protocol.</summary>
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

        // An odd first byte is a compressed protocol field of one byte.
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

        // Values up to 1500 are Linux frame types, not lengths; for netlink devices they are netlink families.
        ushort type = BinaryPrimitives.ReadUInt16BigEndian(data[typeAt..]);
        return type <= 1500 || BinaryPrimitives.ReadUInt16BigEndian(data[deviceAt..]) == Netlink ? DecodeOutcome.NotIp
            : Payload(type, data, ref wire, ref offset);
    }

    /// <summary>True for AF_INET, or for the AF_INET6 value of any system. The byte order is that of the capturing host, which is not known.</summary>
    private static bool IsIpFamily(ReadOnlySpan<byte> data)
    {
        uint family = BinaryPrimitives.ReadUInt32LittleEndian(data);
        return (family > ushort.MaxValue ? BinaryPrimitives.ReverseEndianness(family) : family) is 2 or 10 or 23 or 24 or 28 or 30;
    }
}
