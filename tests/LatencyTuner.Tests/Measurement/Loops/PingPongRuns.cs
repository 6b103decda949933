using System.Net.Sockets;
using System.Security.Cryptography;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Responding;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Loops;

public sealed class PingPongRuns
{
    private static readonly MeasuringContext Context = new(TimeProvider.System, SocketPlatform.Current, RandomNumberGenerator.Create());

    private static MeasurementPlan Plan(Workload workload) => new()
    {
        Workload = workload,
        Duration = TimeSpan.FromMilliseconds(300),
        Warmup = TimeSpan.FromMilliseconds(50),
    };

    private static MeasurementResult Run(MeasurementPlan plan)
    {
        using LoopbackResponder responder = LoopbackResponder.Start(AddressFamily.InterNetwork, "test", "test", null, TimeProvider.System);
        return PingPong.Run(responder.Target, plan, Context, CancellationToken.None);
    }

    [Theory]
    [InlineData(1, 1, 1)]
    [InlineData(64, 64, 1)]
    [InlineData(64, 7, 3)]
    [InlineData(100_000, 300_000, 2)]
    public void ClosedLoop_AnyMessageSize_AllAnswered(int size, int reply, int peerWrites)
    {
        Workload workload = new() { Writes = [size], ReplySize = reply, PeerWrites = peerWrites, PeerNoDelay = true, NoDelay = true };
        MeasurementResult result = Run(Plan(workload) with { Count = 50, Duration = null, Warmup = TimeSpan.Zero });

        Assert.Null(result.EndedBecause);
        Assert.True(result.Complete);
        Assert.Equal(50, result.Received);
        Assert.Equal(result.Sent, result.Received);
        Assert.Equal(result.Received, result.Blocks.Count == 0 ? 0 : Enumerable.Range(0, result.Blocks.Count).Sum(i => result.Blocks[i].Count));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(8)]
    public void OpenLoop_EveryPlannedRequest_SentAndAnswered(int connections)
    {
        MeasurementResult result = Run(Plan(new Workload { NoDelay = true, PeerNoDelay = true }) with { RatePerSecond = 2000, Connections = connections });

        Assert.Null(result.EndedBecause);
        Assert.Equal(600, result.Planned);
        Assert.Equal(600, result.Received);
        Assert.Equal(600, result.Lateness!.Count);
    }

    [Fact]
    public void Stream_AllBytes_AcknowledgedByThePeer()
    {
        MeasurementResult result =
            Run(Plan(new Workload { Pattern = WritePattern.Stream, Writes = [1000] }) with { Count = 5000, Duration = null, Warmup = TimeSpan.Zero });

        Assert.Null(result.EndedBecause);
        Assert.Equal(5_000_000, result.StreamBytes);
        Assert.Equal(5000, result.Received);
    }

    [Fact]
    public void Spin_OnLoopback_Answers()
    {
        MeasurementResult result = Run(Plan(new Workload { Spin = true }) with { Count = 50, Duration = null, Warmup = TimeSpan.Zero });

        Assert.Null(result.EndedBecause);
        Assert.Equal(50, result.Received);
    }

    [Fact]
    public void Buffers_AskedOfThePeer_SetBeforeListen()
    {
        MeasurementResult result = Run(Plan(new Workload { PeerReceiveBuffer = 65536, ReceiveBuffer = 32768 }));

        Assert.Null(result.EndedBecause);
        Assert.True(result.PeerState!.BuffersBeforeListen);
        Assert.True(result.PeerState.ReceiveBuffer >= 65536);
        Assert.True(result.LocalState!.ReceiveBuffer >= 32768);
    }
}
