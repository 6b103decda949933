using LatencyTuner.Core.Capture;
using Xunit;
using static LatencyTuner.Fuzz.Datagrams;

namespace LatencyTuner.Tests.Capture;

public sealed class Fragments
{
    private const int Whole = 1000;
    private const long Second = 1_000_000_000;

    private readonly SegmentDecoder _decoder = new();
    private long _number;

    /// <summary>A part of a segment of TCP in IPv4.</summary>
    private static byte[] Part(int from, int to, ushort id = 7, int payload = Whole) => V4(Tcp(payload)[from..to], 6, id, from, to < payload + 20);

    private static byte[] Part6(int from, int to, uint id = 7) => V6(FragmentHeader(6, from, to < Whole + 20, id, Tcp(Whole)[from..to]), 44);

    private (DecodeOutcome Outcome, TcpSegment Segment) Decode(byte[] frame, long timeNs = 0, int? captured = null)
    {
        CapturedFrame one = new()
        {
            Number = ++_number,
            TimeNs = timeNs,
            LinkType = 101,
            OriginalLength = frame.Length,
            Data = frame.AsSpan(0, captured ?? frame.Length),
        };
        return (_decoder.Decode(in one, out TcpSegment segment), segment);
    }

    private void AssertWhole((DecodeOutcome Outcome, TcpSegment Segment) last)
    {
        Assert.Equal(DecodeOutcome.Tcp, last.Outcome);
        Assert.Equal((1000, 3000u, Whole, _number), (last.Segment.SourcePort, last.Segment.Sequence, last.Segment.PayloadLength, last.Segment.FrameNumber));
    }

    [Theory]
    [InlineData("0-400 400-800 800-1020")]
    [InlineData("800-1020 400-800 0-400")]
    [InlineData("0-400 0-400 400-800 200-600 800-1020")]
    [InlineData("0-8 8-16 16-24 24-1020")]
    [InlineData("8-1020 0-8")]
    public void Decode_EveryOrder_SegmentWithTheCompletingOne(string order)
    {
        foreach (bool six in new[] { false, true })
        {
            string[] parts = order.Split(' ');
            for (int i = 0; i < parts.Length; i++)
            {
                int[] range = [.. parts[i].Split('-').Select(int.Parse)];
                (DecodeOutcome, TcpSegment) one = Decode(six ? Part6(range[0], range[1]) : Part(range[0], range[1]));
                if (i == parts.Length - 1)
                {
                    AssertWhole(one);
                }
                else
                {
                    Assert.Equal(DecodeOutcome.Fragment, one.Item1);
                }
            }
        }

        Assert.Equal(0, _decoder.IncompleteDatagrams);
    }

    [Fact]
    public void Decode_TwoDatagramsInterleaved_Both()
    {
        Decode(Part(0, 400, 1));
        Decode(Part(0, 400, 2));
        Decode(Part6(0, 400, 1));
        AssertWhole(Decode(Part(400, 1020, 1)));
        AssertWhole(Decode(Part(400, 1020, 2)));
        AssertWhole(Decode(Part6(400, 1020, 1)));
    }

    [Fact]
    public void Decode_ExtensionHeadersInside_Followed()
    {
        byte[] inner = Extension(6, Tcp(Whole));
        Decode(V6(FragmentHeader(60, 0, true, 1, inner[..504]), 44));
        AssertWhole(Decode(V6(FragmentHeader(60, 504, false, 1, inner[504..]), 44)));
    }

    [Fact]
    public void Decode_HeaderNotCaptured_Truncated()
    {
        Decode(Part(0, 400), captured: 30);
        Assert.Equal(DecodeOutcome.Truncated, Decode(Part(400, 1020)).Outcome);
    }

    [Fact]
    public void Decode_IdentificationUsedAgainMuchLater_NotMixed()
    {
        Decode(Part(0, 400));
        Assert.Equal(DecodeOutcome.Fragment, Decode(Part(400, 1020), FragmentTable.LifetimeNs + 1).Outcome);
        AssertWhole(Decode(Part(0, 400), FragmentTable.LifetimeNs + Second));
        Assert.Equal(1, _decoder.IncompleteDatagrams);
    }

    [Theory]
    [InlineData(long.MinValue, long.MaxValue)]
    [InlineData(long.MaxValue, long.MinValue)]
    public void Decode_TimesThatJump_NoOverflow(long first, long second)
    {
        Decode(Part(0, 400), first);
        Assert.Equal(DecodeOutcome.Fragment, Decode(Part(400, 1020), second).Outcome);
    }

    [Fact]
    public void Decode_TwoEnds_GivenUp()
    {
        Decode(Part(400, 1020));
        Assert.Equal(DecodeOutcome.Fragment, Decode(V4(new byte[200], 6, 7, 1200)).Outcome);
        Assert.Equal(DecodeOutcome.Fragment, Decode(Part(0, 400)).Outcome);
        Assert.Equal(2, _decoder.IncompleteDatagrams);
    }

    [Fact]
    public void Decode_NeverFinished_BoundedMemoryAndTheNewestStillWork()
    {
        for (int i = 0; i < 1000; i++)
        {
            Decode(Part(0, 400, (ushort)i));
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 1000; i < 60_000; i++)
        {
            byte[] frame = V4([], 6, (ushort)i, 8, true);
            CapturedFrame one = new() { Number = i, TimeNs = i, LinkType = 101, OriginalLength = 28, Data = frame };
            _decoder.Decode(in one, out _);
        }

        Decode(Part(0, 400, 60_001));
        AssertWhole(Decode(Part(400, 1020, 60_001)));
        // The frames themselves are 20 bytes and an array's header.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 59_000 * 100);
    }

    [Fact]
    public void Decode_OtherProtocolsInFragments_NotKept()
    {
        Assert.Equal(DecodeOutcome.NotTcp, Decode(V4(new byte[400], 17, 7, 0, true)).Outcome);
        Assert.Equal(DecodeOutcome.NotTcp, Decode(V4(new byte[400], 17, 7, 400)).Outcome);
        Assert.Equal(0, _decoder.IncompleteDatagrams);
    }
}
