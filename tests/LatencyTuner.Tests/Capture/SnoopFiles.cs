using LatencyTuner.Core;
using LatencyTuner.Fuzz;
using Xunit;
using static LatencyTuner.Fuzz.Datagrams;

namespace LatencyTuner.Tests.Capture;

public sealed class SnoopFiles
{
    // An odd length, so that records are padded.
    private static readonly byte[] Frame = [.. Ethernet(0x0800, V4(Tcp())), 0];

    private static CaptureBytes Header(uint dataLink = 4, uint version = 2) => new CaptureBytes(bigEndian: true).SnoopHeader(dataLink, version);

    private static string Refused(byte[] file)
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => DecodedCapture.Read(file));
        Assert.Equal(ExitCode.Input, failure.Code);
        return failure.Message;
    }

    [Theory]
    [InlineData(0u)]
    [InlineData(4u)]
    [InlineData(8u)]
    public void Read_DataLinksOfLocalNetworks_TimesLengthsAndLosses(uint dataLink)
    {
        byte[] frame = dataLink == 8 ? LinkFrames.All["FDDI"].Frame : Frame;
        byte[] file = Header(dataLink).SnoopRecord(frame, 123).SnoopRecord(frame[..70], 456_789, lost: 17, original: (uint)frame.Length).ToArray();

        DecodedCapture read = DecodedCapture.Read(file);

        Assert.Null(read.Damage);
        Assert.Equal([(CaptureBytes.Second * 1_000_000_000) + 123_000, (CaptureBytes.Second * 1_000_000_000) + 456_789_000], read.Segments.Select(s => s.TimeNs));
        Assert.All(read.Segments, s => Assert.Equal(Payload, s.PayloadLength));
        Assert.Equal((1000, "snoop", (long?)17), (read.ClockStepNs, read.Kind, read.FramesLost));
    }

    [Fact]
    public void Read_CutAnywhere_WhatCameBefore()
    {
        byte[] whole = Header().SnoopRecord(Frame).SnoopRecord(Frame).SnoopRecord(Frame).ToArray();
        int padding = -Frame.Length & 3;
        int record = 24 + Frame.Length + padding;
        Assert.NotEqual(0, padding);
        for (int length = 16; length <= whole.Length; length++)
        {
            DecodedCapture read = DecodedCapture.Read(whole[..length]);
            int frames = (length + padding - 16) / record;
            // The last record is complete without its padding.
            Assert.Equal(frames, read.Frames);
            Assert.Equal(length <= 16 + (frames * record) ? null : 16 + (frames * record), read.Damage?.Offset);
        }
    }

    [Theory]
    [InlineData(uint.MaxValue, uint.MaxValue, "a record of 4294967295 bytes cannot hold a frame of 4294967295 bytes")]
    [InlineData(100u, 100u, "a record of 100 bytes cannot hold a frame of 100 bytes")]
    [InlineData(0u, 0u, "a record of 0 bytes cannot hold")]
    [InlineData(1000u, 1024u, "ends after")]
    [InlineData(60u, 4_000_000_000u, "bytes before the end of a record")]
    public void Read_LengthsThatCannotBe_DamageAtItsByte(uint captured, uint whole, string part)
    {
        CaptureBytes file = Header().SnoopRecord(Frame);

        DecodedCapture read = DecodedCapture.Read(file.SnoopRecord(Frame, captured: captured, whole: whole).ToArray());

        Assert.InRange(read.Frames, 1, 2);
        Assert.Contains(part, read.Damage!.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Open_WhatIsNotRead_OneSentence()
    {
        Assert.Contains("data link 2. Only Ethernet (0 and 4) and FDDI (8)", Refused(Header(dataLink: 2).ToArray()), StringComparison.Ordinal);
        Assert.Contains("version 3. Only version 2", Refused(Header(version: 3).ToArray()), StringComparison.Ordinal);
        Assert.Contains("ends after 15 bytes", Refused(Header().ToArray()[..15]), StringComparison.Ordinal);
        Assert.Contains("is neither a snoop file", Refused([.. "snoopy file of mine"u8]), StringComparison.Ordinal);
    }
}
