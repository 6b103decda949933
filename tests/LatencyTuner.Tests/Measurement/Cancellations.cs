using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Tests.Measurement.Responding;
using Xunit;

namespace LatencyTuner.Tests.Measurement;

/// <summary>Ctrl-C in every state a run can be in: it returns, marked, with what it has.</summary>
public sealed class Cancellations
{
    private const int Good = 20;

    /// <summary>No timeout of the engine's own may end these runs.</summary>
    private static MeasurementPlan Endless(Workload? workload = null) => Rig.Plan(1_000_000, workload) with
    {
        ReplyTimeout = TimeSpan.FromMinutes(10),
        ConnectTimeout = TimeSpan.FromMinutes(10),
        HandshakeTimeout = TimeSpan.FromMinutes(10),
    };

    private static async Task<MeasurementResult> CancelledRun(MeasurementTarget target, MeasurementPlan plan, WaitHandle? reached = null)
    {
        using CancellationTokenSource cancellation = new();
        Task<MeasurementResult> run = Rig.RunBounded(target, plan, cancellation.Token);
        if (reached is not null)
        {
            Assert.True(reached.WaitOne(10_000));
        }

        await Task.Delay(150, CancellationToken.None);
        Assert.False(run.IsCompleted);
        await cancellation.CancelAsync();
        MeasurementResult result = await run.WaitAsync(TimeSpan.FromSeconds(10), CancellationToken.None);
        Assert.True(result.Cancelled);
        Assert.False(result.Complete);
        Assert.Null(result.EndedBecause);
        return result;
    }

    private static void ReadOneByte(Socket s, ManualResetEvent reached)
    {
        ScriptedResponder.ShakeHands(s);
        Rig.ReceiveExactly(s, new byte[1]);
        reached.Set();
        Thread.Sleep(Timeout.Infinite);
    }

    [Fact]
    public async Task Run_CancelledBefore_ReturnsEmpty()
    {
        using Responder responder = Rig.Serve();
        MeasurementResult result = await Rig.RunBounded(Rig.TargetOf(responder), Endless(), new CancellationToken(true));

        Assert.True(result.Cancelled);
        Assert.Equal(0, result.Sent);
    }

    [Fact]
    public async Task Connecting()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux drops a SYN when the accept queue is full; others reset.");
        using Socket full = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        full.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        full.Listen(0);
        IPEndPoint endpoint = (IPEndPoint)full.LocalEndPoint!;
        using RawClient queued = new(endpoint);

        MeasurementResult result = await CancelledRun(new MeasurementTarget("full", endpoint, null, false), Endless());

        Assert.Equal(0, result.Received);
    }

    [Fact]
    public async Task Handshake()
    {
        using ScriptedResponder peer = new(s => Thread.Sleep(Timeout.Infinite));

        Assert.Equal(0, (await CancelledRun(peer.Target, Endless())).Received);
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public async Task WaitingForAReply(bool spin, bool openLoop)
    {
        using ManualResetEvent reached = new(false);
        ScriptedResponder? peer = null;
        using (peer = new ScriptedResponder(s =>
        {
            ScriptedResponder.Answer(s, ScriptedResponder.ShakeHands(s), Good);
            reached.Set();
            peer!.Hold();
        }))
        {
            MeasurementPlan plan = Endless(new Workload { Spin = spin, NoDelay = true }) with { RatePerSecond = openLoop ? 1000 : null };

            MeasurementResult result = await CancelledRun(peer.Target, plan, reached);

            Assert.Equal(Good, result.Received);
            Assert.True(result.Sent > Good);
        }
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public async Task SendBlocked(bool spin, bool openLoop)
    {
        using ManualResetEvent reached = new(false);
        using ScriptedResponder peer = new(s => ReadOneByte(s, reached));
        MeasurementPlan plan = Endless(new Workload { Writes = [64 << 20], Spin = spin }) with { RatePerSecond = openLoop ? 1000 : null, InFlight = 2 };

        MeasurementResult result = await CancelledRun(peer.Target, plan, reached);

        Assert.Equal(0, result.Received);
        Assert.InRange(result.Sent, 1, 2);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task GapBetweenWrites(bool openLoop)
    {
        using Responder responder = Rig.Serve();
        Workload workload = new() { Writes = [1, 1], Gap = TimeSpan.FromHours(1) };

        MeasurementResult result = await CancelledRun(Rig.TargetOf(responder), Endless(workload) with { RatePerSecond = openLoop ? 10 : null });

        Assert.Equal(0, result.Received);
        Rig.AssertServesStill(responder);
    }

    [Fact]
    public async Task ThinkTimeOfThePeer()
    {
        using Responder responder = Rig.Serve();

        await CancelledRun(Rig.TargetOf(responder), Endless(new Workload { PeerThink = TimeSpan.FromSeconds(10) }));
    }

    [Fact]
    public async Task WaitingForAPlannedTime_NumbersKept()
    {
        using ManualResetEvent reached = new(false);
        using ScriptedResponder peer = new(s =>
        {
            ScriptedResponder.Answer(s, ScriptedResponder.ShakeHands(s), 1);
            reached.Set();
            Thread.Sleep(Timeout.Infinite);
        });

        MeasurementResult result = await CancelledRun(peer.Target, Endless() with { RatePerSecond = 0.001 }, reached);

        Assert.Equal(1, result.Received);
    }

    [Fact]
    public async Task Stream_Paced_NumbersKept()
    {
        using ManualResetEvent reached = new(false);
        using ScriptedResponder peer = new(s => ReadOneByte(s, reached));
        Workload workload = new() { Pattern = WritePattern.Stream, Writes = [10] };

        MeasurementResult result = await CancelledRun(peer.Target, Endless(workload) with { RatePerSecond = 0.001 }, reached);

        Assert.Equal(1, result.Received);
        Assert.Equal(0, result.ClockStepsBack);
    }

    [Fact]
    public async Task Stream_PeerDoesNotRead_NumbersKept()
    {
        using ManualResetEvent reached = new(false);
        using ScriptedResponder peer = new(s => ReadOneByte(s, reached));
        Workload workload = new() { Pattern = WritePattern.Stream, Writes = [10_000] };

        MeasurementResult result = await CancelledRun(peer.Target, Endless(workload) with { Count = null }, reached);

        Assert.True(result.Received > 0);
    }

    [Fact]
    public async Task WaitingForTheResult_NumbersKept()
    {
        using ManualResetEvent reached = new(false);
        using ScriptedResponder peer = new(s =>
        {
            ScriptedResponder.Answer(s, ScriptedResponder.ShakeHands(s), Good);
            reached.Set();
            Thread.Sleep(Timeout.Infinite);
        });

        Assert.Equal(Good, (await CancelledRun(peer.Target, Endless() with { Count = Good }, reached)).Received);
    }

    [Fact]
    public async Task SecondRun_KeepsTheFirst()
    {
        using ManualResetEvent reached = new(false);
        int connections = 0;
        using ScriptedResponder peer = new(s =>
        {
            if (Interlocked.Increment(ref connections) == 1)
            {
                ScriptedResponder.Answer(s, ScriptedResponder.ShakeHands(s), Good);
                Rig.SendFrame(s, FrameType.Result, ScriptedResponder.Result(Good, Good * 64).Write());
                return;
            }

            reached.Set();
            Thread.Sleep(Timeout.Infinite);
        });

        MeasurementResult result = await CancelledRun(peer.Target, Endless() with { Count = Good, Runs = 3 }, reached);

        Assert.Equal(Good, result.Received);
        Assert.Single(result.Runs);
    }
}
