using LatencyTuner.Core.Capture;
using Xunit;
using static LatencyTuner.Fuzz.Datagrams;

namespace LatencyTuner.Tests.Capture;

/// <summary>ICMP 'fragmentation needed' and ICMPv6 'packet too big', byte by byte as RFC 792, RFC 1191 and RFC 4443 draw them.</summary>
public sealed class PathReports
{
    private const int Mtu = 1400;

    private static DecodeOutcome Decode(ReadOnlySpan<byte> packet, out TcpSegment segment)
    {
        CapturedFrame frame = new() { Number = 3, TimeNs = 5, LinkType = 101, OriginalLength = packet.Length, Data = packet };
        return new SegmentDecoder().Decode(in frame, out segment);
    }

    /// <summary>A report to the sender of the packet that it quotes.</summary>
    private static byte[] Report(byte[] quote, byte type = 3, byte code = 4, int mtu = Mtu)
    {
        byte[] icmp = [type, code, 0, 0, 0, 0, .. Big(mtu), .. quote];
        byte[] packet = V4(icmp, protocol: 1);
        U32(packet, 12, 0x0A0000FE);
        U32(packet, 16, 0x0A000001);
        return packet;
    }

    private static byte[] Report6(byte[] quote, uint mtu = Mtu)
    {
        byte[] icmp = [2, 0, 0, 0, 0, 0, 0, 0, .. quote];
        U32(icmp, 4, mtu);
        byte[] packet = V6(icmp, 58);
        quote.AsSpan(8, 16).CopyTo(packet.AsSpan(24));
        return packet;
    }

    [Theory]
    [InlineData(8)]
    [InlineData(20)]
    [InlineData(120)]
    public void Decode_Report_HasTheQuotedSegmentAndTheSize(int quotedTcp)
    {
        byte[] four = Report(V4(Tcp())[..(20 + quotedTcp)]);
        byte[] six = Report6(V6(Tcp())[..(40 + quotedTcp)]);
        foreach (byte[] packet in new[] { four, six })
        {
            Assert.Equal(DecodeOutcome.PathReport, Decode(packet, out TcpSegment segment));
            Assert.Equal((1000, 2000, 3000u, Mtu), (segment.SourcePort, segment.DestinationPort, segment.Sequence, segment.ReportedMtu));
            Assert.Equal((3L, 5L), (segment.FrameNumber, segment.TimeNs));
            DecodeOutcome plain = Decode(packet == four ? V4(Tcp()) : V6(Tcp()), out TcpSegment quoted);
            Assert.Equal((DecodeOutcome.Tcp, quoted.Source, quoted.Destination), (plain, segment.Source, segment.Destination));
            Assert.Equal(0, quoted.ReportedMtu);
        }
    }

    public static TheoryData<string, byte[]> Others => new()
    {
        { "another ICMP", Report(V4(Tcp()), type: 8, code: 0) },
        { "no route", Report(V4(Tcp()), code: 1) },
        { "a router that names no size", Report(V4(Tcp()), mtu: 0) },
        { "a size that every path takes", Report(V4(Tcp()), mtu: 67) },
        { "a quoted datagram of UDP", Report(V4(Tcp(), protocol: 17)) },
        { "a quoted fragment", Report(V4(Tcp(), fragmentOffset: 800)) },
        { "a quoted header that is too short", Report(V4(Tcp(), headerWords: 4)) },
        { "a quoted header that is longer than the quote", Report(V4(Tcp(), headerWords: 15)[..28]) },
        { "IPv6 quoted by ICMP of IPv4", Report(V6(Tcp())) },
        { "no quote", Report([]) },
        { "a quote of which the sequence number is cut off", Report(V4(Tcp())[..27]) },
        { "a size that no IPv6 path has", Report6(V6(Tcp()), mtu: 1279) },
        { "a size of 4 GB", Report6(V6(Tcp()), mtu: uint.MaxValue) },
        { "a quoted extension header", Report6(V6(Extension(6, Tcp()), next: 0)) },
    };

    [Theory]
    [MemberData(nameof(Others))]
    public void Decode_Other_IsNoReport(string what, byte[] packet)
    {
        Assert.True(DecodeOutcome.NotTcp == Decode(packet, out TcpSegment segment), what);
        Assert.Equal(0, segment.ReportedMtu);
    }

    /// <summary>A report that went to another host than the one whose packet it quotes is none.</summary>
    [Fact]
    public void Decode_ReportToAnotherHost_IsNoReport()
    {
        byte[] packet = Report(V4(Tcp()));
        U32(packet, 16, 0x0A000002);
        Assert.Equal(DecodeOutcome.NotTcp, Decode(packet, out _));
    }

    [Fact]
    public void Decode_CutAnywhere_IsNoReportBeforeTheSequenceNumber()
    {
        foreach ((byte[] packet, int whole) in new[] { (Report(V4(Tcp())), 20 + 8 + 28), (Report6(V6(Tcp())), 40 + 8 + 48) })
        {
            for (int length = 0; length <= packet.Length; length++)
            {
                Assert.Equal(length >= whole, Decode(packet.AsSpan(0, length), out _) == DecodeOutcome.PathReport);
            }
        }
    }
}
