using System.Buffers.Binary;
using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Masking;

/// <summary>IP and what follows it. Each method masks in place and returns how many bytes are kept.</summary>
internal sealed partial class PacketRewriter
{
    private const int Ipv4Fixed = 20;
    private const int Ipv6Fixed = 40;
    private const int FragmentHeader = 8;
    private const byte NoOperation = 1;

    private int Ip(Span<byte> ip, int wire, int depth) => ip.Length == 0 ? 0 : (ip[0] >> 4) switch
    {
        4 => V4(ip, wire, depth),
        6 => V6(ip, wire, depth),
        // The version says that it is no IP; the rest is not known.
        _ => 1,
    };

    private int V4(Span<byte> ip, int wire, int depth)
    {
        if (ip.Length < Ipv4Fixed)
        {
            return Math.Min(ip.Length, 12);
        }

        int header = (ip[0] & 0xF) * 4;
        int total = BinaryPrimitives.ReadUInt16BigEndian(ip[2..]);
        int length = (total == 0 ? wire : Math.Min(total, wire)) - header;
        ulong before = InternetChecksum.Sum(ip[12..Ipv4Fixed]);
        if (mask is not null)
        {
            mask.V4(ip[12..]);
            mask.V4(ip[16..]);
        }

        ulong after = InternetChecksum.Sum(ip[12..Ipv4Fixed]);
        if (header < Ipv4Fixed || length < 0 || ip.Length < header)
        {
            InternetChecksum.Adjust(ip[10..12], before, after);
            return Ipv4Fixed;
        }

        Span<byte> options = ip[Ipv4Fixed..header];
        ulong optionsBefore = InternetChecksum.Sum(options);
        if (mask is not null)
        {
            // Routes and timestamps of routers have addresses; nothing here reads options.
            options.Fill(NoOperation);
        }

        InternetChecksum.Adjust(ip[10..12], before + optionsBefore, after + InternetChecksum.Sum(options));
        int fragment = BinaryPrimitives.ReadUInt16BigEndian(ip[6..]) & 0x3FFF;
        return header + ((fragment & 0x1FFF) != 0 ? 0 : Transport(ip[9], ip[header..], length, before, after, fragment == 0 ? depth : Tunnel.Deepest));
    }

    private int V6(Span<byte> ip, int wire, int depth)
    {
        if (ip.Length < Ipv6Fixed)
        {
            return Math.Min(ip.Length, 8);
        }

        ulong before = InternetChecksum.Sum(ip[8..Ipv6Fixed]);
        if (mask is not null)
        {
            mask.V6(ip[8..]);
            mask.V6(ip[24..]);
        }

        ulong after = InternetChecksum.Sum(ip[8..Ipv6Fixed]);
        int payload = BinaryPrimitives.ReadUInt16BigEndian(ip[4..]);
        int room = wire - Ipv6Fixed;
        if (room < 0)
        {
            return Ipv6Fixed;
        }

        int length = payload == 0 ? room : Math.Min(payload, room);
        return Ipv6Fixed + Extended(ip[6], ip[Ipv6Fixed..], length, before, after, depth);
    }

    /// <summary>What follows the fixed header of IPv6, or the fragment header.</summary>
    private int Extended(byte next, Span<byte> bytes, int length, ulong before, ulong after, int depth, bool inFragment = false)
    {
        Ipv6Headers headers = new(next, bytes);
        bool isWhole = headers.TryWalk();
        int skipped = Math.Min(headers.Offset, bytes.Length);
        ClearExtensions(next, bytes[..skipped]);
        if (!isWhole)
        {
            return skipped;
        }

        if (headers.Jumbo > 0)
        {
            length = (int)Math.Min(headers.Jumbo, (uint)length);
        }

        Span<byte> rest = bytes[skipped..];
        length -= skipped;
        if (headers.Next != IpProtocol.Fragment)
        {
            return skipped + (length < 0 ? 0 : Transport(headers.Next, rest, length, before, after, depth));
        }

        if (inFragment || rest.Length < FragmentHeader || length < FragmentHeader)
        {
            return skipped + Math.Min(rest.Length, FragmentHeader);
        }

        int place = BinaryPrimitives.ReadUInt16BigEndian(rest[2..]);
        return skipped + FragmentHeader + ((place & ~7) != 0 ? 0
            : Extended(rest[0], rest[FragmentHeader..], length - FragmentHeader, before, after, Tunnel.Deepest, inFragment: true));
    }

    /// <summary>Routes, home addresses and identities are addresses: of extension headers the first eight bytes stay, and a jumbo length.</summary>
    private void ClearExtensions(byte next, Span<byte> headers)
    {
        const int Unit = 8;
        const byte JumboPayload = 0xC2;
        while (mask is not null && headers.Length >= Unit)
        {
            int length = Math.Min(next == IpProtocol.Authentication ? (headers[1] + 2) * 4 : (headers[1] + 1) * Unit, headers.Length);
            if (next == IpProtocol.HopByHop && headers[2] == JumboPayload && headers[3] == 4)
            {
                headers[Unit..length].Clear();
            }
            else if (next is IpProtocol.HopByHop or IpProtocol.DestinationOptions)
            {
                // One-byte paddings, which are options as well.
                headers[2..length].Clear();
            }
            else if (length > Unit)
            {
                headers[Unit..length].Clear();
            }

            next = headers[0];
            headers = headers[length..];
        }
    }

    private int Transport(byte protocol, Span<byte> payload, int length, ulong before, ulong after, int depth)
    {
        switch (protocol)
        {
            case IpProtocol.Tcp:
                return Tcp(payload, length, before, after);
            case IpProtocol.Icmp or IpProtocol.Icmpv6:
                return Control(protocol, payload, before, after);
            case IpProtocol.Udp or IpProtocol.IpInIp or IpProtocol.Ipv6InIp or IpProtocol.Gre:
                return Tunnelled(protocol, payload, length, before, after, depth);
            default:
                return 0;
        }
    }

    private int Tcp(Span<byte> tcp, int length, ulong before, ulong after)
    {
        const int Fixed = 20;
        const int Checksum = 16;
        if (tcp.Length < Fixed || length < Fixed)
        {
            AdjustAt(Checksum, tcp, before, after);
            return Math.Min(tcp.Length, Fixed);
        }

        int said = (tcp[12] >> 4) * 4;
        int header = Math.Min(Math.Max(said, Fixed), tcp.Length);
        Span<byte> options = tcp[Fixed..header];
        before += InternetChecksum.Sum(options);
        if (mask is not null)
        {
            ClearOptions(options);
        }

        AdjustAt(Checksum, tcp, before, after + InternetChecksum.Sum(options));
        return said >= Fixed && said <= length && TcpHeader.IsPadding(tcp, said, length) ? length : header;
    }

    /// <summary>Of the options those stay that an analysis reads; others have addresses (MPTCP, proxies), keys or cookies.</summary>
    private static void ClearOptions(Span<byte> options)
    {
        while (options.Length > 0)
        {
            int length = options[0] <= 1 ? 1 : options.Length < 2 ? 0 : options[1];
            if (options[0] == 0 || (length < 2 && options[0] != NoOperation) || length > options.Length)
            {
                // What follows is read by nobody; the first byte is what ends the reading.
                options[1..].Clear();
                return;
            }

            if (options[0] is not (NoOperation or 2 or 3 or 4 or 5 or 8))
            {
                options[..length].Fill(NoOperation);
            }

            options = options[length..];
        }
    }

    /// <summary>Of a report that a packet was too big, the quoted packet stays as far as any other; of the rest eight bytes do.</summary>
    private int Control(byte protocol, Span<byte> icmp, ulong before, ulong after)
    {
        const byte Redirect = 5;
        const int Checksum = 2;
        int kept = Math.Min(icmp.Length, PathReport.QuoteOffset);
        ulong covered = InternetChecksum.Sum(icmp);
        if (mask is not null && kept == PathReport.QuoteOffset && protocol == IpProtocol.Icmp && icmp[0] == Redirect)
        {
            mask.V4(icmp[4..]);
        }
        else if (PathReport.Is(protocol, icmp))
        {
            kept += Ip(icmp[kept..], int.MaxValue, Tunnel.Deepest);
        }

        // Only that of ICMPv6 covers the addresses of its own packet (RFC 4443 2.3).
        bool v6 = protocol == IpProtocol.Icmpv6;
        AdjustAt(Checksum, icmp, (v6 ? before : 0) + covered, (v6 ? after : 0) + InternetChecksum.Sum(icmp));
        return kept;
    }

    private int Tunnelled(byte protocol, Span<byte> payload, int length, ulong before, ulong after, int depth)
    {
        const int UdpHeader = 8;
        int inner = length;
        ulong covered = InternetChecksum.Sum(payload);
        int kept = protocol == IpProtocol.Udp ? Math.Min(UdpHeader, payload.Length) : protocol == IpProtocol.Gre ? Math.Min(4, payload.Length) : 0;
        if (depth < Tunnel.Deepest && Tunnel.Find(protocol, payload, ref inner, out int offset) == DecodeOutcome.Tcp && inner >= offset)
        {
            MaskInnerLink(protocol, payload[..offset]);
            kept = offset + Ip(payload[offset..], inner - offset, depth + 1);
        }

        ulong now = InternetChecksum.Sum(payload);
        if (protocol == IpProtocol.Udp)
        {
            bool has = payload.Length >= UdpHeader && (payload[6] | payload[7]) != 0;
            if (has)
            {
                AdjustAt(6, payload, before + covered, after + now);
                // 0 stands for no checksum (RFC 768).
                if ((payload[6] | payload[7]) == 0)
                {
                    payload[6] = payload[7] = 0xFF;
                }
            }
        }
        else if (protocol == IpProtocol.Gre && payload.Length >= 6 && (payload[0] & 0x80) != 0)
        {
            AdjustAt(4, payload, covered, now);
        }

        return kept;
    }

    /// <summary>The Ethernet header in VXLAN, and in GRE that carries Ethernet.</summary>
    private void MaskInnerLink(byte protocol, Span<byte> header)
    {
        const ushort TransparentEthernet = 0x6558;
        const int Vxlan = 16;
        if (protocol == IpProtocol.Udp && header.Length > Vxlan)
        {
            Devices(header[Vxlan..]);
        }
        else if (protocol == IpProtocol.Gre && header.Length >= 4 && BinaryPrimitives.ReadUInt16BigEndian(header[2..]) == TransparentEthernet)
        {
            // Checksum, key and sequence number are four bytes each where their flags are set (RFC 2784, RFC 2890).
            int at = 4 + (4 * (((header[0] >> 7) & 1) + ((header[0] >> 5) & 1) + ((header[0] >> 4) & 1)));
            Devices(header[Math.Min(at, header.Length)..]);
        }
    }

    private static void AdjustAt(int offset, Span<byte> bytes, ulong before, ulong after)
    {
        if (bytes.Length >= offset + 2)
        {
            InternetChecksum.Adjust(bytes.Slice(offset, 2), before, after);
        }
    }
}
