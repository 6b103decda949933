using LatencyTuner.Core.Capture;
using Xunit;
using static LatencyTuner.Tests.Capture.Datagrams;

namespace LatencyTuner.Tests.Capture;

/// <summary>One datagram in every link layer and tunnel gives one and the same segment.</summary>
public sealed class LinkLayers
{
    private static readonly byte[] Four = V4(Tcp());
    private static readonly byte[] Six = V6(Tcp());

    private static readonly Dictionary<string, (int Link, byte[] Frame)> Frames = new()
    {
        ["Ethernet"] = (1, Ethernet(0x0800, Four)),
        ["Ethernet, IPv6"] = (1, Ethernet(0x86DD, Six)),
        ["padded"] = (1, Ethernet(0x0800, [.. Four, 0, 0, 0, 0])),
        ["VLAN"] = (1, Ethernet(0x8100, [0, 5, 0x08, 0, .. Four])),
        ["QinQ"] = (1, Ethernet(0x88A8, [0, 5, 0x81, 0, 0, 6, 0x86, 0xDD, .. Six])),
        ["old QinQ"] = (1, Ethernet(0x9100, [0, 5, 0x91, 0, 0, 6, 0x81, 0, 0, 7, 0x08, 0, .. Four])),
        ["PPPoE"] = (1, Ethernet(0x8864, [0x11, 0, 0, 1, .. Big(Four.Length + 2), 0, 0x21, .. Four])),
        ["PPPoE, IPv6"] = (1, Ethernet(0x8864, [0x11, 0, 0, 1, .. Big(Six.Length + 2), 0, 0x57, .. Six])),
        ["PPPoE, padding in the IP length"] = (1, Ethernet(0x8864, [0x11, 0, 0, 1, .. Big(Four.Length + 2), 0, 0x21, .. V4(Tcp(), total: Four.Length + 6), 0, 0, 0, 0, 0, 0])),
        ["MPLS"] = (1, Ethernet(0x8847, [0, 0, 0x10, 64, 0, 0, 0x21, 64, .. Four])),
        ["MPLS, IPv6"] = (1, Ethernet(0x8848, [0, 0, 0x21, 64, .. Six])),
        ["SNAP"] = (1, Ethernet((ushort)(Four.Length + 8), [0xAA, 0xAA, 3, 0, 0, 0, 8, 0, .. Four])),
        ["cooked"] = (113, [0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, 0x08, 0, .. Four]),
        ["cooked, VLAN"] = (113, [0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, 0x81, 0, 0, 5, 0x86, 0xDD, .. Six]),
        ["cooked 2"] = (276, [0x08, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, .. Four]),
        ["NULL little"] = (0, [2, 0, 0, 0, .. Four]),
        ["NULL big"] = (0, [0, 0, 0, 2, .. Four]),
        ["LOOP"] = (108, [0, 0, 0, 2, .. Four]),
        ["LOOP little"] = (108, [2, 0, 0, 0, .. Four]),
        ["NULL, Linux"] = (0, [10, 0, 0, 0, .. Six]),
        ["NULL, Windows"] = (0, [23, 0, 0, 0, .. Six]),
        ["NULL, OpenBSD"] = (0, [24, 0, 0, 0, .. Six]),
        ["NULL, FreeBSD"] = (0, [0, 0, 0, 28, .. Six]),
        ["NULL, macOS"] = (0, [30, 0, 0, 0, .. Six]),
        ["raw 12"] = (12, Four),
        ["raw 14"] = (14, Six),
        ["raw 101"] = (101, Four),
        ["raw IPv4"] = (228, Four),
        ["raw IPv6"] = (229, Six),
        ["PPP"] = (9, [0xFF, 3, 0, 0x21, .. Four]),
        ["PPP, compressed"] = (9, [0x21, .. Four]),
        ["IP in IP"] = (101, V4(Four, 4)),
        ["IPv6 in IP"] = (101, V4(Six, 41)),
        ["IP in IPv6"] = (101, V6(Four, 4)),
        ["GRE"] = (101, V4([0, 0, 8, 0, .. Four], 47)),
        ["GRE, all fields"] = (101, V4([0xB0, 0, 0x86, 0xDD, .. new byte[12], .. Six], 47)),
        ["GRE, Ethernet"] = (101, V4([0, 0, 0x65, 0x58, .. Ethernet(0x0800, Four)], 47)),
        ["PPTP"] = (101, V4([0x30, 0x81, 0x88, 0x0B, .. new byte[12], 0xFF, 3, 0, 0x21, .. Four], 47)),
        ["VXLAN"] = (101, V4([0x12, 0x34, 0x12, 0xB5, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 1, 0, .. Ethernet(0x0800, Four)], 17)),
        ["IPv6 extension headers"] = (101, V6(Extension(43, Extension(60, Extension(135, Extension(6, Tcp())))), 0)),
        ["IPv6 authentication"] = (101, V6([6, 4, 0, 0, .. new byte[20], .. Tcp()], 51)),
        ["IPv6 atomic fragment"] = (101, V6(FragmentHeader(6, 0, false, 9, Tcp()), 44)),
    };

    public static TheoryData<string> Names => [.. Frames.Keys];

    private static (DecodeOutcome Outcome, TcpSegment Segment) Decode(int link, byte[] frame, int? captured = null) =>
        Decode(new SegmentDecoder(), link, frame, captured);

    private static (DecodeOutcome Outcome, TcpSegment Segment) Decode(SegmentDecoder decoder, int link, byte[] frame, int? captured = null)
    {
        CapturedFrame one = new() { Number = 1, TimeNs = 5, LinkType = link, OriginalLength = frame.Length, Data = frame.AsSpan(0, captured ?? frame.Length) };
        return (decoder.Decode(in one, out TcpSegment segment), segment);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Decode_OneDatagram_SameSegment(string name)
    {
        (int link, byte[] frame) = Frames[name];

        (DecodeOutcome outcome, TcpSegment s) = Decode(link, frame);

        Assert.Equal(DecodeOutcome.Tcp, outcome);
        Assert.Equal((1000, 2000, 3000u, 4000u, 5000, Payload, 5L), (s.SourcePort, s.DestinationPort, s.Sequence, s.Acknowledgement, s.Window, s.PayloadLength, s.TimeNs));
        Assert.Equal(s.Source.IsV4 ? "10.0.0.1" : "2000::1", s.Source.ToString());
        Assert.Equal(s.Source.IsV4 ? "10.0.0.2" : "2000::2", s.Destination.ToString());
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Decode_CapturedPartly_SameLengthsOrNothing(string name)
    {
        (int link, byte[] frame) = Frames[name];
        DecodeOutcome before = DecodeOutcome.Truncated;
        for (int captured = 0; captured <= frame.Length; captured++)
        {
            (DecodeOutcome outcome, TcpSegment s) = Decode(link, frame, captured);
            Assert.True(outcome == DecodeOutcome.Tcp || before != DecodeOutcome.Tcp, $"lost again at {captured}");
            Assert.True(outcome != DecodeOutcome.Tcp || s.PayloadLength == Payload, $"{s.PayloadLength} bytes of payload at {captured}");
            before = outcome;
        }
    }

    [Fact]
    public void Decode_UnknownLinks_NamedAndCounted()
    {
        SegmentDecoder decoder = new();
        foreach (int link in new[] { 105, 249, 105, 4711 })
        {
            Assert.Equal(DecodeOutcome.UnknownLink, Decode(decoder, link, Four).Outcome);
        }

        Assert.Equal(["IEEE 802.11: 2", "USB: 1", "link type 4711: 1"], decoder.UnknownLinks.Select(l => $"{LinkTypes.NameOf(l.Key)}: {l.Value}"));
    }

    [Theory]
    [InlineData(1, 0x0806)]
    [InlineData(1, 0x8863)]
    public void Decode_NoIp_Counted(int link, int type) => Assert.Equal(DecodeOutcome.NotIp, Decode(link, Ethernet((ushort)type, new byte[60])).Outcome);

    [Fact]
    public void Decode_TunnelInTunnelWithoutEnd_NotFollowed()
    {
        byte[] frame = Four;
        for (int i = 0; i < 200; i++)
        {
            frame = V4(frame, 4);
        }

        Assert.Equal(DecodeOutcome.NotTcp, Decode(101, frame).Outcome);
    }

    [Fact]
    public void Decode_HeaderLengthsTooShort_Malformed()
    {
        for (int words = 0; words < 5; words++)
        {
            Assert.Equal(DecodeOutcome.Malformed, Decode(101, V4(Tcp(), headerWords: words)).Outcome);
            Assert.Equal(DecodeOutcome.Malformed, Decode(101, V4(Tcp(dataOffset: words))).Outcome);
        }
    }

    [Fact]
    public void Decode_TotalLengthZero_LengthOfTheFrame()
    {
        Assert.Equal(Payload, Decode(1, Ethernet(0x0800, V4(Tcp(), total: 0))).Segment.PayloadLength);
        Assert.Equal(70_000, Decode(1, Ethernet(0x0800, V4(Tcp(70_000), total: 0))).Segment.PayloadLength);
        Assert.Equal(Payload, Decode(1, Ethernet(0x86DD, V6(Tcp(), length: 0))).Segment.PayloadLength);
    }

    [Fact]
    public void Decode_Jumbogram_LengthOfItsOption()
    {
        byte[] hopByHop = [6, 0, 0xC2, 4, 0, 0, 0, 0];
        U32(hopByHop, 4, (uint)(hopByHop.Length + 20 + 70_000));

        Assert.Equal(70_000, Decode(101, V6([.. hopByHop, .. Tcp(70_000), 0, 0], 0, length: 0)).Segment.PayloadLength);
    }

    [Fact]
    public void Decode_SynWithCutOptions_SaysSo()
    {
        byte[] frame = Ethernet(0x0800, V4(Tcp(0, -1, 2, 4, 5, 180, 1, 3, 3, 7)));

        TcpSegment whole = Decode(1, frame).Segment;
        TcpSegment cut = Decode(1, frame, 14 + 20 + 24).Segment;

        Assert.Equal((1460, 7, false), (whole.Mss, whole.WindowScale, whole.OptionsCut));
        Assert.Equal((1460, -1, true), (cut.Mss, cut.WindowScale, cut.OptionsCut));
    }
}
