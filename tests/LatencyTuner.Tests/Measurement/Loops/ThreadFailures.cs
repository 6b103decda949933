using System.Security.Cryptography;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Load;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Tests.Measurement.Probes;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Loops;

/// <summary>A bug on a thread of a run is thrown where the run was started, and the other threads end.</summary>
public sealed class ThreadFailures
{
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(60);

    private static MeasuringContext On(FailingPlatform platform) => new(TimeProvider.System, platform, RandomNumberGenerator.Create());

    /// <summary>On a thread of its own, so that a hang fails one test only.</summary>
    private static async Task<InvalidOperationException> Fails(Action run) =>
        await Assert.ThrowsAsync<InvalidOperationException>(
            () => Task.Factory.StartNew(run, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).WaitAsync(Bound));

    [Fact]
    public void OneThatFails_StopsTheOthersAndIsThrown()
    {
        using CancellationTokenSource stop = new();
        MeasuringThreads threads = new("measure", 0, stop);
        int ended = 0;
        for (int i = 0; i < 4; i++)
        {
            threads.Start(() =>
            {
                stop.Token.WaitHandle.WaitOne();
                Interlocked.Increment(ref ended);
            });
        }

        Assert.False(threads.WaitAll(TimeSpan.Zero));
        threads.Start(() => throw new InvalidOperationException("a bug"), "another");

        Assert.True(threads.WaitAll(Bound));
        Assert.Equal(4, ended);
        Assert.Equal("a bug", Assert.Throws<InvalidOperationException>(threads.Join).Message);
        Assert.True(threads.AllEnded);
    }

    [Fact]
    public void FirstOfTwoFailures_IsThrown()
    {
        using ManualResetEventSlim first = new();
        MeasuringThreads threads = new("measure", 0, _ => first.Set());
        threads.Start(() =>
        {
            first.Wait(Bound);
            throw new FormatException();
        });
        threads.Start(() => throw new InvalidOperationException());

        Assert.Throws<InvalidOperationException>(threads.Join);
    }

    [Fact]
    public void NoThreadAtAll_HasEnded()
    {
        MeasuringThreads threads = new("measure", 0, _ => { });

        Assert.True(threads.WaitAll(Timeout.InfiniteTimeSpan));
        threads.Join();
    }

    [Theory]
    [InlineData(null)]
    [InlineData(2000.0)]
    public async Task PingPong_OfManyConnections(double? rate)
    {
        using Responder responder = Rig.Serve();
        FailingPlatform platform = new("measure", 100);
        MeasurementPlan plan = Rig.Patient(1) with { Count = null, Duration = TimeSpan.FromHours(1), Connections = 4, RatePerSecond = rate };

        Assert.Equal(platform.Message, (await Fails(() => PingPong.Run(Rig.TargetOf(responder), plan, On(platform), CancellationToken.None))).Message);
        Rig.AssertSettles(responder);
    }

    [Theory]
    [InlineData("measure")]
    [InlineData("load up")]
    [InlineData("load down")]
    public async Task UnderLoad_WhicheverThreadItIs(string thread)
    {
        using Responder responder = Rig.Serve();
        FailingPlatform platform = new(thread, 50);
        LoadPlan plan = new()
        {
            Probe = Rig.Patient(1) with { Count = null, RatePerSecond = 200, Warmup = TimeSpan.FromMilliseconds(50) },
            Direction = LoadDirection.Both,
            Connections = 2,
            MostBytes = 1L << 40,
            Rounds = 2,
            Loaded = TimeSpan.FromSeconds(4),
        };

        Assert.Equal(platform.Message, (await Fails(() => UnderLoad.Run(Rig.TargetOf(responder), plan, On(platform), CancellationToken.None))).Message);
        Rig.AssertSettles(responder);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Hedge_AtEitherEnd(bool first)
    {
        static ProbeTarget Target(bool fails) => Asking.Target("tcp://127.0.0.1:9") with { Open = _ => new AnsweringProbe(fails ? 3 : int.MaxValue) };
        HedgePlan plan = new() { RatePerSecond = 1000, Rounds = 1_000_000, After = TimeSpan.Zero };

        Assert.Equal(
            AnsweringProbe.Message,
            (await Fails(() => HedgeRun.Run(Target(first), Target(!first), plan, TimeProvider.System, CancellationToken.None))).Message);
    }

    private sealed class AnsweringProbe(int answers) : MonitorProbe
    {
        internal const string Message = "a bug of the probe";
        private int _exchanges;

        public override void Exchange()
        {
            if (++_exchanges > answers)
            {
                throw new InvalidOperationException(Message);
            }
        }

        public override void Interrupt()
        {
        }

        protected override void Close()
        {
        }
    }
}
