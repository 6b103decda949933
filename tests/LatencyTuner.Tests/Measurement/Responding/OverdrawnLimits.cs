using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Responding;

public sealed class OverdrawnLimits
{
    [Fact]
    public void Setup_BeyondALimit_RefusedWithBothNumbers()
    {
        using Responder responder = Rig.Serve();
        ResponderLimits limits = new();
        foreach ((SetupRequest setup, string text) in new[]
        {
            (new SetupRequest { RequestSize = limits.MessageBytes + 1 }, "a request size of 16777217 bytes; this responder allows 16777216 bytes"),
            (new SetupRequest { ReplySize = limits.MessageBytes + 1 }, "a reply size of 16777217"),
            (new SetupRequest { ReplySize = 100, ReplyWrites = limits.ReplyWrites + 1 }, "a reply of 65 writes; this responder allows 64 writes"),
            (new SetupRequest { ThinkNs = 10_001_000_000 }, "a think time of 10001 ms; this responder allows 10000 ms"),
            (new SetupRequest { SendBuffer = limits.SocketBufferBytes + 1 }, "a send buffer of 16777217"),
            (new SetupRequest { ReceiveBuffer = int.MaxValue }, "a receive buffer of 2147483647"),
        })
        {
            using RawClient client = new(responder);
            client.AskFor(setup);
            Refusal refusal = client.Refused();
            Assert.Equal(RefusalReason.Limit, refusal.Reason);
            Assert.Contains(text, refusal.Text, StringComparison.Ordinal);
        }

        Rig.AssertServesStill(responder);
    }

    [Fact]
    public void Setup_NotPositive_Refused()
    {
        using Responder responder = Rig.Serve();
        foreach (SetupRequest setup in new SetupRequest[]
        {
            new() { RequestSize = 0 }, new() { RequestSize = int.MinValue }, new() { ReplySize = 0 }, new() { ReplyWrites = 0 },
            new() { ReplySize = 4, ReplyWrites = 5 }, new() { ThinkNs = -1 }, new() { SendBuffer = -2 }, new() { Pin = int.MinValue },
        })
        {
            using RawClient client = new(responder);
            client.AskFor(setup);
            Assert.Equal(RefusalReason.Protocol, client.Refused().Reason);
        }

        Rig.AssertServesStill(responder);
    }

    [Fact]
    public void Connections_BeyondTheLimit_BusyUntilOneLeaves()
    {
        using Responder responder = Rig.Serve(limits: new ResponderLimits { Connections = 2 });
        using RawClient first = new RawClient(responder).Ready(new SetupRequest());
        using (RawClient second = new RawClient(responder).Ready(new SetupRequest()))
        {
            using RawClient third = new(responder);
            third.AskFor(new SetupRequest());
            Refusal refusal = third.Refused();
            Assert.Equal(RefusalReason.Busy, refusal.Reason);
            Assert.Contains("all 2 connections", refusal.Text, StringComparison.Ordinal);
        }

        first.Dispose();
        Rig.AssertSettles(responder);
        Rig.AssertServesStill(responder);
    }

    [Fact]
    public void Memory_BeyondTheBudget_BusyUntilItIsGivenBack()
    {
        using Responder responder = Rig.Serve(limits: new ResponderLimits { TotalMemoryBytes = 4 << 20 });
        using (RawClient first = new RawClient(responder).Ready(new SetupRequest { SendBuffer = 3 << 20 }))
        {
            using RawClient second = new(responder);
            second.AskFor(new SetupRequest { ReceiveBuffer = 1 << 20 });
            Assert.Contains("--max-memory", second.Refused().Text, StringComparison.Ordinal);
        }

        Rig.AssertSettles(responder);
        using RawClient third = new RawClient(responder).Ready(new SetupRequest { SendBuffer = 3 << 20 });
    }

    [Fact]
    public void Buffers_ManyConnectionsInTurn_EachGetsItsListener()
    {
        using Responder responder = Rig.Serve();
        MeasurementPlan plan = Rig.Patient(1, new Workload { PeerReceiveBuffer = 65536 });
        for (int i = 0; i < 80; i++)
        {
            Assert.True(Rig.Run(Rig.TargetOf(responder), plan).PeerState!.BuffersBeforeListen);
        }

        Rig.AssertSettles(responder);
    }
}
