using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Tests.Measurement.Responding;
using Xunit;

namespace LatencyTuner.Tests.Measurement;

/// <summary>Sessions that must work: addresses, tokens, the way to a listener with the asked buffers.</summary>
public sealed class Sessions
{
    private static bool HasIpv6Loopback()
    {
        try
        {
            using Socket socket = new(AddressFamily.InterNetworkV6, SocketType.Stream, ProtocolType.Tcp);
            socket.Bind(new IPEndPoint(IPAddress.IPv6Loopback, 0));
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public void Ipv6_TokenAndBuffers_Measured(bool withToken, bool withBuffers)
    {
        Assert.SkipUnless(HasIpv6Loopback(), "This machine has no IPv6 loopback.");
        SharedToken? token = withToken ? Rig.Token : null;
        using Responder responder = Rig.Serve(token, address: IPAddress.IPv6Loopback);
        Workload workload = new() { PeerReceiveBuffer = withBuffers ? 65536 : null };

        MeasurementResult result = Rig.Run(Rig.TargetOf(responder, token), Rig.Patient(100, workload) with { Connections = 2 });

        Assert.True(result.Complete, result.EndedBecause);
        Assert.Equal(100, result.Received);
        Assert.Equal(withBuffers, result.PeerState!.BuffersBeforeListen);
        Assert.Empty(result.Notes);
        Rig.AssertSettles(responder);
    }

    [Fact]
    public void BothFamilies_OneResponder_SamePort()
    {
        Assert.SkipUnless(HasIpv6Loopback(), "This machine has no IPv6 loopback.");
        using LoopbackResponder first = LoopbackResponder.Start(AddressFamily.InterNetworkV6, "test", "test", null, TimeProvider.System);
        using Responder responder = Responder.Start(
            new ResponderOptions { Addresses = [IPAddress.Loopback, IPAddress.IPv6Loopback] }, TimeProvider.System,
            System.Security.Cryptography.RandomNumberGenerator.Create());

        Assert.Equal(responder.Endpoints[0].Port, responder.Endpoints[1].Port);
        foreach (IPEndPoint endpoint in responder.Endpoints)
        {
            Assert.Equal(10, Rig.Run(new MeasurementTarget("both", endpoint, null, false), Rig.Patient(10)).Received);
        }
    }

    [Theory]
    [InlineData(WritePattern.Single, null)]
    [InlineData(WritePattern.Single, 2000.0)]
    [InlineData(WritePattern.Stream, null)]
    public void Token_Shared_MeasuredAndResultVerified(WritePattern pattern, double? rate)
    {
        using Responder responder = Rig.Serve(Rig.Token);
        MeasurementPlan plan = Rig.Patient(200, new Workload { Pattern = pattern, NoDelay = true }) with { RatePerSecond = rate };

        MeasurementResult result = Rig.Run(Rig.TargetOf(responder, Rig.Token), plan);

        Assert.True(result.Complete, result.EndedBecause);
        Assert.Equal(200, result.Received);
        Assert.Empty(result.Notes);
        Assert.Single(result.PeerCounters);
    }

    [Theory]
    [InlineData("refused")]
    [InlineData("dropped")]
    public void Redirect_PortUnreachable_SetAfterAcceptAndSaidSo(string how)
    {
        Assert.SkipUnless(how == "refused" || OperatingSystem.IsLinux(), "Only Linux drops a SYN when the accept queue is full.");
        using Socket blocked = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        blocked.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        int port = ((IPEndPoint)blocked.LocalEndPoint!).Port;
        RawClient? queued = null;
        if (how == "dropped")
        {
            blocked.Listen(0);
            queued = new RawClient((IPEndPoint)blocked.LocalEndPoint!);
        }

        List<SetupRequest> setups = [];
        using ScriptedResponder peer = new(s =>
        {
            Rig.ReadFrame(s);
            Rig.SendFrame(s, FrameType.ServerHello, ScriptedResponder.Hello().Write());
            SetupRequest setup = SetupRequest.Read(Rig.ReadFrame(s).Payload);
            lock (setups)
            {
                setups.Add(setup);
            }

            Rig.SendFrame(s, FrameType.Ready, ScriptedResponder.Ready(setup.MayRedirect ? port : 0, setup.MayRedirect ? 9UL : 0).Write());
            if (!setup.MayRedirect)
            {
                ScriptedResponder.Answer(s, setup, 5);
                Rig.SendFrame(s, FrameType.Result, ScriptedResponder.Result(5, 320).Write());
            }
        });

        MeasurementResult result = Rig.Run(peer.Target, Rig.Patient(5, new Workload { PeerReceiveBuffer = 65536 }));

        queued?.Dispose();
        Assert.True(result.Complete, result.EndedBecause);
        Assert.Equal(5, result.Received);
        Assert.False(result.PeerState!.BuffersBeforeListen);
        Assert.Equal([true, false], setups.Select(s => s.MayRedirect));
        Assert.Equal(0UL, setups[1].Ticket);
    }

    [Fact]
    public void Ticket_Guessed_GivesNothing()
    {
        using Responder responder = Rig.Serve();
        using RawClient client = new(responder);
        client.AskFor(new SetupRequest { Ticket = 1234567, ReceiveBuffer = 65536 });

        Assert.False(ReadyReply.Read(Rig.ReadFrame(client.Socket).Payload).State.BuffersBeforeListen);
    }

    [Fact]
    public void Statistics_AfterSessions_AddUp()
    {
        using Responder responder = Rig.Serve();
        for (int i = 0; i < 3; i++)
        {
            Rig.Run(Rig.TargetOf(responder), Rig.Patient(40) with { Connections = 4 });
        }

        Rig.AssertSettles(responder);
        Assert.Equal(new ResponderStatistics(12, 0, 12, 0, 0, 120), responder.Statistics);
    }
}
