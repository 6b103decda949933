using LatencyTuner.Core.Capture;
using LatencyTuner.Fuzz;
using Xunit;
using static LatencyTuner.Fuzz.Datagrams;

namespace LatencyTuner.Tests.Capture;

/// <summary>One datagram in every link layer and tunnel gives one and the same segment.</summary>
public sealed class LinkLayers
{
    private static readonly byte[] Four = V4(Tcp());

    public static TheoryData<string> Names => [.. LinkFrames.All.Keys];

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
        (int link, byte[] frame) = LinkFrames.All[name];

        (DecodeOutcome outcome, TcpSegment s) = Decode(link, frame);

        Assert.Equal(DecodeOutcome.Tcp, outcome);
        Assert.Equal(
            (1000, 2000, 3000u, 4000u, 5000, Payload, 5L),
            (s.SourcePort, s.DestinationPort, s.Sequence, s.Acknowledgement, s.Window, s.PayloadLength, s.TimeNs));
        Assert.Equal(s.Source.IsV4 ? "10.0.0.1" : "2000::1", s.Source.ToString());
        Assert.Equal(s.Source.IsV4 ? "10.0.0.2" : "2000::2", s.Destination.ToString());
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Decode_CapturedPartly_SameLengthsOrNothing(string name)
    {
        (int link, byte[] frame) = LinkFrames.All[name];
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
