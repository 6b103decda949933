using System.Buffers.Binary;

namespace LatencyTuner.Core.Capture;

/// <summary>
/// A router's report that a packet was too big for the next part of its path: ICMP 'fragmentation needed' (RFC 792, RFC 1191 4), ICMPv6 'packet too big'
/// (RFC 4443 3.2). It quotes the beginning of that packet.
/// </summary>
internal static class PathReport
{
    /// <summary>The bytes of a report before the packet that it quotes.</summary>
    public const int QuoteOffset = 8;

    private const byte Unreachable = 3;
    private const byte FragmentationNeeded = 4;
    private const byte PacketTooBig = 2;

    // Every path takes packets of this size (RFC 791 3.2, RFC 8200 5). Routers older than RFC 1191 report 0.
    private const int LeastMtu = 68;
    private const int LeastMtuV6 = 1280;
    private const int Ipv4Fixed = 20;
    private const int Ipv6Fixed = 40;

    // Both ports and the sequence number: of IPv4 no more is promised (RFC 792).
    private const int QuotedTcp = 8;

    /// <summary>True for such a report, whatever it quotes.</summary>
    /// <param name="protocol">The protocol of the IP header before it.</param>
    /// <param name="icmp">The captured bytes behind that header.</param>
    public static bool Is(byte protocol, ReadOnlySpan<byte> icmp) => icmp.Length >= QuoteOffset && protocol switch
    {
        IpProtocol.Icmp => icmp[0] == Unreachable && icmp[1] == FragmentationNeeded,
        IpProtocol.Icmpv6 => icmp[0] == PacketTooBig,
        _ => false,
    };

    /// <summary>Decodes a report of a TCP segment, which went to the segment's sender.</summary>
    /// <param name="protocol">The protocol of the IP header before it.</param>
    /// <param name="icmp">The captured bytes behind that header.</param>
    /// <param name="segment">Has the addresses of the report; receives the segment's addresses, ports and number, and the size that the path takes.</param>
    /// <returns>False where it is no such report; then the segment is as it was.</returns>
    public static bool TryDecode(byte protocol, ReadOnlySpan<byte> icmp, ref TcpSegment segment)
    {
        if (!Is(protocol, icmp))
        {
            return false;
        }

        bool v6 = protocol == IpProtocol.Icmpv6;
        uint mtu = v6 ? BinaryPrimitives.ReadUInt32BigEndian(icmp[4..]) : BinaryPrimitives.ReadUInt16BigEndian(icmp[6..]);
        ReadOnlySpan<byte> quote = icmp[QuoteOffset..];
        int header = quote.Length == 0 || quote[0] >> 4 != (v6 ? 6 : 4) ? int.MaxValue : v6 ? Ipv6Fixed : (quote[0] & 0xF) * 4;
        if (mtu < (v6 ? LeastMtuV6 : LeastMtu) || mtu > ushort.MaxValue || header < Ipv4Fixed || header > quote.Length - QuotedTcp
            || quote[v6 ? 6 : 9] != IpProtocol.Tcp)
        {
            return false;
        }

        IpAddressValue source = v6 ? IpAddressValue.V6(quote[8..]) : IpAddressValue.V4(quote[12..]);
        bool fragment = !v6 && (BinaryPrimitives.ReadUInt16BigEndian(quote[6..]) & 0x1FFF) != 0;
        if (fragment || source != segment.Destination)
        {
            return false;
        }

        ReadOnlySpan<byte> tcp = quote[header..];
        segment.Destination = v6 ? IpAddressValue.V6(quote[24..]) : IpAddressValue.V4(quote[16..]);
        segment.Source = source;
        segment.SourcePort = BinaryPrimitives.ReadUInt16BigEndian(tcp);
        segment.DestinationPort = BinaryPrimitives.ReadUInt16BigEndian(tcp[2..]);
        segment.Sequence = BinaryPrimitives.ReadUInt32BigEndian(tcp[4..]);
        segment.ReportedMtu = (ushort)mtu;
        return true;
    }
}
