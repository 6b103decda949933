using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Responding;

public sealed class BadClients
{
    // Long enough for a client that means well on a machine that is busy.
    private static readonly ResponderLimits Quick = new() { Handshake = TimeSpan.FromSeconds(2), Idle = TimeSpan.FromSeconds(1) };

    [Fact]
    public void RandomBytes_RefusedAtOnce()
    {
        using Responder responder = Rig.Serve();
        Random random = new(7);
        for (int i = 0; i < 50; i++)
        {
            using RawClient client = new(responder);
            byte[] bytes = new byte[random.Next(1, 400)];
            random.NextBytes(bytes);
            client.Socket.Send(bytes);
            Assert.True(client.IsClosedByPeer());
        }

        Rig.AssertServesStill(responder);
        Assert.Equal(50, responder.Statistics.Refused);
    }

    [Fact]
    public void Handshake_CutAtEveryByte_ConnectionDropped()
    {
        using Responder responder = Rig.Serve();
        byte[] setup = FrameHeader.Frame(FrameType.Setup, new SetupRequest().Write(), []);
        for (int i = 0; i < RawClient.Hello.Length + setup.Length; i++)
        {
            using RawClient client = new(responder);
            client.Socket.Send(RawClient.Hello.AsSpan(0, Math.Min(i, RawClient.Hello.Length)));
            if (i >= RawClient.Hello.Length)
            {
                Rig.ReadFrame(client.Socket);
                client.Socket.Send(setup.AsSpan(0, i - RawClient.Hello.Length));
            }

            client.Socket.Shutdown(SocketShutdown.Send);
            Assert.True(client.IsClosedByPeer());
        }

        Rig.AssertServesStill(responder);
    }

    [Fact]
    public void Handshake_ByteByByte_IsServed()
    {
        using Responder responder = Rig.Serve();
        using RawClient client = new(responder);
        foreach (byte b in RawClient.Hello)
        {
            client.Socket.Send([b]);
        }

        Rig.ReadFrame(client.Socket);
        foreach (byte b in FrameHeader.Frame(FrameType.Setup, new SetupRequest { RequestSize = 1, ReplySize = 1 }.Write(), []))
        {
            client.Socket.Send([b]);
        }

        Assert.Equal(FrameType.Ready, Rig.ReadFrame(client.Socket).Type);
        client.Socket.Send([1]);
        Rig.ReceiveExactly(client.Socket, new byte[1]);
    }

    [Theory]
    [InlineData(257u)]
    [InlineData(2049u)]
    [InlineData(0x7FFFFFFFu)]
    [InlineData(0xFFFFFFFFu)]
    public void Handshake_LengthFieldTooLarge_Refused(uint length)
    {
        using Responder responder = Rig.Serve();
        using (RawClient client = new(responder))
        {
            byte[] head = RawClient.Hello[..Wire.HeaderSize];
            BitConverter.TryWriteBytes(head.AsSpan(8), length);
            client.Socket.Send(head);
            Assert.Equal(RefusalReason.Protocol, client.Refused().Reason);
        }

        Rig.AssertServesStill(responder);
    }

    [Fact]
    public void Handshake_EveryOtherFrameFirst_Refused()
    {
        using Responder responder = Rig.Serve(Rig.Token);
        for (int type = 0; type <= 255; type++)
        {
            if (type != (int)FrameType.ClientHello)
            {
                using RawClient client = new(responder);
                client.Socket.Send(FrameHeader.Frame((FrameType)type, [], []));
                Assert.Equal(RefusalReason.Protocol, client.Refused().Reason);
            }
        }

        Rig.AssertServesStill(responder, Rig.Token);
    }

    [Fact]
    public void Handshake_OtherVersion_RefusedWithTheVersionSpoken()
    {
        using Responder responder = Rig.Serve();
        using RawClient client = new(responder);
        Rig.SendFrame(client.Socket, FrameType.ClientHello, new ClientHello(1, 1, false, new byte[Wire.NonceSize]).Write());

        Refusal refusal = client.Refused();

        Assert.Equal(RefusalReason.Version, refusal.Reason);
        Assert.Contains("version 2, the client speaks 1: use the same release", refusal.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(8)]
    public void Handshakes_FloodBeyondTheTable_OldestDroppedAndNewestServed(int limit)
    {
        using Responder responder = Rig.Serve(limits: new ResponderLimits { Handshakes = limit });
        List<RawClient> flood = [];
        for (int i = 0; i < 300; i++)
        {
            RawClient client = new(responder);
            // Readable sockets that are dropped in the same pass are the difficult case.
            client.Socket.Send(RawClient.Hello.AsSpan(0, 1));
            flood.Add(client);
        }

        Assert.True(Rig.Run(Rig.TargetOf(responder), Rig.Patient(200)).Complete);
        Assert.True(responder.Statistics.Handshakes <= limit);
        flood.ForEach(c => c.Dispose());
        Rig.AssertServesStill(responder);
        Assert.True(responder.Statistics.Refused >= 300 - limit);
    }

    [Fact]
    public void SlowClients_AThousandStalledInTheirHandshake_OneGoodClientUnharmed()
    {
        using Responder responder = Rig.Serve(limits: new ResponderLimits { Handshake = TimeSpan.FromSeconds(60) });
        List<RawClient> slow = [];
        for (int i = 0; i < 1000; i++)
        {
            RawClient client = new(responder);
            client.Socket.Send(RawClient.Hello.AsSpan(0, 1));
            slow.Add(client);
        }

        Assert.True(SpinWait.SpinUntil(() => responder.Statistics.Handshakes == 1000, TimeSpan.FromSeconds(20)));
        MeasurementResult result = Rig.Run(Rig.TargetOf(responder), Rig.Patient(250));

        Assert.True(result.Complete, result.EndedBecause);
        Assert.Equal(250, result.Received);
        Assert.Equal(1000, responder.Statistics.Handshakes);
        slow.ForEach(c => c.Dispose());
        Rig.AssertServesStill(responder);
    }

    [Fact]
    public void Timeouts_OfHandshakeAndSilence_EndTheConnection()
    {
        ConcurrentQueue<ClientEvent> log = new();
        using Responder responder = Rig.Serve(limits: Quick, log: log.Enqueue);
        using RawClient inHandshake = new(responder);
        inHandshake.Socket.Send(RawClient.Hello.AsSpan(0, 5));
        using RawClient silent = new RawClient(responder).Ready(new SetupRequest());
        using RawClient spinning = new RawClient(responder).Ready(new SetupRequest { Spin = true });

        Assert.True(inHandshake.IsClosedByPeer());
        Assert.True(silent.IsClosedByPeer());
        Assert.True(spinning.IsClosedByPeer());
        Rig.AssertSettles(responder);
        Assert.Contains(log, l => l.Because.Contains("not finished within 2 s", StringComparison.Ordinal));
        Rig.AssertServesStill(responder);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Client_NeverReadsItsReplies_Dropped(bool spin)
    {
        using Responder responder = Rig.Serve(limits: Quick with { MessageBytes = 64 << 20 });
        using RawClient client = new(responder);
        client.Socket.ReceiveBufferSize = 4096;
        client.Ready(new SetupRequest { RequestSize = 1, ReplySize = 64 << 20, Spin = spin });
        client.Socket.Send([1]);

        Rig.AssertSettles(responder);
        Assert.Equal(0, responder.Statistics.Messages);
        Rig.AssertServesStill(responder);
    }

    [Theory]
    [InlineData("vanishes")]
    [InlineData("half-closes within a request")]
    [InlineData("resets")]
    public void Client_GoneWithinARequest_Dropped(string how)
    {
        using Responder responder = Rig.Serve();
        using (RawClient client = new RawClient(responder).Ready(new SetupRequest { RequestSize = 100 }))
        {
            client.Socket.Send(new byte[250]);
            Rig.ReceiveExactly(client.Socket, new byte[128]);
            switch (how)
            {
                case "half-closes within a request":
                    client.Socket.Shutdown(SocketShutdown.Send);
                    Assert.True(client.IsClosedByPeer());
                    break;
                case "resets":
                    client.Socket.LingerState = new LingerOption(true, 0);
                    break;
            }
        }

        Rig.AssertSettles(responder);
        Assert.Equal(2, responder.Statistics.Messages);
        Rig.AssertServesStill(responder);
    }

    [Fact]
    public void Client_HalfClosesEarly_GetsAllRepliesAndTheResult()
    {
        using Responder responder = Rig.Serve();
        using RawClient client = new RawClient(responder).Ready(new SetupRequest { RequestSize = 100, ReplySize = 64 });
        client.Socket.Send(new byte[300]);
        client.Socket.Shutdown(SocketShutdown.Send);

        Rig.ReceiveExactly(client.Socket, new byte[192]);
        RunResult result = RunResult.Read(Rig.ReadFrame(client.Socket).Payload);

        Assert.Equal(3, result.Messages);
        Assert.Equal(300, result.Bytes);
    }

    [Fact]
    public void Dispose_ClientsActiveInEveryState_ReturnsWithAllThreadsGone()
    {
        int ended = 0;
        Responder responder = Rig.Serve(
            limits: new ResponderLimits { SpinningConnections = 1, MessageBytes = 64 << 20 },
            log: e => Interlocked.Add(ref ended, e.Messages is null ? 0 : 1));
        using RawClient inHandshake = new(responder);
        using RawClient silent = new RawClient(responder).Ready(new SetupRequest());
        using RawClient spinning = new RawClient(responder).Ready(new SetupRequest { Spin = true });
        using RawClient thinking = new RawClient(responder).Ready(new SetupRequest { RequestSize = 1, ThinkNs = 10_000_000_000 });
        using RawClient notReading = new RawClient(responder).Ready(new SetupRequest { RequestSize = 1, ReplySize = 64 << 20 });
        using RawClient streaming = new RawClient(responder).Ready(new SetupRequest { OneWay = true });
        thinking.Socket.Send([1]);
        notReading.Socket.Send([1]);
        Assert.True(SpinWait.SpinUntil(() => notReading.Socket.Available > 0, 10_000));
        Stopwatch time = Stopwatch.StartNew();

        responder.Dispose();
        responder.Dispose();

        Assert.True(time.Elapsed < TimeSpan.FromSeconds(5));
        // Each serving thread logs as its last act, and Dispose has joined them.
        Assert.Equal(5, Volatile.Read(ref ended));
        Assert.Equal(0, responder.Statistics.Active);
        Assert.Equal(0, responder.Statistics.Handshakes);
        Assert.True(inHandshake.IsClosedByPeer());
        Assert.True(silent.IsClosedByPeer());
    }

    [Fact]
    public void Dispose_MidRun_GivesTheClientItsNumbers()
    {
        Responder responder = Rig.Serve();
        Thread stop = new(() =>
        {
            SpinWait.SpinUntil(() => responder.Statistics.Active == 1, 10_000);
            Thread.Sleep(200);
            responder.Dispose();
        });
        stop.Start();

        MeasurementResult result = Rig.Run(Rig.TargetOf(responder), Rig.Patient(1) with { Count = null, Duration = TimeSpan.FromSeconds(30) });

        stop.Join();
        Rig.AssertSentence(result.EndedBecause);
        Assert.True(result.Received > 0);
    }
}
