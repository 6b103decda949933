using LatencyTuner.Core;
using LatencyTuner.Core.Capture;
using LatencyTuner.Fuzz;
using Xunit;
using static LatencyTuner.Fuzz.Datagrams;

namespace LatencyTuner.Tests.Capture;

public sealed class PcapFiles
{
    private static readonly byte[] Frame = Ethernet(0x0800, V4(Tcp()));

    [Theory]
    [InlineData(0xA1B2C3D4u, 0, 1000, false)]
    [InlineData(0xA1B2C3D4u, 0, 1000, true)]
    [InlineData(0xA1B23C4Du, 0, 1, false)]
    [InlineData(0xA1B23C4Du, 0, 1, true)]
    [InlineData(0xA1B2CD34u, 8, 1000, false)]
    [InlineData(0xA1B2CD34u, 8, 1000, true)]
    public void Read_EveryForm_Same(uint magic, int extra, long step, bool bigEndian)
    {
        CaptureBytes file = new CaptureBytes(bigEndian).PcapHeader(magic).Record(Frame, fraction: 123, extra: extra)
            .Record(Frame, uint.MaxValue, 5, extra: extra);

        DecodedCapture read = DecodedCapture.Read(file.ToArray());

        Assert.Null(read.Damage);
        Assert.Equal(
            [(CaptureBytes.Second * 1_000_000_000) + (123 * step), (uint.MaxValue * 1_000_000_000L) + (5 * step)], read.Segments.Select(s => s.TimeNs));
        Assert.All(read.Segments, s => Assert.Equal(Payload, s.PayloadLength));
        Assert.Equal((step, "pcap"), (read.ClockStepNs, read.Kind));
    }

    [Theory]
    [InlineData(2, 60, true)]
    [InlineData(2, 60, false)]
    [InlineData(3, 60, true)]
    [InlineData(4, 60, false)]
    public void Read_OldVersions_TheLengthsInEitherOrder(int minor, int capturedLength, bool bigEndian)
    {
        // Before 2.3 the length on the wire comes first; of 2.3 both orders exist.
        byte[] data = Frame[..capturedLength];
        (uint first, uint second) = minor < 4 ? ((uint)Frame.Length, (uint)capturedLength) : ((uint)capturedLength, (uint)Frame.Length);
        byte[] file = new CaptureBytes(bigEndian).PcapHeader().Record(data, captured: first, original: second).Record(data, captured: first, original: second)
            .ToArray();
        file[bigEndian ? 7 : 6] = (byte)minor;

        DecodedCapture read = DecodedCapture.Read(file);

        Assert.Null(read.Damage);
        Assert.Equal([Payload, Payload], read.Segments.Select(s => s.PayloadLength));
    }

    [Fact]
    public void Read_CheckSequence_NotPayload()
    {
        // Upper bits of the link type: two words of 16 bits are a frame check sequence.
        byte[] file = new CaptureBytes().PcapHeader(linkType: 0x2400_0001).Record([.. Ethernet(0x0800, V4(Tcp(), total: 0)), 1, 2, 3, 4]).ToArray();

        Assert.Equal(Payload, Assert.Single(DecodedCapture.Read(file).Segments).PayloadLength);
    }

    [Theory]
    [InlineData(3_000_000_000u, "3000000000 bytes")]
    [InlineData(uint.MaxValue, "4294967295 bytes")]
    [InlineData(1000u, "ends after 154 of the 1000 bytes")]
    public void Read_RecordTooLong_DamageAtItsByte(uint captured, string part)
    {
        CaptureBytes file = new CaptureBytes().PcapHeader().Record(Frame);
        int at = file.Length;

        DecodedCapture read = DecodedCapture.Read(file.Record(Frame, captured: captured).ToArray());

        Assert.Equal((1L, (long?)at), (read.Frames, read.Damage?.Offset));
        Assert.Contains(part, read.Damage!.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_CutAnywhere_WhatCameBefore()
    {
        byte[] whole = new CaptureBytes().PcapHeader().Record(Frame).Record(Frame).Record(Frame).ToArray();
        int record = Frame.Length + 16;
        for (int length = 24; length <= whole.Length; length++)
        {
            DecodedCapture read = DecodedCapture.Read(whole[..length]);
            Assert.Equal((length - 24) / record, read.Frames);
            Assert.Equal((length - 24) % record == 0 ? null : 24 + (read.Frames * record), read.Damage?.Offset);
        }
    }

    [Fact]
    public void Read_OriginalShorterThanCaptured_CapturedCounts()
    {
        byte[] file = new CaptureBytes().PcapHeader().Record(Frame, original: 10).ToArray();

        Assert.Equal(Payload, Assert.Single(DecodedCapture.Read(file).Segments).PayloadLength);
    }

    [Theory]
    [InlineData(0, "is empty")]
    [InlineData(3, "is not a capture")]
    [InlineData(4, "ends after 4")]
    [InlineData(23, "ends after 23")]
    public void Open_CutHeader_OneSentence(int length, string part)
    {
        ExpectedFailureException e = Assert.Throws<ExpectedFailureException>(() => DecodedCapture.Read(new CaptureBytes().PcapHeader().ToArray()[..length]));

        Assert.Equal(ExitCode.Input, e.Code);
        Assert.Contains(part, e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Read_PerFrame_AllocatesNothing(bool pcapng)
    {
        for (int warm = 0; warm < 5; warm++)
        {
            Allocated(pcapng, 20_000);
        }

        Assert.Equal(Allocated(pcapng, 20_000), Allocated(pcapng, 60_000));
    }

    private static long Allocated(bool pcapng, int frames)
    {
        byte[] six = Ethernet(0x86DD, V6(Tcp()));
        CaptureBytes file = new();
        _ = pcapng ? file.SectionHeader().Interface() : file.PcapHeader();
        byte[][] kinds = [
            Frame, six, Ethernet(0x0800, V4(Tcp()[..64], more: true)), Ethernet(0x0800, V4(Tcp()[64..], fragmentOffset: 64)), Ethernet(0x0806, new byte[46])];
        for (int i = 0; i < frames; i++)
        {
            _ = pcapng ? file.Enhanced(kinds[i % kinds.Length]) : file.Record(kinds[i % kinds.Length]);
        }

        MemoryStream stream = new(file.ToArray());
        long before = GC.GetAllocatedBytesForCurrentThread();
        SegmentDecoder decoder = new();
        using ICaptureReader reader = CaptureContainer.Open(stream, "x");
        while (reader.TryRead(out CapturedFrame frame))
        {
            decoder.Decode(in frame, out _);
        }

        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal(frames / kinds.Length * 3, decoder.CountOf(DecodeOutcome.Tcp));
        return allocated;
    }
}
