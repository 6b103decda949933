using System.Net;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>Events of Winsock-AFD joined with the connections of TCP: late reads and long sends, by connection and process.</summary>
public sealed class SocketCalls
{
    private const ulong Tcb = 0xFFFF_8000_0000_1000;
    private const ulong OtherTcb = 0xFFFF_8000_0000_2000;
    private const ulong Endpoint = 0xFFFF_A000_0000_1000;
    private const ulong OtherEndpoint = 0xFFFF_A000_0000_2000;
    private const ulong Listener = 0xFFFF_A000_0000_9000;
    private static readonly IPEndPoint Client = new(IPAddress.Parse("10.0.0.5"), 50_000);
    private static readonly IPEndPoint Server = new(IPAddress.Parse("10.0.0.9"), 1433);

    [Fact]
    public void AcceptedSocket_ThatIsReadLate_NamesConnectionAndProcess()
    {
        TcpipEvents events = new TcpipEvents().On(0, 0).Accepted(0, Tcb, Server, Client, 88).On(88, 5).SocketAccept(10, Listener, Endpoint, Client);

        Finding finding = Assert.Single(TraceRun.Findings(Reads(events, waitUs: 30_000)), f => f.Cause == Cause.ServerThink);

        Assert.Equal(("process 88", 10, 300.0, false), (finding.Process, (int)finding.Count, Math.Round(finding.CostMs!.Value), finding.Verified));
        Assert.Equal([$"{Client} > {Server}"], finding.Connections);
        Assert.Contains("reads late", finding.Recommendation, StringComparison.Ordinal);
    }

    /// <summary>A receive call that waits for data is no late read, and neither are microseconds.</summary>
    [Fact]
    public void Socket_ThatWaitsForItsData_IsNotLate()
    {
        TcpipEvents events = new TcpipEvents().Accepted(0, Tcb, Server, Client, 88).On(88, 5).SocketAccept(10, Listener, Endpoint, Client);
        for (int i = 0; i < 10; i++)
        {
            long t = 10_000 + (i * 200_000L);
            events.SocketReceive(t - 9_000, Endpoint, enters: true, 4096).SocketReceive(t - 8_999, Endpoint, enters: false, 0, TcpipEvents.Pending)
                .SocketData(t + 100_000, Endpoint, 100).SocketReceive(t + 100_020, Endpoint, enters: false, 100);
        }

        RecordingResult result = TraceRun.Result(events);

        Assert.DoesNotContain(result.Findings, f => f.Cause is Cause.ServerThink or Cause.ClientThink);
        Assert.InRange(Assert.Single(TraceRun.Report(result).Connections).Ends[0].ReadWaitP50Ms!.Value, 0.015, 0.025);
    }

    [Fact]
    public void SocketOlderThanTheTrace_IsJoinedByItsSends()
    {
        TcpipEvents events = new TcpipEvents().Rundown(0, Tcb, Client, Server, 77).Rundown(1, OtherTcb, new(Client.Address, 50_001), Server, 77);
        events.On(77, 5).SocketSend(998, Endpoint, enters: true, 64).SendPosted(1_000, Tcb, 64, 1).SocketSend(1_010, Endpoint, enters: false, 64);

        Finding finding = Assert.Single(TraceRun.Findings(Reads(events, waitUs: 30_000)), f => f.Cause == Cause.ClientThink);

        Assert.Equal([$"{Client} > {Server}"], finding.Connections);
    }

    /// <summary>Two connections to one server, of which the ends do not tell which is the socket's, and no send of it was seen.</summary>
    [Fact]
    public void SocketWithSeveralCandidates_StaysWithItsProcess()
    {
        TcpipEvents events = new TcpipEvents().On(0, 0).Rundown(0, Tcb, Client, Server, 77).Rundown(1, OtherTcb, new(Client.Address, 50_001), Server, 77)
            .On(77, 5).SocketConnect(2, Endpoint, Server);

        Finding finding = Assert.Single(TraceRun.Findings(Reads(events, waitUs: 30_000)), f => f.Cause == Cause.ClientThink);

        Assert.Equal("process 77", finding.Process);
        Assert.Empty(finding.Connections);
        Assert.Contains(finding.Against, s => s.Contains("does not show which connections", StringComparison.Ordinal));

        // Whether such a socket passes a filter by ends cannot be told either.
        Assert.DoesNotContain(TraceRun.Findings(events, RecordingFilter.All with { Ports = [new PortRange(1433, 1433)] }), f => f.Cause == Cause.ClientThink);
    }

    [Fact]
    public void Socket_WhoseSendsAreOfTwoConnections_BelongsToNeither()
    {
        TcpipEvents events = new TcpipEvents().Rundown(0, Tcb, Client, Server, 77).Rundown(1, OtherTcb, new(Client.Address, 50_001), Server, 77).On(77, 5);
        for (int i = 0; i < 2; i++)
        {
            events.SocketSend(998 + (i * 100), Endpoint, enters: true, 64).SendPosted(1_000 + (i * 100), i == 0 ? Tcb : OtherTcb, 64, 1)
                .SocketSend(1_010 + (i * 100), Endpoint, enters: false, 64);
        }

        Assert.Empty(Assert.Single(TraceRun.Findings(Reads(events, waitUs: 30_000)), f => f.Cause == Cause.ClientThink).Connections);
    }

    /// <summary>The address of an endpoint is used again for another socket.</summary>
    [Fact]
    public void Socket_AfterItsEndpointWasClosed_IsAnother()
    {
        TcpipEvents events = new TcpipEvents().Accepted(0, Tcb, Server, Client, 88).On(88, 5).SocketAccept(10, Listener, Endpoint, Client);
        Reads(events, waitUs: 20).On(88, 5).SocketClosed(4_000_000, Endpoint);
        IPEndPoint next = new(Client.Address, 50_009);
        events.Accepted(4_100_000, OtherTcb, Server, next, 88).SocketAccept(4_100_010, Listener, Endpoint, next);
        Reads(events, waitUs: 40_000, from: 5_000_000);

        Assert.Equal(
            [$"{next} > {Server}"], Assert.Single(TraceRun.Report(TraceRun.Result(events)).Connections, c => c.Ends[0].LateReads > 0).Id is { } id ? [id] : []);
    }

    /// <summary>Sends that end with the acknowledgement, with room in every window: the send buffer.</summary>
    [Fact]
    public void Sends_ThatEndWithTheAcknowledgement_AreTheSendBuffers()
    {
        Finding finding = Assert.Single(TraceRun.Findings(Blocking(acked: true)), f => f.Cause == Cause.SendBuffer);

        Assert.Equal(
            ("LT114", Side.Client, "process 77", 10, Severity.Error, Confidence.Likely),
            (finding.Id, finding.Side, finding.Process, (int)finding.Count, finding.Severity, finding.Confidence));
        Assert.Equal(10 * 40.0, finding.CostMs!.Value, 0);
        Assert.Contains(finding.For, s => s.Contains("SO_SNDBUF was set to 8,192", StringComparison.Ordinal));
    }

    /// <summary>Sends that take as long without an acknowledgement at their end (a thread that does not run), and those that a window explains.</summary>
    [Theory]
    [InlineData(false, 65_535u)]
    [InlineData(true, 8_192u)]
    public void Sends_ThatSomethingElseExplains_AreNotTheSendBuffers(bool acked, uint window)
    {
        IReadOnlyList<Finding> findings = TraceRun.Findings(Blocking(acked, window));

        Assert.DoesNotContain(findings, f => f.Cause == Cause.SendBuffer);
        Assert.Equal(window < 10_000, findings.Any(f => f.Cause == Cause.ReceiveWindow));
    }

    /// <summary>An overlapped send returns at once and goes on until it is completed, on whatever thread.</summary>
    [Fact]
    public void OverlappedSends_LastUntilTheyAreCompleted()
    {
        AnalysisReport report = TraceRun.Report(TraceRun.Result(Blocking(acked: true, overlapped: true)));

        ConnectionEnd end = Assert.Single(report.Connections).Ends[0];
        Assert.Equal((10, 40), ((int)end.SendCalls, (int)end.SendCallMaxMs!.Value));
        Assert.Contains(report.Findings, f => f.Cause == Cause.SendBuffer);
    }

    [Fact]
    public void SendsOfUnknownConnections_ArePossibleAtMost()
    {
        TcpipEvents events = new TcpipEvents().Rundown(0, Tcb, Client, Server, 77).On(77, 5);
        for (int i = 0; i < 5; i++)
        {
            events.SocketSend(10_000 + (i * 100_000), OtherEndpoint, enters: true, 64).SocketSend(60_000 + (i * 100_000), OtherEndpoint, enters: false, 64);
        }

        Finding finding = Assert.Single(TraceRun.Findings(events), f => f.Cause == Cause.SendBuffer);
        Assert.Equal((Confidence.Possible, Severity.Info, "process 77"), (finding.Confidence, finding.Severity, finding.Process));
    }

    /// <summary>Layouts of the kernel's own events are verified, those of sockets are not: neither is what both tell together.</summary>
    [Fact]
    public void SocketOfAVerifiedConnection_IsNotVerified()
    {
        ByteWriter kernel = new ByteWriter().U32(88).U32(0).Raw(Client.Address.GetAddressBytes()).Raw(Server.Address.GetAddressBytes())
            .BigEndian16((ushort)Client.Port).BigEndian16((ushort)Server.Port).U32(0).Pointer(0, 8);
        TcpipEvents events = new TcpipEvents().Add(0, 11, 0, kernel, provider: TcpEventDecoder.KernelNetworkProvider);
        Assert.True(Assert.Single(TraceRun.Report(TraceRun.Result(events)).Connections).Ends[0].Verified);

        events.On(88, 5).SocketAccept(10, Listener, Endpoint, Client);
        AnalysisReport report = TraceRun.Report(TraceRun.Result(Reads(events, waitUs: 30_000)));

        Assert.False(Assert.Single(report.Findings, f => f.Cause == Cause.ServerThink).Verified);
        Assert.False(Assert.Single(report.Connections).Ends[0].Verified);
        Assert.All(report.Processes, p => Assert.False(p.Verified));
    }

    private static TcpipEvents Reads(TcpipEvents events, long waitUs, long from = 10_000)
    {
        for (int i = 0; i < 10; i++)
        {
            long t = from + (i * 200_000L);
            events.On(0, 0).SocketData(t, Endpoint, 100).On(88, 5).SocketReceive(t + waitUs - 20, Endpoint, enters: true, 4096)
                .SocketReceive(t + waitUs, Endpoint, enters: false, 100);
        }

        return events;
    }

    /// <summary>Ten sends of 8,192 bytes, each over when its data is acknowledged 40 ms later, or without that.</summary>
    private static TcpipEvents Blocking(bool acked, uint window = 65_535, bool overlapped = false)
    {
        TcpipEvents events = new TcpipEvents().On(77, 5).SocketConnect(0, Endpoint, Server).ConnectStarted(5, Tcb, Client, Server, 77)
            .Connected(1_000, Tcb, Client, Server, 77).SocketOption(1_100, Endpoint, 7, 8192);
        for (uint i = 0u; i < 10; i++)
        {
            long t = 10_000 + (i * 100_000L);
            uint sequence = 1_000 + (i * 8_192);
            events.On(77, 5).SocketSend(t, Endpoint, enters: true, 8192).SendPosted(t + 5, Tcb, 8192, sequence);
            if (overlapped)
            {
                events.SocketSend(t + 8, Endpoint, enters: false, 8192, TcpipEvents.Pending);
            }

            // With a window of 8,192, the peer has room for the rest only when it has acknowledged.
            uint first = window < 10_000 ? 4_096u : 8_192u;
            events.On(0, 0).DataSent(t + 10, Tcb, first, sequence, sndWnd: first == 8_192 ? window : 4_096);
            if (first < 8_192)
            {
                events.CumulativeAck(t + 39_000, Tcb, first, sequence, sndWnd: 65_535).DataSent(t + 39_010, Tcb, 4_096, sequence + first);
            }

            events.CumulativeAck(acked ? t + 40_000 : t + 20_000, Tcb, first, sequence + 8_192);
            events.On(overlapped ? 4 : 77, overlapped ? 9 : 5).SocketSend(t + 40_050, Endpoint, enters: false, 8192);
        }

        return events;
    }
}
