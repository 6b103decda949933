using System.Net;
using LatencyTuner.Tests.Etw;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>
/// A gateway that sends 1,000 requests a second over 100 connections to a server whose delayed-ACK timer is 50 ms, as the profile Detail would
/// record it. Every tenth request is written in two pieces with Nagle's algorithm on. Everything else is quick.
/// </summary>
internal static class StoryTrace
{
    internal const int Connections = 100;
    internal const int RequestsOfEach = 50;
    internal const int Held = Connections * RequestsOfEach / 10;
    internal const uint Gateway = 4_120;

    private const long PeerTimerUs = 50_000;
    private const long CycleUs = 100_000;

    internal static byte[] Make(bool held = true)
    {
        TcpipEvents events = new TcpipEvents().ProcessNamed(0, Gateway, @"\Device\HarddiskVolume3\Services\gateway.exe")
            .ProcessNamed(1, 900, @"\Device\HarddiskVolume3\Windows\System32\svchost.exe");
        IPEndPoint server = new(IPAddress.Parse("10.0.0.9"), 7_001);
        for (int i = 0; i < Connections; i++)
        {
            ulong tcb = 0xFFFF_8000_0000_0000 + ((ulong)i * 0x1000);
            events.Rundown(10 + i, tcb, new IPEndPoint(IPAddress.Parse("10.0.0.5"), 50_000 + i), server, Gateway);
            events.TemplateParameters(200 + i, tcb, 5, 2);
            uint sequence = 1_000u * (uint)i;
            for (int n = 0; n < RequestsOfEach; n++)
            {
                // Spread evenly, with some microseconds this way or that.
                long at = 10_000 + (n * CycleUs) + (i * (CycleUs / Connections)) + (((i * 31) + (n * 17)) % 97);
                sequence = Request(
                    events, new Socket(tcb, 0xFFFF_A000_0000_0000 + ((ulong)i * 0x100), 1_000 + i, sequence, (uint)(n * 120)), at, held && (n + i) % 10 == 0);
            }
        }

        return new EtlWriter { LoggerName = "LatencyTuner Detail" }.Add(events.Records).ToArray();
    }

    private static uint Request(TcpipEvents events, Socket s, long at, bool split)
    {
        const uint Header = 40, Body = 200, Reply = 120;
        events.On((int)Gateway, s.Thread);
        uint sequence = s.Sequence;
        if (split)
        {
            Send(events, s, at, Header, sequence);
            events.On(0, 0).DataSent(at + 8, s.Tcb, Header, sequence, cwnd: 65_535).On((int)Gateway, s.Thread);
            sequence += Header;
            Send(events, s, at + 30, Body, sequence);
            at += PeerTimerUs + 300;
            events.On(0, 0).CumulativeAck(at, s.Tcb, Header, sequence, cwnd: 65_535).DataSent(at + 9, s.Tcb, Body, sequence, cwnd: 65_535);
        }
        else
        {
            Send(events, s, at, Header + Body, sequence);
            events.On(0, 0).DataSent(at + 8, s.Tcb, Header + Body, sequence, cwnd: 65_535);
        }

        long answered = at + 700 + (at % 211);
        sequence = s.Sequence + Header + Body;
        events.CumulativeAck(answered, s.Tcb, split ? Body : Header + Body, sequence, cwnd: 65_535).DataReceived(answered + 1, s.Tcb, Reply, s.PeerSequence)
            .TimerStarted(answered + 2, s.Tcb, TcpipEvents.DelayedAckTimer, 40).DeliveryIndicated(answered + 3, s.Tcb, Reply, s.PeerSequence)
            .DeliverySatisfied(answered + 4, s.Tcb, Reply, s.PeerSequence)
            .SocketData(answered + 5, s.Endpoint, Reply).On((int)Gateway, s.Thread).SocketReceive(answered + 15, s.Endpoint, enters: false, Reply)
            .On(0, 0).TimerExpired(answered + 40_002, s.Tcb, TcpipEvents.DelayedAckTimer);
        return sequence;
    }

    private static void Send(TcpipEvents events, Socket s, long at, uint bytes, uint sequence) =>
        events.SocketSend(at - 2, s.Endpoint, enters: true, bytes).SendPosted(at, s.Tcb, bytes, sequence).SocketSend(at + 12, s.Endpoint, enters: false, bytes);

    private sealed record Socket(ulong Tcb, ulong Endpoint, int Thread, uint Sequence, uint PeerSequence);
}
