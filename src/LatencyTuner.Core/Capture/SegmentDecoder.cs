using System.Buffers.Binary;

namespace LatencyTuner.Core.Capture;

/// <summary>Finds the TCP segment in a frame: link layer, IP, TCP. No length in a frame is trusted beyond the captured bytes.</summary>
internal sealed class SegmentDecoder
{
    private const int Ipv4Fixed = 20;
    private const int Ipv6Fixed = 40;
    private const byte ProtocolTcp = 6;

    private readonly long[] _counts = new long[Enum.GetValues<DecodeOutcome>().Length];
    private readonly SortedDictionary<int, long> _unknownLinks = [];

    /// <summary>Frames with that outcome so far.</summary>
    public long CountOf(DecodeOutcome outcome) => _counts[(int)outcome];

    /// <summary>Frames of link types that are not decoded, by link type.</summary>
    public IReadOnlyDictionary<int, long> UnknownLinks => _unknownLinks;

    /// <summary>Decodes one frame.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="segment">The segment; of no meaning unless the outcome is <see cref="DecodeOutcome.Tcp"/>.</param>
    public DecodeOutcome Decode(in CapturedFrame frame, out TcpSegment segment)
    {
        segment = default;
        DecodeOutcome outcome = DecodeFrame(frame, ref segment);
        _counts[(int)outcome]++;
        if (outcome == DecodeOutcome.UnknownLink)
        {
            _unknownLinks[frame.LinkType] = _unknownLinks.GetValueOrDefault(frame.LinkType) + 1;
        }

        return outcome;
    }

    private static DecodeOutcome DecodeFrame(in CapturedFrame frame, ref TcpSegment segment)
    {
        DecodeOutcome link = LinkLayer.Find(frame.LinkType, frame.Data, out int offset);
        if (link != DecodeOutcome.Tcp)
        {
            return link;
        }

        ReadOnlySpan<byte> ip = frame.Data[offset..];
        int wire = Math.Max(frame.OriginalLength, frame.Data.Length) - offset;
        if (ip.Length == 0)
        {
            return DecodeOutcome.Truncated;
        }

        DecodeOutcome outcome = (ip[0] >> 4) switch
        {
            4 => DecodeV4(ip, wire, ref segment),
            6 => DecodeV6(ip, wire, ref segment),
            _ => DecodeOutcome.NotIp,
        };
        if (outcome == DecodeOutcome.Tcp)
        {
            segment.TimeNs = frame.TimeNs;
            segment.FrameNumber = frame.Number;
            segment.InterfaceId = frame.InterfaceId;
        }

        return outcome;
    }

    private static DecodeOutcome DecodeV4(ReadOnlySpan<byte> ip, int wire, ref TcpSegment segment)
    {
        if (ip.Length < Ipv4Fixed)
        {
            return DecodeOutcome.Truncated;
        }

        int header = (ip[0] & 0xF) * 4;
        if (header < Ipv4Fixed)
        {
            return DecodeOutcome.Malformed;
        }

        if (ip[9] != ProtocolTcp)
        {
            return DecodeOutcome.NotTcp;
        }

        // More fragments, or an offset.
        if ((BinaryPrimitives.ReadUInt16BigEndian(ip[6..]) & 0x3FFF) != 0)
        {
            return DecodeOutcome.Fragment;
        }

        int total = BinaryPrimitives.ReadUInt16BigEndian(ip[2..]);
        // 0: a segment larger than the field can say, cut by the adapter after it was captured.
        int length = total == 0 ? wire : Math.Min(total, wire);
        segment.Source = IpAddressValue.V4(ip[12..]);
        segment.Destination = IpAddressValue.V4(ip[16..]);
        segment.IpId = BinaryPrimitives.ReadUInt16BigEndian(ip[4..]);
        segment.TypeOfService = ip[1];
        segment.Ttl = ip[8];
        return length < header ? DecodeOutcome.Malformed : ip.Length < header ? DecodeOutcome.Truncated : TcpHeader.Decode(ip[header..], length - header, ref segment);
    }

    private static DecodeOutcome DecodeV6(ReadOnlySpan<byte> ip, int wire, ref TcpSegment segment)
    {
        if (ip.Length < Ipv6Fixed)
        {
            return DecodeOutcome.Truncated;
        }

        if (ip[6] != ProtocolTcp)
        {
            return DecodeOutcome.NotTcp;
        }

        int payload = BinaryPrimitives.ReadUInt16BigEndian(ip[4..]);
        int length = payload == 0 ? wire - Ipv6Fixed : Math.Min(payload, wire - Ipv6Fixed);
        segment.Source = IpAddressValue.V6(ip[8..]);
        segment.Destination = IpAddressValue.V6(ip[24..]);
        segment.TypeOfService = (byte)(((ip[0] & 0xF) << 4) | (ip[1] >> 4));
        segment.Ttl = ip[7];
        return TcpHeader.Decode(ip[Ipv6Fixed..], length, ref segment);
    }
}
