using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Http;

/// <summary>What comes from the peer of a stream: its messages and its times.</summary>
public sealed class StreamTexts
{
    private static StreamTimes Times => new()
    {
        FetchNs = 30_000_000,
        SendNs = 10_000_000,
        WaitNs = 50_000_000,
        OverlapNs = 5_000_000,
        ElapsedNs = 95_000_000,
        LongestNs = 9_000_000,
        Flushes = 12,
        State = new EndState(true, AckEffect.Default, 87040, 131072, false, null, false),
        Start = SampleResults.Counters().Start,
        End = SampleResults.Counters().End,
    };

    private static byte[] Messages(StreamRequest request)
    {
        byte[] bytes = new byte[request.Bytes];
        for (int i = 0; i < request.Messages; i++)
        {
            StreamMessages.Write(bytes.AsSpan(i * request.MessageBytes, request.MessageBytes), i);
        }

        return bytes;
    }

    [Fact]
    public void Times_AreReadAsWritten() => Assert.Equal(Times, StreamTimes.Read(Times.Write()));

    [Fact]
    public void Times_CutOrChanged_AreNoneOrOthers()
    {
        string whole = Times.Write();
        Assert.All(Enumerable.Range(0, whole.Length / 2).Select(i => whole[..i]), cut => Assert.Null(StreamTimes.Read(cut)));
        Assert.Null(StreamTimes.Read(null));
        Assert.Null(StreamTimes.Read("not hexadecimal"));
        Assert.Null(StreamTimes.Read(new string('0', 100_000)));
        Random random = new(1);
        for (int i = 0; i < 2000; i++)
        {
            char[] text = whole.ToCharArray();
            text[random.Next(text.Length)] = "0123456789ABCDEF"[random.Next(16)];
            // Whatever it is, it is no exception.
            _ = StreamTimes.Read(new string(text))?.Possible(100_000_000, TimeSpan.FromSeconds(1));
        }
    }

    [Fact]
    public void Times_ThatCannotBe_AreSeen()
    {
        const long Request = 100_000_000;
        TimeSpan age = TimeSpan.FromSeconds(1);
        Assert.True(Times.Possible(Request, age));
        Assert.False(Times.Possible(80_000_000, age));
        Assert.False((Times with { FetchNs = -1 }).Possible(Request, age));
        Assert.False((Times with { WaitNs = long.MaxValue }).Possible(Request, age));
        Assert.False((Times with { WaitNs = 90_000_000 }).Possible(Request, age));
        Assert.False((Times with { OverlapNs = 31_000_000 }).Possible(Request, age));
        Assert.False((Times with { LongestNs = 96_000_000 }).Possible(Request, age));
        Assert.False((Times with { End = Times.End with { BusyUs = 2_100_000 } }).Possible(Request, age));
        Assert.False((Times with { End = Times.End with { SegmentsOut = long.MaxValue } }).Possible(Request, age));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(64)]
    [InlineData(1000)]
    public void Messages_InPiecesOfAnySize_AreFollowed(int piece)
    {
        StreamRequest request = new(50, 21, 1, false);
        byte[] bytes = Messages(request);
        StreamCheck check = new(request);

        Assert.All(bytes.Chunk(piece), p => Assert.True(check.Take(p)));

        Assert.True(check.Whole);
        Assert.False(check.Take([0]));
    }

    [Fact]
    public void Messages_OutOfOrderOrShort_AreSeen()
    {
        StreamRequest request = new(50, 21, 1, false);
        byte[] bytes = Messages(request);
        StreamCheck shorter = new(request);
        Assert.True(shorter.Take(bytes.AsSpan(0, bytes.Length - 1)));
        Assert.False(shorter.Whole);
        bytes[21 * 7]++;
        Assert.False(new StreamCheck(request).Take(bytes));
    }

    [Fact]
    public void Messages_DependOnTheirNumber()
    {
        StreamRequest request = new(3, 100, 1, false);
        byte[] bytes = Messages(request);
        Assert.Equal(3, bytes.Chunk(100).Select(m => Convert.ToHexString(m[8..])).Distinct().Count());
    }

    [Fact]
    public void Proofs_OfBothEnds_AreNotTheSame()
    {
        SharedToken token = SharedToken.Parse("a token of good length", "the test");
        string client = StreamProof.OfClient(token, "n", "c", "t");
        Assert.NotEqual(client, StreamProof.OfServer(token, "n", "c", "t"));
        Assert.NotEqual(client, StreamProof.OfClient(token, "n", "c", "u"));
        Assert.NotEqual(client, StreamProof.OfClient(token, "m", "c", "t"));
        Assert.True(StreamProof.Same(client, StreamProof.OfClient(token, "n", "c", "t")));
    }
}
