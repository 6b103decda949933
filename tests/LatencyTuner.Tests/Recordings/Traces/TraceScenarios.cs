using System.Net;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>Exact sequences of TCPIP events, each with a known cause, and their innocent look-alikes.</summary>
public sealed class TraceScenarios
{
    private const ulong Near = 0xFFFF_8000_0000_1000;
    private const ulong Far = 0xFFFF_8000_0000_2000;
    private static readonly IPEndPoint Client = new(IPAddress.Parse("10.0.0.5"), 50_000);
    private static readonly IPEndPoint Server = new(IPAddress.Parse("10.0.0.9"), 1433);

    [Fact]
    public void NagleHold_WithPromptAcknowledgements_IsLt102()
    {
        Finding finding = Assert.Single(Analyse(Requests(ackUs: 1_500, write: true, held: true)), f => f.Cause is Cause.NagleHold or Cause.NagleDelayedAck);

        Assert.Equal(("LT102", Side.Client, "process 77", 10), (finding.Id, finding.Side, finding.Process, finding.Count));
        Assert.Equal(10 * 1.45, finding.CostMs!.Value, 2);
        Assert.False(finding.Verified);
    }

    [Fact]
    public void BothEndsOnThisMachine_TellTheChainAndItsTimer()
    {
        IReadOnlyList<Finding> findings = Analyse(Requests(ackUs: 200_000, write: true, held: true, twin: true));

        Finding chain = Assert.Single(findings, f => f.Cause == Cause.NagleDelayedAck);
        Assert.Equal((Side.Client, "process 77", 10, Severity.Error), (chain.Side, chain.Process, chain.Count, chain.Severity));
        Assert.Contains(
            chain.For, s => s.Contains("process 88", StringComparison.Ordinal) && s.Contains("waited: 10 [TCPIP event 1066]", StringComparison.Ordinal));
        Finding timer = Assert.Single(findings, f => f.Cause == Cause.DelayedAck);
        Assert.Equal((Side.Server, 10, 0, 0), (timer.Side, (int)timer.Fired!, (int)timer.Harmful!, (int)timer.CostMs!));
        Assert.DoesNotContain(findings, f => f.Cause == Cause.NagleHold);
    }

    [Fact]
    public void DelayedAckExpiries_ThatNothingWaitsFor_CostNothing()
    {
        TcpipEvents events = new TcpipEvents().Accepted(0, Far, Server, Client, 88).TemplateParameters(1, Far, 4, 2);
        for (int i = 0; i < 10; i++)
        {
            long at = 10_000 + (i * 300_000L);
            events.DataReceived(at, Far, 100, (uint)(i * 100)).TimerStarted(at + 1, Far, TcpipEvents.DelayedAckTimer, 40)
                .TimerExpired(at + 40_000, Far, TcpipEvents.DelayedAckTimer);
        }

        Finding finding = Assert.Single(Analyse(events), f => f.Cause == Cause.DelayedAck);
        Assert.Equal((10, 0, 0.0, Severity.Info), ((int)finding.Fired!, (int)finding.Harmful!, finding.CostMs!.Value, finding.Severity));
        Assert.Contains("set to 40 ms", finding.For[0], StringComparison.Ordinal);
        Assert.Contains("DelayedAckTicks 4, DelayedAckFrequency 2", finding.For[0], StringComparison.Ordinal);
    }

    [Fact]
    public void AClosedWindow_IsNotNagle()
    {
        IReadOnlyList<Finding> findings = Analyse(Requests(ackUs: 50_000, write: true, held: true, window: 100));

        Assert.Contains(findings, f => f.Cause == Cause.ReceiveWindow && f.Side == Side.Server && f.Count == 10);
        Assert.DoesNotContain(findings, f => f.Cause is Cause.NagleHold or Cause.NagleDelayedAck);
    }

    [Theory]
    [InlineData(true, false, 0)] // TCP_NODELAY: the second write leaves at once
    [InlineData(false, false, 0)] // one write
    [InlineData(true, true, 120_000)] // think time: the second write comes after the acknowledgement
    public void LookAlikes_AreNoHold(bool write, bool held, long thinkUs) =>
        Assert.DoesNotContain(Analyse(Requests(ackUs: 40_000, write, held, thinkUs: thinkUs)), f => f.Cause is Cause.NagleHold or Cause.NagleDelayedAck);

    [Fact]
    public void AnApplicationThatReadsLate_IsNamed()
    {
        TcpipEvents events = new TcpipEvents().Accepted(0, Far, Server, Client, 88);
        for (int i = 0; i < 5; i++)
        {
            events.DataReceived(1000 + (i * 100_000), Far, 100, (uint)(i * 100)).DeliveryIndicated(1010 + (i * 100_000), Far, 100, 0)
                .ReceiveRequested(31_004 + (i * 100_000), Far, 100, 0).DeliverySatisfied(31_010 + (i * 100_000), Far, 100, 0);
        }

        Finding finding = Assert.Single(Analyse(events), f => f.Cause == Cause.ServerThink);
        Assert.Equal(("process 88", 5, 150.0), (finding.Process, (int)finding.Count, finding.CostMs!.Value));
    }

    [Fact]
    public void MissingEvents_AreNamedWithTheProfile()
    {
        Finding finding = Assert.Single(Analyse(new TcpipEvents().Connected(0, Near, Client, Server, 77)), f => f.Id == "LT301");

        Assert.Contains(finding.For, s => s.Contains("1159", StringComparison.Ordinal) && s.Contains("Detail", StringComparison.Ordinal));
        Assert.Contains(finding.For, s => s.Contains("LT114", StringComparison.Ordinal) && s.Contains("Winsock-AFD event 1003", StringComparison.Ordinal));
        Assert.Contains("profile Detail", finding.Recommendation, StringComparison.Ordinal);
        Assert.Equal(Severity.Warning, finding.Severity);
    }

    private static IReadOnlyList<Finding> Analyse(TcpipEvents events)
    {
        byte[] trace = new EtlWriter().Add(events.Records).ToArray();
        return RecordingAnalysis.Run(
            [new RecordingInput("made.etl", () => new MemoryStream(trace, writable: false))], RecordingFilter.All, SeverityLimits.Standard, null,
            TestContext.Current.CancellationToken).Findings;
    }

    /// <summary>Ten requests in two writes of 100 bytes, half a second apart; the acknowledgement of the first comes after a while.</summary>
    private static TcpipEvents Requests(long ackUs, bool write, bool held, long thinkUs = 0, bool twin = false, uint window = 65_535)
    {
        TcpipEvents events = new TcpipEvents().Connected(0, Near, Client, Server, 77);
        if (twin)
        {
            events.Accepted(1, Far, Server, Client, 88);
        }

        uint at = 1000;
        for (int i = 0; i < 10; i++)
        {
            long t = 10_000 + (i * 500_000L);
            events.SendPosted(t, Near, 100, at).DataSent(t + 5, Near, 100, at, sndWnd: window);
            if (twin)
            {
                events.DataReceived(t + 20, Far, 100, at).TimerStarted(t + 21, Far, TcpipEvents.DelayedAckTimer, 200)
                    .TimerExpired(t + ackUs - 10, Far, TcpipEvents.DelayedAckTimer);
            }

            events.CumulativeAck(t + ackUs, Near, 100, at + 100, sndWnd: window);
            at += 100;
            if (!write)
            {
                events.DataReceived(t + ackUs + 2_000, Near, 50, (uint)(i * 50));
                continue;
            }

            long posted = thinkUs > 0 ? t + thinkUs : t + 60;
            long sent = held ? Math.Max(posted, t + ackUs) + 10 : posted + 5;
            events.SendPosted(posted, Near, 100, at).DataSent(sent, Near, 100, at, sndWnd: window)
                .CumulativeAck(Math.Max(sent, t + ackUs) + 1_200, Near, 100, at + 100, sndWnd: window);
            events.DataReceived(Math.Max(sent, t + ackUs) + 1_300, Near, 50, (uint)(i * 50));
            at += 100;
        }

        return events;
    }
}
