using LatencyTuner.Core;
using LatencyTuner.Core.Capture;
using LatencyTuner.Fuzz;
using Xunit;
using static LatencyTuner.Fuzz.Datagrams;

namespace LatencyTuner.Tests.Capture;

public sealed class PcapngFiles
{
    private const int Drops = 5;
    private const int SystemDrops = 7;

    private static readonly byte[] Frame = Ethernet(0x0800, V4(Tcp()));

    private static CaptureBytes Begin(bool bigEndian = false) => new CaptureBytes(bigEndian).SectionHeader().Interface();

    private static void AssertDamage(DecodedCapture read, int frames, long offset, string part)
    {
        Assert.Equal(frames, read.Frames);
        Assert.NotNull(read.Damage);
        Assert.Equal(offset, read.Damage.Offset);
        Assert.Contains(part, read.Damage.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Read_EitherByteOrder_AllPacketBlocks(bool bigEndian)
    {
        CaptureBytes file = Begin(bigEndian).Enhanced(Frame).Simple(Frame, (uint)Frame.Length).Obsolete(Frame, (CaptureBytes.Second * 1_000_000) + 1, 0, 3);

        DecodedCapture read = DecodedCapture.Read(file.ToArray());

        Assert.Null(read.Damage);
        Assert.Equal("pcapng", read.Kind);
        Assert.Equal([CaptureBytes.Second * 1_000_000_000, 0, (CaptureBytes.Second * 1_000_000_000) + 1000], read.Segments.Select(s => s.TimeNs));
        Assert.All(read.Segments, s => Assert.Equal((1000, 2000, 3000u, Payload), (s.SourcePort, s.DestinationPort, s.Sequence, s.PayloadLength)));
        Assert.Equal((1L, 3L, 1000L), (read.FramesWithoutTime, read.FramesLost, read.ClockStepNs));
    }

    [Theory]
    [InlineData(0, 5ul, 5_000_000_000, 1_000_000_000)]
    [InlineData(3, 1_700_000_000_123ul, 1_700_000_000_123_000_000, 1_000_000)]
    [InlineData(6, 1_700_000_000_123_456ul, 1_700_000_000_123_456_000, 1000)]
    [InlineData(9, 1_700_000_000_123_456_789ul, 1_700_000_000_123_456_789, 1)]
    [InlineData(12, 1_234_567_890_123ul, 1_234_567_890, 1)]
    [InlineData(127, ulong.MaxValue, 0, 1)]
    [InlineData(0x80, 7ul, 7_000_000_000, 1_000_000_000)]
    [InlineData(0x80 | 10, 1536ul, 1_500_000_000, 976_563)]
    [InlineData(0x80 | 20, (1_700_000_000ul << 20) + (1 << 19), 1_700_000_000_500_000_000, 954)]
    [InlineData(0x80 | 64, 1ul << 63, 500_000_000, 1)]
    [InlineData(0x80 | 127, ulong.MaxValue, 0, 1)]
    [InlineData(0, ulong.MaxValue, CaptureClock.Latest, 1_000_000_000)]
    public void Read_Resolution_Nanoseconds(int resolution, ulong ticks, long expected, long step)
    {
        CaptureBytes file = new();
        file.SectionHeader().Interface(1, 0, file.Option(9, [(byte)resolution])).Enhanced(Frame, ticks);

        DecodedCapture read = DecodedCapture.Read(file.ToArray());

        Assert.Equal(expected, Assert.Single(read.Segments).TimeNs);
        Assert.Equal(step, read.ClockStepNs);
    }

    [Theory]
    [InlineData(-3600, 1_699_996_400_000_000_000)]
    [InlineData(10, 1_700_000_010_000_000_000)]
    [InlineData(long.MaxValue, CaptureClock.Latest)]
    [InlineData(long.MinValue, -CaptureClock.Latest + 1_700_000_000_000_000_000)]
    public void Read_Offset_Added(long seconds, long expected)
    {
        CaptureBytes file = new();
        file.SectionHeader().Interface(1, 0, file.Option(14, file.U64((ulong)seconds))).Enhanced(Frame);

        Assert.Equal(expected, Assert.Single(DecodedCapture.Read(file.ToArray()).Segments).TimeNs);
    }

    [Fact]
    public void Read_CheckSequence_NotPayload()
    {
        CaptureBytes file = new();
        byte[] offloaded = Ethernet(0x0800, V4(Tcp(), total: 0));
        file.SectionHeader().Interface(1, 0, file.Option(13, [4])).Enhanced([.. offloaded, 1, 2, 3, 4]);

        Assert.Equal(Payload, Assert.Single(DecodedCapture.Read(file.ToArray()).Segments).PayloadLength);
    }

    [Fact]
    public void Read_Sections_InterfacesOfTheirOwn()
    {
        CaptureBytes second = new CaptureBytes(true).SectionHeader().Interface(101).Enhanced(V4(Tcp()));
        CaptureBytes file = Begin().Interface(12).Enhanced(Frame).Enhanced(V4(Tcp()), id: 1)
            .Statistics(0, new CaptureBytes().Option(Drops, new CaptureBytes().U64(2))).Add(second.ToArray());

        DecodedCapture read = DecodedCapture.Read(file.ToArray());

        Assert.Null(read.Damage);
        Assert.Equal([0, 1, 0], read.Segments.Select(s => s.InterfaceId));
        Assert.Equal(2, read.FramesLost);
    }

    [Fact]
    public void Read_Statistics_LastOneOfEachInterfaceCounts()
    {
        CaptureBytes file = Begin().Interface();
        byte[] Lost(int code, ulong count) => file.Option(code, file.U64(count));
        file.Enhanced(Frame, options: [Lost(4, 1)]).Statistics(0, Lost(Drops, 5)).Statistics(1, Lost(SystemDrops, 2))
            .Statistics(0, Lost(Drops, 7), Lost(SystemDrops, 1));

        Assert.Equal(10, DecodedCapture.Read(file.ToArray()).FramesLost);
        Assert.Null(DecodedCapture.Read(Begin().Enhanced(Frame).ToArray()).FramesLost);
    }

    [Fact]
    public void Read_BlocksWithoutPackets_SkippedAndNumberedAsWiresharkDoes()
    {
        byte[] body = [1, 2, 3, 4, 5, 6, 7, 8];
        CaptureBytes file = Begin().Enhanced(Frame).Block(0xBAD, body).Enhanced(Frame).Block(0x40000BAD, body).Enhanced(Frame).Block(9, body).Enhanced(Frame)
            .Block(0xA, body).Block(4, body).Block(0x12345, new byte[300_000]).Enhanced(Frame);

        DecodedCapture read = DecodedCapture.Read(file.ToArray());

        Assert.Null(read.Damage);
        Assert.Equal([1, 3, 5, 7, 8], read.Segments.Select(s => s.FrameNumber));
    }

    [Fact]
    public void Read_SimplePacketOfShortSnap_CutByIt()
    {
        CaptureBytes file = new CaptureBytes().SectionHeader().Interface(1, 64).Simple(Frame[..64], (uint)Frame.Length);

        TcpSegment segment = Assert.Single(DecodedCapture.Read(file.ToArray()).Segments);

        Assert.Equal(Payload, segment.PayloadLength);
    }

    [Theory]
    [InlineData(0u, "0 bytes long")]
    [InlineData(8u, "8 bytes long")]
    [InlineData(3_000_000_000u, "3000000000 bytes")]
    [InlineData(uint.MaxValue - 3, "4294967292 bytes")]
    public void Read_BlockLength_DamageAtItsByte(uint length, string part)
    {
        foreach (uint type in new uint[] { 6, 1, 0xA, 0x12345 })
        {
            CaptureBytes file = Begin().Enhanced(Frame);
            int at = file.Length;
            file.Block(type, new byte[32], length).Enhanced(Frame);

            AssertDamage(DecodedCapture.Read(file.ToArray()), 1, at, part);
        }
    }

    [Theory]
    [InlineData(6u)]
    [InlineData(0xAu)]
    public void Read_TwoLengths_DamageAtItsByte(uint type)
    {
        CaptureBytes file = Begin().Enhanced(Frame);
        int at = file.Length;
        file.Block(type, new byte[32], trailer: 40).Enhanced(Frame);

        AssertDamage(DecodedCapture.Read(file.ToArray()), 1, at, "44 bytes long at its start and 40 bytes long at its end");
    }

    [Fact]
    public void Read_BrokenInsideABlock_OnlyThatOneIsLost()
    {
        CaptureBytes file = Begin().Enhanced(Frame);
        int at = file.Length;
        file.Enhanced(Frame, id: 1).Enhanced(Frame, captured: 5000).Block(6, new byte[8]).Statistics(9).Enhanced(Frame);

        AssertDamage(DecodedCapture.Read(file.ToArray()), 2, at, "interface 1, but the interface count is 1");
    }

    [Fact]
    public void Read_OptionOverrun_FrameKept()
    {
        CaptureBytes file = Begin();
        int at = file.Length;
        file.Enhanced(Frame, options: [file.Option(4, file.U64(1), 4000)]);

        AssertDamage(DecodedCapture.Read(file.ToArray()), 1, at, "longer than the block");
    }

    [Fact]
    public void Read_PacketBeforeInterface_Damage()
    {
        CaptureBytes file = new CaptureBytes().SectionHeader();
        int at = file.Length;

        AssertDamage(DecodedCapture.Read(file.Enhanced(Frame).Simple(Frame, 10).ToArray()), 0, at, "interface 0, but the interface count is 0");
    }

    [Fact]
    public void Read_MillionInterfaces_BoundedMemory()
    {
        const int Count = 1_000_000;
        byte[] one = new CaptureBytes().Interface().ToArray();
        MemoryStream file = new();
        file.Write(new CaptureBytes().SectionHeader().ToArray());
        for (int i = 0; i < Count; i++)
        {
            file.Write(one);
        }

        file.Write(new CaptureBytes().Enhanced(Frame, id: Count - 1).ToArray());
        file.Position = 0;
        long before = GC.GetAllocatedBytesForCurrentThread();

        DecodedCapture read = DecodedCapture.Read(file, "x");

        Assert.Null(read.Damage);
        Assert.Equal(Count - 1, Assert.Single(read.Segments).InterfaceId);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 100 << 20);
    }

    [Fact]
    public void Read_TooManyInterfaces_Damage()
    {
        byte[] one = new CaptureBytes().Interface().ToArray();
        MemoryStream file = new();
        file.Write(new CaptureBytes().SectionHeader().ToArray());
        for (int i = 0; i <= PcapngReader.MostInterfaces; i++)
        {
            file.Write(one);
        }

        file.Position = 0;
        AssertDamage(DecodedCapture.Read(file, "x"), 0, 28L + ((long)PcapngReader.MostInterfaces * one.Length), "1048576 interfaces");
    }

    [Fact]
    public void Read_CutAnywhere_WhatCameBefore()
    {
        byte[] whole = Begin().Enhanced(Frame).Block(0xBAD, new byte[20]).Enhanced(Frame).Statistics(0).ToArray();
        int frames = 0;
        for (int length = 28; length < whole.Length; length++)
        {
            DecodedCapture read = DecodedCapture.Read(whole[..length]);
            Assert.InRange(read.Frames, frames, 2);
            frames = (int)read.Frames;
            Assert.True(read.Damage is null || read.Damage.Offset <= length);
        }

        Assert.Equal(2, frames);
    }

    [Theory]
    [InlineData(4, "ends after 4 bytes")]
    [InlineData(20, "ends after 20 bytes")]
    public void Open_CutSectionHeader_OneSentence(int length, string part)
    {
        ExpectedFailureException e = Assert.Throws<ExpectedFailureException>(() => DecodedCapture.Read(Begin().ToArray()[..length]));

        Assert.Equal(ExitCode.Input, e.Code);
        Assert.Contains(part, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Open_OtherVersionOrByteOrder_OneSentence()
    {
        byte[] order = Begin().ToArray();
        order[8] = 0;
        Assert.Contains(
            "version 2", Assert.Throws<ExpectedFailureException>(() => DecodedCapture.Read(new CaptureBytes().SectionHeader(major: 2).ToArray())).Message,
            StringComparison.Ordinal);
        Assert.Contains(
            "byte-order magic 003C2B1A", Assert.Throws<ExpectedFailureException>(() => DecodedCapture.Read(order)).Message, StringComparison.Ordinal);
    }
}
