using System.Net;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>Sends as AFD nests them: the call of the application, the copy to TCP inside it, and the completion of the copy behind the ACK.</summary>
public sealed class NestedSends
{
    private const ulong Tcb = 0xFFFF_8000_0000_5000;
    private const ulong Endpoint = 0xFFFF_A000_0000_5000;
    private static readonly IPEndPoint Client = new(IPAddress.Parse("10.3.0.7"), 53_500);
    private static readonly IPEndPoint Server = new(IPAddress.Parse("10.3.0.80"), 9_090);

    /// <summary>Sends that return at once, whose copies are complete only when their data is acknowledged: on another thread, or on this one.</summary>
    [Theory]
    [InlineData(3_073u, 0, 0, 12_000)]
    [InlineData(3_073u, 4, 12, 9_100)]
    [InlineData(3_024u, 77, 5, 12_000)]
    [InlineData(3_024u, 77, 5, 9_100)]
    public void BufferedSends_AreOverWhenTheCallReturns(uint completion, int process, int thread, long every)
    {
        TcpipEvents events = Connection();
        uint at = 1_000;
        for (int i = 0; i < 150; i++)
        {
            long t = 10_000 + (i * every);
            events.On(77, 5).SocketSend(t, Endpoint, enters: true, 900, location: 3_047).SocketSend(t + 1, Endpoint, enters: true, 900, location: 3_056)
                .SendPosted(t + 3, Tcb, 900, at, "posted").SocketSend(t + 9, Endpoint, enters: false, 900, location: 3_051)
                .On(0, 0).DataSent(t + 10, Tcb, 900, at).CumulativeAck(t + 9_000, Tcb, 900, at += 900)
                .On(process, thread).SocketSend(t + 9_040, Endpoint, enters: false, 900, location: completion);
        }

        (IReadOnlyList<Finding> findings, ConnectionEnd end) = Run(events);

        Assert.DoesNotContain(findings, f => f.Cause == Cause.SendBuffer);
        Assert.Equal(150, end.SendCalls);
        Assert.InRange(end.SendCallMaxMs!.Value, 0.005, 0.02);
    }

    /// <summary>Sends that go the long way and wait for the ACK, completed on another thread: the caller does not return before.</summary>
    [Theory]
    [InlineData(false, 0u)]
    [InlineData(true, 0u)]
    [InlineData(false, TcpipEvents.Pending)]
    public void BlockingSends_LastUntilTheyAreCompleted(bool triedTheFastWay, uint returned)
    {
        TcpipEvents events = Connection();
        uint at = 1_000;
        for (int i = 0; i < 12; i++)
        {
            long t = 10_000 + (i * 150_000L);
            events.On(77, 5);
            if (triedTheFastWay)
            {
                events.SocketSend(t - 2, Endpoint, enters: true, 16_384, location: 3_047);
            }

            events.SocketSend(t, Endpoint, enters: true, 16_384, location: 3_003).SocketSend(t + 1, Endpoint, enters: true, 16_384, location: 3_006)
                .SendPosted(t + 3, Tcb, 16_384, at, "posted");
            if (returned != 0)
            {
                events.SocketSend(t + 5, Endpoint, enters: false, 16_384, returned, location: 3_018);
            }

            events.On(0, 0).DataSent(t + 10, Tcb, 16_384, at, cwnd: 65_535).CumulativeAck(t + 60_000, Tcb, 16_384, at += 16_384, cwnd: 65_535)
                .SocketSend(t + 60_030, Endpoint, enters: false, 16_384, location: 3_023);
        }

        (IReadOnlyList<Finding> findings, ConnectionEnd end) = Run(events);

        Finding finding = Assert.Single(findings, f => f.Cause == Cause.SendBuffer);
        Assert.Equal((12, 720.0), ((int)finding.Count, Math.Round(finding.CostMs!.Value)));
        Assert.Equal(12, end.SendCalls);
    }

    /// <summary>Begins without an end are dropped, at a lost event as in a trace that has only some of them; they do not add up.</summary>
    [Fact]
    public void SendsWithoutAnEnd_DoNotLast()
    {
        TcpipEvents events = Connection().On(77, 5);
        for (int i = 0; i < 300; i++)
        {
            events.SocketSend(10_000 + (i * 7_000L), Endpoint, enters: true, 120, location: 3_047);
            if (i % 10 == 9)
            {
                events.SocketSend(10_020 + (i * 7_000L), Endpoint, enters: false, 120, location: 3_051);
            }
        }

        (IReadOnlyList<Finding> findings, ConnectionEnd end) = Run(events);

        Assert.DoesNotContain(findings, f => f.Cause == Cause.SendBuffer);
        Assert.Equal((30, 0.02), (end.SendCalls, Math.Round(end.SendCallMaxMs!.Value, 3)));
    }

    /// <summary>The copy is written in whatever process runs.</summary>
    [Fact]
    public void Copy_DoesNotNameTheOwner()
    {
        TcpipEvents events = new TcpipEvents().Rundown(0, Tcb, Client, Server, 77).On(4, 9).SocketSend(5, Endpoint, enters: true, 64, location: 3_056);
        for (int i = 0; i < 10; i++)
        {
            long t = 10_000 + (i * 200_000L);
            events.On(0, 0).SocketData(t, Endpoint, 100).On(77, 5).SocketReceive(t + 34_980, Endpoint, enters: true, 4_096)
                .SocketReceive(t + 35_000, Endpoint, enters: false, 100);
        }

        Assert.Equal("process 77", Assert.Single(TraceRun.Findings(events), f => f.Cause == Cause.ClientThink).Process);
    }

    private static TcpipEvents Connection() => new TcpipEvents().On(77, 5).SocketConnect(0, Endpoint, Server).ConnectStarted(5, Tcb, Client, Server, 77)
        .Connected(900, Tcb, Client, Server, 77);

    private static (IReadOnlyList<Finding> Findings, ConnectionEnd End) Run(TcpipEvents events)
    {
        RecordingResult result = TraceRun.Result(events);
        return (result.Findings, Assert.Single(TraceRun.Report(result).Connections).Ends[0]);
    }
}
