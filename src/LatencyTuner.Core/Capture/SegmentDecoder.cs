using System.Buffers.Binary;

namespace LatencyTuner.Core.Capture;

/// <summary>
/// Finds the TCP segment in a frame: link layer, IP, tunnels, TCP. No length in a frame is trusted beyond the captured bytes. A segment in fragments
/// is returned with the frame that completes it.
/// </summary>
internal sealed class SegmentDecoder
{
    private const int Ipv4Fixed = 20;
    private const int Ipv6Fixed = 40;
    private const int FragmentHeader = 8;
    private const int MoreFragments = 0x2000;
    private const int FragmentOffset = 0x1FFF;

    private readonly long[] _counts = new long[(int)DecodeOutcome.PathReport + 1];
    private readonly SortedDictionary<int, long> _unknownLinks = [];
    private readonly FragmentTable _fragments = new();

    /// <summary>Number of frames with this outcome so far.</summary>
    public long CountOf(DecodeOutcome outcome) => _counts[(int)outcome];

    /// <summary>Number of frames whose link type is not decoded, by link type.</summary>
    public IReadOnlyDictionary<int, long> UnknownLinks => _unknownLinks;

    /// <summary>Number of datagrams with missing fragments.</summary>
    public long IncompleteDatagrams => _fragments.GivenUp + _fragments.Open;

    /// <summary>Decodes one frame.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="segment">The segment; valid only when the outcome is <see cref="DecodeOutcome.Tcp"/> or <see cref="DecodeOutcome.PathReport"/>.</param>
    public DecodeOutcome Decode(in CapturedFrame frame, out TcpSegment segment)
    {
        segment = default;
        DecodeOutcome outcome = DecodeFrame(in frame, ref segment);
        _counts[(int)outcome]++;
        if (outcome == DecodeOutcome.UnknownLink)
        {
            _unknownLinks[frame.LinkType] = _unknownLinks.GetValueOrDefault(frame.LinkType) + 1;
        }

        return outcome;
    }

    private DecodeOutcome DecodeFrame(in CapturedFrame frame, ref TcpSegment segment)
    {
        int wire = Math.Max(frame.OriginalLength, frame.Data.Length);
        DecodeOutcome link = LinkLayer.Find(frame.LinkType, frame.Data, ref wire, out int offset);
        if (link != DecodeOutcome.Tcp)
        {
            return link;
        }

        segment.TimeNs = frame.TimeNs;
        segment.FrameNumber = frame.Number;
        segment.InterfaceId = frame.InterfaceId;
        return DecodeIp(frame.Data[offset..], wire - offset, 0, ref segment);
    }

    /// <summary>Decodes a datagram.</summary>
    /// <param name="ip">The captured bytes of the datagram.</param>
    /// <param name="wire">Largest possible length of the datagram in bytes.</param>
    /// <param name="depth">Number of outer datagrams (tunnels) around this one.</param>
    /// <param name="segment">Receives the fields.</param>
    private DecodeOutcome DecodeIp(ReadOnlySpan<byte> ip, int wire, int depth, ref TcpSegment segment) =>
        ip.Length == 0 ? DecodeOutcome.Truncated : (ip[0] >> 4) switch
        {
            4 => DecodeV4(ip, wire, depth, ref segment),
            6 => DecodeV6(ip, wire, depth, ref segment),
            _ => DecodeOutcome.NotIp,
        };

    private DecodeOutcome DecodeV4(ReadOnlySpan<byte> ip, int wire, int depth, ref TcpSegment segment)
    {
        if (ip.Length < Ipv4Fixed)
        {
            return DecodeOutcome.Truncated;
        }

        int header = (ip[0] & 0xF) * 4;
        int total = BinaryPrimitives.ReadUInt16BigEndian(ip[2..]);
        // 0: a segment too large for the field; the adapter splits it after it was captured (segmentation offload).
        int length = (total == 0 ? wire : Math.Min(total, wire)) - header;
        if (header < Ipv4Fixed || length < 0)
        {
            return DecodeOutcome.Malformed;
        }

        if (ip.Length < header)
        {
            return DecodeOutcome.Truncated;
        }

        segment.Source = IpAddressValue.V4(ip[12..]);
        segment.Destination = IpAddressValue.V4(ip[16..]);
        segment.IpId = BinaryPrimitives.ReadUInt16BigEndian(ip[4..]);
        segment.TypeOfService = ip[1];
        segment.Ttl = ip[8];
        ReadOnlySpan<byte> payload = ip[header..];
        int fragment = BinaryPrimitives.ReadUInt16BigEndian(ip[6..]) & (MoreFragments | FragmentOffset);
        return fragment == 0
            ? ip[9] == IpProtocol.Tcp ? TcpHeader.Decode(payload, length, ref segment) : DecodeOther(ip[9], payload, length, depth, ref segment)
            : DecodeFragment(ip[9], segment.IpId, (fragment & FragmentOffset) * 8, (fragment & MoreFragments) != 0, payload, length, ref segment);
    }

    private DecodeOutcome DecodeV6(ReadOnlySpan<byte> ip, int wire, int depth, ref TcpSegment segment)
    {
        if (ip.Length < Ipv6Fixed)
        {
            return DecodeOutcome.Truncated;
        }

        int payload = BinaryPrimitives.ReadUInt16BigEndian(ip[4..]);
        int room = wire - Ipv6Fixed;
        if (room < 0)
        {
            return DecodeOutcome.Malformed;
        }

        segment.Source = IpAddressValue.V6(ip[8..]);
        segment.Destination = IpAddressValue.V6(ip[24..]);
        segment.TypeOfService = (byte)(((ip[0] & 0xF) << 4) | (ip[1] >> 4));
        segment.Ttl = ip[7];
        segment.IpId = 0;
        int length = payload == 0 ? room : Math.Min(payload, room);
        return ip[6] == IpProtocol.Tcp ? TcpHeader.Decode(ip[Ipv6Fixed..], length, ref segment)
            : DecodeExtended(ip[6], ip[Ipv6Fixed..], length, depth, ref segment);
    }

    /// <summary>Decodes the bytes after the fixed IPv6 header when TCP does not follow directly.</summary>
    private DecodeOutcome DecodeExtended(byte next, ReadOnlySpan<byte> bytes, int length, int depth, ref TcpSegment segment)
    {
        Ipv6Headers headers = new(next, bytes);
        if (!headers.TryWalk())
        {
            return DecodeOutcome.Truncated;
        }

        if (headers.Jumbo > 0)
        {
            length = (int)Math.Min(headers.Jumbo, (uint)length);
        }

        bytes = bytes[headers.Offset..];
        length -= headers.Offset;
        if (length < 0)
        {
            return DecodeOutcome.Malformed;
        }

        if (headers.Next != IpProtocol.Fragment)
        {
            return headers.Next == IpProtocol.Tcp ? TcpHeader.Decode(bytes, length, ref segment) : DecodeOther(headers.Next, bytes, length, depth, ref segment);
        }

        if (bytes.Length < FragmentHeader || length < FragmentHeader)
        {
            return bytes.Length < FragmentHeader ? DecodeOutcome.Truncated : DecodeOutcome.Malformed;
        }

        int place = BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]);
        uint identification = BinaryPrimitives.ReadUInt32BigEndian(bytes[4..]);
        ReadOnlySpan<byte> part = bytes[FragmentHeader..];
        length -= FragmentHeader;
        return (place & ~6) == 0 ? AfterFragments(bytes[0], part, length, ref segment)
            : DecodeFragment(bytes[0], identification, place & ~7, (place & 1) != 0, part, length, ref segment);
    }

    private DecodeOutcome DecodeFragment(byte protocol, uint identification, int offset, bool more, ReadOnlySpan<byte> part, int length, ref TcpSegment segment)
    {
        if (!CanHoldTcp(protocol))
        {
            return DecodeOutcome.NotTcp;
        }

        FragmentKey key = new(segment.Source, segment.Destination, identification, protocol);
        FragmentedDatagram? whole = _fragments.Add(in key, segment.TimeNs, offset, length, more, part);
        return whole is null ? DecodeOutcome.Fragment : AfterFragments(protocol, whole.Begin, whole.Length, ref segment);
    }

    /// <summary>Decodes a whole datagram: more extension headers may come before TCP, but no second fragment header.</summary>
    private static DecodeOutcome AfterFragments(byte next, ReadOnlySpan<byte> bytes, int length, ref TcpSegment segment)
    {
        Ipv6Headers headers = new(next, bytes);
        return !headers.TryWalk() ? DecodeOutcome.Truncated
            : headers.Next != IpProtocol.Tcp ? DecodeOutcome.NotTcp
            : TcpHeader.Decode(bytes[headers.Offset..], length - headers.Offset, ref segment);
    }

    private static bool CanHoldTcp(byte protocol) => protocol is IpProtocol.Tcp or IpProtocol.HopByHop or IpProtocol.Routing or IpProtocol.DestinationOptions
        or IpProtocol.Authentication or IpProtocol.Mobility or IpProtocol.HostIdentity or IpProtocol.Shim6;

    private DecodeOutcome DecodeOther(byte protocol, ReadOnlySpan<byte> payload, int length, int depth, ref TcpSegment segment)
    {
        if (PathReport.TryDecode(protocol, payload, ref segment))
        {
            return DecodeOutcome.PathReport;
        }

        if (depth == Tunnel.Deepest || Tunnel.Find(protocol, payload, ref length, out int offset) != DecodeOutcome.Tcp || length < offset)
        {
            return DecodeOutcome.NotTcp;
        }

        DecodeOutcome outcome = DecodeIp(payload[offset..], length - offset, depth + 1, ref segment);
        return outcome == DecodeOutcome.NotIp ? DecodeOutcome.NotTcp : outcome;
    }
}

/// <summary>The result of decoding a frame.</summary>
internal enum DecodeOutcome
{
    /// <summary>A TCP segment.</summary>
    Tcp,

    /// <summary>IP with another protocol.</summary>
    NotTcp,

    /// <summary>The frame carries no IP, for example ARP.</summary>
    NotIp,

    /// <summary>The frame has a link type that is not decoded.</summary>
    UnknownLink,

    /// <summary>The captured bytes end before the fixed TCP header does.</summary>
    Truncated,

    /// <summary>Lengths in the frame contradict each other.</summary>
    Malformed,

    /// <summary>A fragment of a datagram that is not complete.</summary>
    Fragment,

    /// <summary>A router's report of a TCP segment that was too big.</summary>
    PathReport,
}
