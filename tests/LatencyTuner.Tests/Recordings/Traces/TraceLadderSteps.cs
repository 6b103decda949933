using System.Net;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>One example of the worst finding, step by step by its events.</summary>
public sealed class TraceLadderSteps
{
    private const ulong Tcb = 0xFFFF_8000_0000_1000;
    private const ulong FarTcb = 0xFFFF_8000_0000_2000;
    private const ulong Endpoint = 0xFFFF_A000_0000_1000;
    private static readonly IPEndPoint Client = new(IPAddress.Parse("10.0.0.5"), 50_000);
    private static readonly IPEndPoint Server = new(IPAddress.Parse("10.0.0.9"), 1433);

    [Fact]
    public void Hold_WithBothEndsHere_TellsTheTimerThatExpired()
    {
        AnalysisLadder ladder = Of(Holds(both: true));

        Assert.Equal(("A typical hold", $"{Client} > {Server}", false), (ladder.Title, ladder.Connection, ladder.Verified));
        Assert.Equal(["client", "client", "server", "client", "client", "server"], ladder.Steps.Select(s => s.From));
        Assert.Equal([0, 0.055, 199.985, 199.995, 200.005, 201], ladder.Steps.Select(s => Math.Round(s.AtMs, 3)));
        Assert.Contains("seq 2000 [TCPIP event 1332]", ladder.Steps[0].Text, StringComparison.Ordinal);
        Assert.Contains("(65535 and 14600 bytes)", ladder.Steps[1].Text, StringComparison.Ordinal);
        Assert.Equal("its delayed-ACK timer expired [TCPIP event 1066], set to 200 ms [TCPIP event 1064]", ladder.Steps[2].Because);
        Assert.Contains("process 88", ladder.Steps[2].Text, StringComparison.Ordinal);
        Assert.Contains("sends the 100 bytes, seq 2100", ladder.Steps[4].Text, StringComparison.Ordinal);
        Assert.Contains("held them for 200.0 ms", ladder.Steps[4].Because, StringComparison.Ordinal);
    }

    [Fact]
    public void Hold_WithOneEndHere_SaysWhatTheTimeTells()
    {
        AnalysisLadder ladder = Of(Holds(both: false));

        Assert.Equal("the server's delayed-ACK timer, judged by the delay", ladder.Steps[2].Because);
        Assert.Equal(ladder.Steps.Select(s => s.AtMs).Order(), ladder.Steps.Select(s => s.AtMs));
    }

    [Fact]
    public void ReceiveWindow_TellsTheRoomAndWhatMadeIt()
    {
        TcpipEvents events = Begun();
        for (uint i = 0u; i < 3; i++)
        {
            events.SendPosted(10_000 + (i * 100_000), Tcb, 16_060, 0).DataSent(10_005 + (i * 100_000), Tcb, 14_600, i * 16_060, 200_000, 14_600)
                .CumulativeAck(60_000 + (i * 100_000), Tcb, 14_600, 0, 200_000, 14_600)
                .DataSent(60_010 + (i * 100_000), Tcb, 1460, (i * 16_060) + 14_600, 200_000, 14_600)
                .CumulativeAck(60_500 + (i * 100_000), Tcb, 1460, 0, 200_000, 14_600);
        }

        AnalysisLadder ladder = Of(events);

        Assert.Contains(
            "1,460 bytes to send [TCPIP event 1159], 14,600 unacknowledged: the peer's window is 14,600 bytes", ladder.Steps[0].Text,
            StringComparison.Ordinal);
        Assert.Equal(
            (50.005, "an ACK [TCPIP event 1330] made room in the peer's window after 50.0 ms"), (Math.Round(ladder.Steps[1].AtMs, 3), ladder.Steps[1].Because));
    }

    [Fact]
    public void Timeout_TellsTheSequenceNumberThatWasSentAgain()
    {
        AnalysisLadder ladder = Of(Begun().SendPosted(995, Tcb, 100, 0).DataSent(1_000, Tcb, 100, 777_000).RetransmitRound(301_000, Tcb, 777_000, 1, 300));

        Assert.Equal([0, 300.0], ladder.Steps.Select(s => s.AtMs));
        Assert.Contains("sends seq 777000 again", ladder.Steps[1].Text, StringComparison.Ordinal);
        Assert.Contains("retransmission timer", ladder.Steps[1].Because, StringComparison.Ordinal);
    }

    [Fact]
    public void ClosedWindow_TellsWhenItOpened() =>
        Assert.Equal(
            "the server's window opened",
            Of(
                Begun().SendPosted(995, Tcb, 100, 0).DataSent(1_000, Tcb, 100, 1000).ZeroWindowProbing(2_000, Tcb, true, 1)
                    .ZeroWindowProbing(502_000, Tcb, false, 1)).Steps[1].Because);

    [Fact]
    public void SendBuffer_TellsTheCall()
    {
        TcpipEvents events = new TcpipEvents().On(77, 5).SocketConnect(0, Endpoint, Server).ConnectStarted(1, Tcb, Client, Server, 77)
            .Connected(200, Tcb, Client, Server, 77);
        for (uint i = 0u; i < 4; i++)
        {
            events.SocketSend(10_000 + (i * 100_000), Endpoint, true, 8192).SendPosted(10_005 + (i * 100_000), Tcb, 8192, 0)
                .DataSent(10_010 + (i * 100_000), Tcb, 8192, i * 8192).CumulativeAck(50_000 + (i * 100_000), Tcb, 8192, 0)
                .SocketSend(50_010 + (i * 100_000), Endpoint, false, 8192);
        }

        AnalysisLadder ladder = Of(events);

        Assert.Equal(["calls send with 8,192 bytes [Winsock-AFD event 1003]", "returns from the send call"], ladder.Steps.Select(s => s.Text));
        Assert.Equal(40.01, ladder.Steps[1].AtMs, 3);
    }

    [Fact]
    public void NothingThatWaited_HasNoExample() => Assert.Null(TraceRun.Report(TraceRun.Result(Begun())).Example);

    private static AnalysisLadder Of(TcpipEvents events) => Assert.IsType<AnalysisLadder>(TraceRun.Report(TraceRun.Result(events)).Example);

    private static TcpipEvents Begun() => new TcpipEvents().Connected(0, Tcb, Client, Server, 77);

    private static TcpipEvents Holds(bool both)
    {
        TcpipEvents events = Begun();
        if (both)
        {
            events.Accepted(1, FarTcb, Server, Client, 88);
        }

        for (uint i = 0u; i < 3; i++)
        {
            // The one in the middle waits neither shortest nor longest.
            long t = 10_000 + (i * 500_000L);
            uint at = 1_000 + (i * 1_000);
            long ack = t + 199_000 + (i * 1_000);
            events.SendPosted(t, Tcb, 100, at).DataSent(t + 5, Tcb, 100, at).SendPosted(t + 60, Tcb, 100, at);
            if (both)
            {
                events.DataReceived(t + 20, FarTcb, 100, at).TimerStarted(t + 21, FarTcb, TcpipEvents.DelayedAckTimer, 200)
                    .TimerExpired(ack - 10, FarTcb, TcpipEvents.DelayedAckTimer);
            }

            events.CumulativeAck(ack, Tcb, 100, at + 100).DataSent(ack + 10, Tcb, 100, at + 100).CumulativeAck(ack + 1_000, Tcb, 100, at + 200)
                .DataReceived(ack + 1_005, Tcb, 50, i * 50);
        }

        return events;
    }
}
