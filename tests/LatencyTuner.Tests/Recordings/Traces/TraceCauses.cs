using System.Net;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>Windows, losses and options by exact sequences of TCPIP events, each beside an innocent look-alike.</summary>
public sealed class TraceCauses
{
    private const ulong Tcb = 0xFFFF_8000_0000_1000;
    private static readonly IPEndPoint Client = new(IPAddress.Parse("10.0.0.5"), 50_000);
    private static readonly IPEndPoint Server = new(IPAddress.Parse("10.0.0.9"), 1433);

    /// <summary>Full segments behind full ones, released by acknowledgements, with the congestion window full or with room.</summary>
    [Theory]
    [InlineData(14_600u, true)]
    [InlineData(65_535u, false)]
    public void CongestionWindow_IsNamedWhenItIsFull(uint cwnd, bool expected)
    {
        IReadOnlyList<Finding> findings = Bulk(cwnd, window: 200_000);

        Finding? finding = findings.SingleOrDefault(f => f.Cause == Cause.CongestionWindow);
        Assert.Equal(expected, finding is not null);
        Assert.DoesNotContain(findings, f => f.Cause is Cause.ReceiveWindow or Cause.NagleHold or Cause.NagleDelayedAck);
        if (finding is not null)
        {
            Assert.Equal(("LT113", Side.Client, 10, 10 * 20.0), (finding.Id, finding.Side, (int)finding.Count, Math.Round(finding.CostMs!.Value)));
        }
    }

    [Theory]
    [InlineData(14_600u, true)]
    [InlineData(65_535u, false)]
    public void ReceiveWindow_IsNamedWhenItIsFull(uint window, bool expected)
    {
        IReadOnlyList<Finding> findings = Bulk(cwnd: 200_000, window);

        Assert.Equal(expected, findings.Any(f => f is { Cause: Cause.ReceiveWindow, Side: Side.Server, Count: 10 }));
        Assert.DoesNotContain(findings, f => f.Cause is Cause.CongestionWindow or Cause.NagleHold or Cause.NagleDelayedAck);
    }

    [Fact]
    public void Totals_TellTheWindows_AndNothingToSendIsNoStall()
    {
        IReadOnlyList<Finding> limited = TraceRun.Findings(Begun().Summary(1_000_000, Tcb, receiverMs: 400, congestionMs: 300, senderMs: 300));
        Assert.Equal(["LT111", "LT113"], limited.Where(f => f.Id.StartsWith("LT11", StringComparison.Ordinal)).Select(f => f.Id).Order());

        RecordingResult idle = TraceRun.Result(Begun().Summary(1_000_000, Tcb, receiverMs: 1, congestionMs: 1, senderMs: 990));
        Assert.DoesNotContain(idle.Findings, f => f.Id != "LT301");
        AnalysisReport report = TraceRun.Report(idle);
        Assert.Equal(990, Assert.Single(report.Connections).Ends[0].SenderLimitedMs);
        Assert.Contains(report.Observations, o => o.What.Contains("(not a stall)", StringComparison.Ordinal) && o.Value == 990);
    }

    /// <summary>A closed window is the reader's; what is sent into it is a probe and no loss.</summary>
    [Fact]
    public void ClosedWindow_IsNamedAndItsProbesAreNoLoss()
    {
        IReadOnlyList<Finding> findings =
            TraceRun.Findings(
                Sent(Begun(), 1_000, 100).ZeroWindowProbing(2_000, Tcb, begins: true, 1100).RetransmitRound(302_000, Tcb, 1100, 1, 300)
                    .ZeroWindowProbing(502_000, Tcb, begins: false, 1100));

        Finding finding = Assert.Single(findings, f => f.Cause == Cause.ZeroWindow);
        Assert.Equal((Side.Server, 1, 500.0), (finding.Side, (int)finding.Count, finding.CostMs!.Value));
        Assert.DoesNotContain(findings, f => f.Cause == Cause.LossRto);
    }

    [Fact]
    public void ClosedWindow_ThatIsStillClosed_CountsUntilTheEnd() =>
        Assert.Equal(
            700.0, Assert.Single(
                TraceRun.Findings(Begun().ZeroWindowProbing(2_000, Tcb, begins: true, 1).DataReceived(702_000, Tcb, 1, 1)),
                f => f.Cause == Cause.ZeroWindow).CostMs!.Value);

    [Fact]
    public void ClosedWindow_ForAMoment_IsNoFinding()
    {
        TcpipEvents events = Begun();
        for (int i = 0; i < 100; i++)
        {
            events.SendPosted(10_000 + (i * 10_000), Tcb, 100, 1000).DataSent(10_005 + (i * 10_000), Tcb, 100, 1000 + ((uint)i * 100))
                .CumulativeAck(19_000 + (i * 10_000), Tcb, 100, 1000);
        }

        Assert.DoesNotContain(
            TraceRun.Findings(events.ZeroWindowProbing(500_000, Tcb, true, 1).ZeroWindowProbing(500_900, Tcb, false, 1)), f => f.Cause == Cause.ZeroWindow);
    }

    /// <summary>The stack avoids small segments: for the window, or for Nagle's algorithm, which the windows decide; without them it stays open.</summary>
    [Theory]
    [InlineData(150u, Cause.SmallSegments)]
    [InlineData(65_535u, null)]
    public void SillyWindowAvoidance_IsTheWindowsWhenItHasNoRoom(uint window, Cause? expected)
    {
        TcpipEvents events = Begun();
        for (int i = 0; i < 3; i++)
        {
            long t = 10_000 + (i * 100_000L);
            events.SendPosted(t, Tcb, 100, 0).DataSent(t + 5, Tcb, 100, 1000 + ((uint)i * 300), sndWnd: window).SendPosted(t + 10, Tcb, 200, 0)
                .SwsAvoidance(t + 11, Tcb, begins: true, 200, 50).CumulativeAck(t + 30_000, Tcb, 100, 0, sndWnd: window)
                .SwsAvoidance(t + 30_001, Tcb, begins: false, 200, 50)
                .DataSent(t + 30_005, Tcb, 200, 1100 + ((uint)i * 300), sndWnd: window).CumulativeAck(t + 31_000, Tcb, 200, 0, sndWnd: window);
        }

        IReadOnlyList<Finding> findings = TraceRun.Findings(events);

        Assert.Equal(expected is not null, findings.Any(f => f.Cause == Cause.SmallSegments));
        Assert.Equal(
            expected is null,
            findings.Any(
                f => f.Cause is Cause.NagleHold or Cause.NagleDelayedAck && f.For.Any(s => s.Contains("had room: 3 [TCPIP", StringComparison.Ordinal))));
    }

    [Fact]
    public void SillyWindowAvoidance_WithoutTheSends_StaysPossible() =>
        Assert.Equal(
            Confidence.Possible,
            Assert.Single(
                TraceRun.Findings(Begun().SwsAvoidance(1_000, Tcb, true, 200, 50).SwsAvoidance(31_000, Tcb, false, 200, 50)),
                f => f.Cause == Cause.NagleHold).Confidence);

    [Fact]
    public void Timeout_CostsFromTheDataToItsRepetition()
    {
        // One round is told by several events.
        Finding finding =
            Assert.Single(
                TraceRun.Findings(
                    Sent(Begun(), 1_000, 100).RetransmitRound(301_000, Tcb, 1000, 1, 300).Retransmitted(301_100, Tcb, Client, Server, 1)
                        .CumulativeAck(302_000, Tcb, 100, 1100)), f => f.Cause == Cause.LossRto);

        Assert.Equal((Side.Network, 1, 300.0), (finding.Side, (int)finding.Count, Math.Round(finding.CostMs!.Value)));
        Assert.Contains(finding.Against, s => s.Contains("1430", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(3, true)]
    [InlineData(2, false)]
    public void DuplicateAcks_MakeItAFastRetransmission(int duplicates, bool fast)
    {
        TcpipEvents events = Sent(Begun(), 1_000, 1460);
        for (int i = 0; i < duplicates; i++)
        {
            events.DuplicateAck(10_000 + i, Tcb, (uint)i + 1, 1000);
        }

        IReadOnlyList<Finding> findings = TraceRun.Findings(events.RetransmitRound(11_000, Tcb, 1000, 1, 300).CumulativeAck(12_000, Tcb, 1460, 2460));

        Assert.Equal(fast ? Cause.LossFastRetransmit : Cause.LossRto, Assert.Single(findings, f => f.Cause is Cause.LossRto or Cause.LossFastRetransmit).Cause);
    }

    [Fact]
    public void DuplicateAcks_WithoutARetransmission_AreNoLoss() =>
        Assert.DoesNotContain(
            TraceRun.Findings(
                Sent(Begun(), 1_000, 100).DuplicateAck(5_000, Tcb, 1, 1000).DuplicateAck(5_001, Tcb, 2, 1000).DuplicateAck(5_002, Tcb, 3, 1000)
                    .CumulativeAck(6_000, Tcb, 100, 1100)), f => f.Cause is Cause.LossRto or Cause.LossFastRetransmit);

    [Theory]
    [InlineData(2u, true)] // fired
    [InlineData(1u, false)] // armed, as it is after every send
    [InlineData(3u, false)] // failed
    public void TailLossProbe_CountsWhenItFired(uint what, bool expected)
    {
        IReadOnlyList<Finding> findings = TraceRun.Findings(Sent(Begun(), 1_000, 100).TailLossProbe(21_000, Tcb, what).CumulativeAck(22_000, Tcb, 100, 1100));

        Assert.Equal(expected, findings.Any(f => f is { Cause: Cause.LossRto, Count: 1 } && Math.Round(f.CostMs!.Value) == 20));
    }

    [Fact]
    public void SynSentAgain_CostsTheTimeToConnect()
    {
        IReadOnlyList<Finding> findings =
            TraceRun.Findings(
                new TcpipEvents().ConnectStarted(0, Tcb, Client, Server, 77).SynSentAgain(1_000_000, Tcb, Client, Server, 1)
                    .SynSentAgain(3_000_000, Tcb, Client, Server, 2).Connected(3_020_000, Tcb, Client, Server, 77));

        Finding finding = Assert.Single(findings, f => f.Cause == Cause.LossRto);
        Assert.Equal((2, 3020.0, "process 77"), ((int)finding.Count, finding.CostMs!.Value, finding.Process));
        Assert.DoesNotContain(findings, f => f.Cause == Cause.NetworkRtt);
    }

    /// <summary>A far server is a far server: connecting takes a round trip, and so does each request.</summary>
    [Theory]
    [InlineData(50_000L, true)]
    [InlineData(1_000L, false)] // near, and its requests take as long for the server's sake
    public void TimeToConnect_TellsThePath(long connectUs, bool expected)
    {
        TcpipEvents events = new TcpipEvents().ConnectStarted(0, Tcb, Client, Server, 77).Connected(connectUs, Tcb, Client, Server, 77);
        for (int i = 0; i < 5; i++)
        {
            long t = 100_000 + (i * 100_000L);
            events.SendPosted(t, Tcb, 100, 0).DataSent(t + 5, Tcb, 100, 1000 + ((uint)i * 100)).CumulativeAck(t + 51_000, Tcb, 100, 0)
                .DataReceived(t + 51_001, Tcb, 10, (uint)i * 10);
        }

        RecordingResult result = TraceRun.Result(events);

        Assert.Equal(expected, result.Findings.Any(f => f is { Cause: Cause.NetworkRtt, Severity: Severity.Info, Count: 5 }));
        Assert.DoesNotContain(result.Findings, f => f.Cause == Cause.LossRto);
        Assert.Contains(TraceRun.Report(result).Observations, o => o.What == "median time to connect" && o.Value == connectUs / 1000.0);
    }

    /// <summary>A server that takes 60 ms to answer, one that does so now and then, and one whose answer is held by TCP and not by it.</summary>
    [Theory]
    [InlineData(1, 0L, true)]
    [InlineData(5, 0L, true)]
    [InlineData(20, 0L, false)]
    [InlineData(0, 60_000L, false)]
    public void Server_ThatTakesLong_IsNamed(int everyNth, long heldUs, bool expected)
    {
        TcpipEvents events = new TcpipEvents().Accepted(0, Tcb, Server, Client, 88);
        for (uint i = 0u; i < 40; i++)
        {
            long t = 10_000 + (i * 200_000L);
            int took = everyNth > 0 && i % everyNth == 0 ? 60_000 : 500;
            uint at = 1_000 + (i * 200);
            events.DataReceived(t, Tcb, 50, i * 50).SendPosted(t + took, Tcb, 100, at).DataSent(t + took + 5, Tcb, 100, at);
            if (heldUs > 0)
            {
                events.SendPosted(t + took + 10, Tcb, 100, at).CumulativeAck(t + took + heldUs, Tcb, 100, at)
                    .DataSent(t + took + heldUs + 10, Tcb, 100, at + 100);
            }

            events.CumulativeAck(t + took + heldUs + 900, Tcb, 100, at);
        }

        IReadOnlyList<Finding> findings = TraceRun.Findings(events);

        Assert.Equal(expected, findings.Any(f => f is { Cause: Cause.ServerThink, Process: "process 88", Severity: Severity.Info }));
        Assert.Equal(heldUs > 0, findings.Any(f => f.Cause is Cause.NagleHold or Cause.NagleDelayedAck));
    }

    /// <summary>
    /// TCP_NODELAY after the first sends: what waited before still counts, and what goes small behind small afterwards says nothing against it.
    /// </summary>
    [Fact]
    public void NoDelay_SetLate_IsSaid()
    {
        TcpipEvents events = Begun();
        uint at = 1000u;
        for (int i = 0; i < 20; i++)
        {
            long t = 10_000 + (i * 200_000L);
            bool held = i < 5;
            if (i == 5)
            {
                events.OptionSet(t - 100, Tcb, 1);
            }

            events.SendPosted(t, Tcb, 100, at).DataSent(t + 5, Tcb, 100, at).SendPosted(t + 60, Tcb, 100, at + 100)
                .CumulativeAck(t + 40_000, Tcb, 100, at + 100)
                .DataSent(held ? t + 40_010 : t + 65, Tcb, 100, at + 100).CumulativeAck(t + 41_000, Tcb, 100, at + 200)
                .DataReceived(t + 41_001, Tcb, 50, (uint)(i * 50));
            at += 200;
        }

        Finding finding = Assert.Single(TraceRun.Findings(events), f => f.Cause is Cause.NagleHold or Cause.NagleDelayedAck);

        Assert.Equal(5, finding.Count);
        Assert.Contains(finding.For, s => s.Contains("set late, up to 999.9 ms", StringComparison.Ordinal));
        Assert.Contains("before the first send", finding.Recommendation, StringComparison.Ordinal);
    }

    [Fact]
    public void NoDelay_SetAtTheStart_HasNothingToSay()
    {
        TcpipEvents events = Begun().OptionSet(500, Tcb, 1);
        for (uint i = 0u; i < 10; i++)
        {
            events.SendPosted(10_000 + (i * 100_000), Tcb, 100, 0).DataSent(10_005 + (i * 100_000), Tcb, 100, 1000 + (i * 200))
                .SendPosted(10_060 + (i * 100_000), Tcb, 100, 0).DataSent(10_065 + (i * 100_000), Tcb, 100, 1100 + (i * 200))
                .CumulativeAck(50_000 + (i * 100_000), Tcb, 200, 0);
        }

        Assert.DoesNotContain(TraceRun.Findings(events), f => f.Id != "LT301");
    }

    private static TcpipEvents Begun() => new TcpipEvents().Connected(0, Tcb, Client, Server, 77);

    private static TcpipEvents Sent(TcpipEvents events, long us, uint bytes) => events.SendPosted(us - 5, Tcb, bytes, 1000).DataSent(us, Tcb, bytes, 1000);

    /// <summary>Ten rounds of ten full segments, each with more data ready than that, and the rest behind the acknowledgement 20 ms later.</summary>
    private static IReadOnlyList<Finding> Bulk(uint cwnd, uint window)
    {
        TcpipEvents events = Begun();
        uint at = 0u;
        for (int i = 0; i < 10; i++)
        {
            long t = 10_000 + (i * 50_000L);
            events.SendPosted(t, Tcb, 14_600 + 1460, at).DataSent(t + 5, Tcb, 14_600, at, cwnd, window)
                .CumulativeAck(t + 20_005, Tcb, 14_600, at + 14_600, cwnd, window).DataSent(t + 20_010, Tcb, 1460, at + 14_600, cwnd, window)
                .CumulativeAck(t + 40_000, Tcb, 1460, at + 16_060, cwnd, window);
            at += 16_060;
        }

        return TraceRun.Findings(events);
    }
}
