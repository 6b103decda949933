using System.Net;
using LatencyTuner.Core.Findings;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>What a cure would bring, by the events of one end: its requests replayed without the wait.</summary>
public sealed class PredictedTraceCures
{
    private const ulong Tcb = 0xFFFF_8000_0000_7000;
    private const ulong Endpoint = 0xFFFF_A000_0000_7000;
    private const int Requests = 24;
    private static readonly IPEndPoint Client = new(IPAddress.Parse("10.3.0.7"), 53_700);
    private static readonly IPEndPoint Server = new(IPAddress.Parse("10.3.0.80"), 9_090);

    /// <summary>Three blocking sends for each request, of 60 ms each; with a larger buffer one round trip remains.</summary>
    [Fact]
    public void SendBuffer_LeavesARoundTrip()
    {
        const uint Bytes = 16_384;
        TcpipEvents events = new TcpipEvents().Connected(0, Tcb, Client, Server, 77).On(77, 5);
        (uint at, uint answer) = (1_000, 5_000);
        for (int i = 0; i < Requests; i++, answer += 100)
        {
            long t = 10_000 + (i * 500_000L);
            for (int call = 0; call < 3; call++, t += 60_050)
            {
                events.On(77, 5).SocketSend(t, Endpoint, enters: true, Bytes, location: 3_003).SocketSend(t + 1, Endpoint, enters: true, Bytes, location: 3_006)
                    .SendPosted(t + 3, Tcb, Bytes, at).On(0, 0).DataSent(t + 10, Tcb, Bytes, at, cwnd: 65_535)
                    .CumulativeAck(t + 60_010, Tcb, Bytes, at += Bytes, cwnd: 65_535).SocketSend(t + 60_030, Endpoint, enters: false, Bytes, location: 3_023);
            }

            events.DataReceived(t + 10, Tcb, 100, answer);
        }

        CurePrediction prediction = Predicted(events, Cause.SendBuffer);
        Assert.True(prediction.AtBest);
        Assert.Equal((180.2, 60.0), (prediction.P50Us / 1e3, prediction.P50AfterUs / 1e3), Near);
        Assert.Equal(Requests * 120.2, prediction.SavesMs, 10.0);
    }

    /// <summary>Each request needs three times what the window holds; a window that holds all of it leaves one round trip.</summary>
    [Fact]
    public void ReceiveWindow_LeavesARoundTrip()
    {
        const uint Window = 14_600;
        TcpipEvents events = new TcpipEvents().Connected(0, Tcb, Client, Server, 77);
        (uint at, uint answer) = (1_000, 5_000);
        for (int i = 0; i < Requests; i++, answer += 100)
        {
            long t = 10_000 + (i * 500_000L);
            events.SendPosted(t, Tcb, 3 * Window, at);
            for (int flight = 0; flight < 3; flight++, t += 40_020)
            {
                for (int segment = 0; segment < 10; segment++, at += 1460)
                {
                    events.DataSent(t + 10 + segment, Tcb, 1460, at, cwnd: 200_000, sndWnd: Window);
                }

                events.CumulativeAck(t + 40_010, Tcb, Window, at, cwnd: 200_000, sndWnd: Window);
            }

            events.DataReceived(t, Tcb, 100, answer);
        }

        CurePrediction prediction = Predicted(events, Cause.ReceiveWindow);
        Assert.True(prediction.AtBest);
        Assert.Equal((120.0, 40.0), (prediction.P50Us / 1e3, prediction.P50AfterUs / 1e3), Near);
    }

    /// <summary>The server's delayed-ACK timer keeps the second half of each request waiting.</summary>
    [Fact]
    public void LateAcks_LeaveTheRestOfTheRequest()
    {
        TcpipEvents events = new TcpipEvents().Accepted(0, Tcb, Server, Client, 77);
        (uint at, uint answer) = (1_000, 5_000);
        for (int i = 0; i < Requests; i++, at += 200, answer += 300)
        {
            long t = 10_000 + (i * 500_000L);
            events.DataReceived(t, Tcb, 100, at).TimerStarted(t + 5, Tcb, 2, 40).TimerExpired(t + 40_000, Tcb, 2).DataReceived(t + 40_600, Tcb, 100, at + 100)
                .SendPosted(t + 42_600, Tcb, 300, answer).DataSent(t + 42_610, Tcb, 300, answer).CumulativeAck(t + 43_300, Tcb, 300, answer + 300);
        }

        CurePrediction prediction = Predicted(events, Cause.DelayedAck);
        Assert.False(prediction.AtBest);
        Assert.Equal((42.6, 2.6), (prediction.P50Us / 1e3, prediction.P50AfterUs / 1e3), Near);
    }

    private static CurePrediction Predicted(TcpipEvents events, Cause cause)
    {
        CurePrediction prediction = Assert.Single(Assert.Single(TraceRun.Findings(events), f => f.Cause == cause).Predictions);
        Assert.Equal(Requests, prediction.N);
        Assert.NotEmpty(prediction.Assumes);
        return prediction;
    }

    private static bool Near((double Now, double After) expected, (double Now, double After) actual) =>
        Math.Abs(expected.Now - actual.Now) < 1 && Math.Abs(expected.After - actual.After) < 1;
}
