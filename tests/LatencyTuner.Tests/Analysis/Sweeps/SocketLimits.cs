using LatencyTuner.Core.Analysis.Sweeps;
using LatencyTuner.Core.Findings;
using Xunit;

namespace LatencyTuner.Tests.Analysis.Sweeps;

/// <summary>What the counters and the windows of a sweep are taken for.</summary>
public sealed class SocketLimits
{
    private const double MB = 1e6;

    private static LimitedLevel Level(string name, double megabytes, double rwnd = 0, double sndbuf = 0, bool own = false, int clients = 1) =>
        new(name, own, clients, [megabytes * MB, megabytes * MB * 1.05], rwnd, sndbuf);

    private static LimitedLevel Stream(long window, double megabytes, double wait = 0.9, double rwnd = 0, bool own = false, int clients = 1) =>
        Level(own ? "the stream window left to the system" : $"a stream window of {window} bytes", megabytes, rwnd, own: own, clients: clients) with
        {
            StreamWindow = window,
            RoundTripUs = 20_000,
            WaitShare = wait,
        };

    private static Finding? Receive(params LimitedLevel[] levels) =>
        SocketLimitRule.Evaluate(levels, Cause.ReceiveWindow, Side.Server, "db1", SeverityLimits.Standard);

    private static Finding? Streams(params LimitedLevel[] levels) => StreamWindowRule.Evaluate(levels, "db1", SeverityLimits.Standard);

    [Fact]
    public void Window_HeldAndALargerOneFaster_IsConfirmed()
    {
        Finding finding = Receive(Level("a receive buffer of 4,096 bytes", 1, rwnd: 0.6), Level("a receive buffer of 1,048,576 bytes", 20))!;

        Assert.Equal(
            ("LT111", Cause.ReceiveWindow, Side.Server, Confidence.Confirmed, Severity.Info, 1L),
            (finding.Id, finding.Cause, finding.Side, finding.Confidence, finding.Severity, finding.Count));
        Assert.Contains("60 %", finding.For[0], StringComparison.Ordinal);
        Assert.InRange(finding.CostShare!.Value, 0.94, 0.96);
        Assert.Empty(finding.Against);
    }

    [Fact]
    public void SystemsOwn_ThatCosts_IsJudgedByItsCost()
    {
        Finding finding =
            Receive(
                Level("the receive buffer left to the system", 5, rwnd: 0.5, own: true), Level("a receive buffer of 4,096 bytes", 1, rwnd: 0.9),
                Level("a receive buffer of 1,048,576 bytes", 20))!;

        Assert.Equal((Severity.Error, 2L), (finding.Severity, finding.Count));
        Assert.Contains("left to the system", finding.For[0], StringComparison.Ordinal);
    }

    [Fact]
    public void Held_WithoutAnythingFaster_SaysSo()
    {
        Finding finding = Receive(Level("a receive buffer of 4,096 bytes", 20, rwnd: 0.5), Level("a receive buffer of 8,192 bytes", 20, rwnd: 0.5))!;

        Assert.Equal((Confidence.Likely, Severity.Info, null), (finding.Confidence, finding.Severity, finding.CostShare));
        Assert.Contains("the cost is unknown", Assert.Single(finding.Against), StringComparison.Ordinal);
    }

    [Fact]
    public void LittleHeld_IsNoFinding() => Assert.Null(Receive(Level("a", 1, rwnd: 0.19), Level("b", 20)));

    [Fact]
    public void NotCounted_IsNoFinding() => Assert.Null(Receive(new LimitedLevel("a", false, 1, [1, 1], null, null), Level("b", 20)));

    [Fact]
    public void OneRound_IsNoComparison() =>
        Assert.Equal(Confidence.Likely, Receive(new LimitedLevel("a", false, 1, [1], 0.9, 0), new LimitedLevel("b", false, 1, [20], 0, 0))!.Confidence);

    [Fact]
    public void SendBuffer_IsTheSenders()
    {
        Finding finding =
            SocketLimitRule.Evaluate(
                [Level("a send buffer of 4,096 bytes", 1, rwnd: 0.1, sndbuf: 0.7), Level("b", 20)], Cause.SendBuffer, Side.Client, "db1",
                SeverityLimits.Standard)!;

        Assert.Equal(("LT114", Side.Client), (finding.Id, finding.Side));
        Assert.Contains("its send buffer limited the sender 70 %", finding.For[0], StringComparison.Ordinal);
    }

    [Fact]
    public void StreamWindow_ThatAllowsNoMore_IsNamed()
    {
        // 65,536 bytes in 20 ms are 3.3 MB/s.
        Finding finding = Streams(Stream(65_536, 3.0), Stream(1 << 20, 12, wait: 0.3))!;

        Assert.Equal(("LT111", Side.Client, Confidence.Likely, 1L), (finding.Id, finding.Side, finding.Confidence, finding.Count));
        Assert.Equal(
            "the HTTP/2 stream window limits, not the socket: 65,536 bytes in each round trip of 20.0 ms allow a stream at most 3.28 MB/s; it got 3.08 MB/s",
            finding.For[0]);
        Assert.Contains("InitialHttp2StreamWindowSize", finding.Recommendation, StringComparison.Ordinal);
    }

    [Fact]
    public void StreamWindow_FarFromItsLimit_IsNotBlamed() => Assert.Null(Streams(Stream(65_536, 1.0), Stream(1 << 20, 12)));

    [Fact]
    public void StreamWindow_WhileTheSocketIsHeld_IsNotBlamed() => Assert.Null(Streams(Stream(65_536, 3.0, rwnd: 0.5), Stream(1 << 20, 12)));

    [Fact]
    public void StreamWindow_OfSeveralStreams_IsEachStreamsOwn()
    {
        Finding finding = Streams(Stream(65_536, 12, clients: 4), Stream(1 << 20, 40, clients: 4))!;

        Assert.Contains("; it got 3.08 MB/s", finding.For[0], StringComparison.Ordinal);
    }

    [Fact]
    public void StreamWindow_LargestThatHolds_IsTold()
    {
        Finding finding = Streams(Stream(65_536, 3.0), Stream(131_072, 6.0), Stream(1 << 20, 12, wait: 0.2))!;

        Assert.Equal(2, finding.Count);
        Assert.Contains("131,072 bytes", finding.For[0], StringComparison.Ordinal);
    }

    [Fact]
    public void StreamWindow_WithNothingLarger_IsPossibleAtMost()
    {
        Finding finding = Streams(Stream(65_536, 3.0))!;

        Assert.Equal((Confidence.Possible, Severity.Info), (finding.Confidence, finding.Severity));
        Assert.Single(finding.Against);
    }
}
