using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Load;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Tests.Commands;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Load;

[Collection(QuietMachine.Name)]
public sealed class UnderLoadRuns
{
    private static LoadPlan Plan(LoadDirection direction = LoadDirection.Both, int connections = 2, long mostBytes = 1L << 40, double loadedSeconds = 0.4) =>
        new()
        {
            Probe = Rig.Patient(1) with { Count = null, RatePerSecond = 200, Warmup = TimeSpan.FromMilliseconds(50), ReplyTimeout = TimeSpan.FromSeconds(20) },
            Direction = direction,
            Connections = connections,
            MostBytes = mostBytes,
            Rounds = 2,
            Loaded = TimeSpan.FromSeconds(loadedSeconds),
        };

    private static UnderLoadResult Run(MeasurementTarget target, LoadPlan plan, CancellationToken cancellation = default) =>
        UnderLoad.Run(target, plan, Rig.Context, cancellation);

    [Theory]
    [InlineData(LoadDirection.Up)]
    [InlineData(LoadDirection.Down)]
    [InlineData(LoadDirection.Both)]
    public void Phases_AlternateAndMoveBytesOnlyWhereAsked(LoadDirection direction)
    {
        using Responder responder = Rig.Serve();

        UnderLoadResult result = Run(Rig.TargetOf(responder), Plan(direction));

        Assert.True(result.Complete, result.EndedBecause);
        Assert.True(result.SameMachine);
        Assert.Equal([false, true, false, true, false], result.Phases.Select(p => p.Load.Count > 0));
        Assert.All(result.Phases, p => Assert.NotEmpty(p.ResponsesNs));
        Assert.True(result.Phases.Zip(result.Phases.Skip(1)).All(p => p.First.Start + p.First.Elapsed <= p.Second.Start));
        bool[] ways = direction switch { LoadDirection.Up => [true], LoadDirection.Down => [false], _ => [true, false] };
        foreach (LoadPhase phase in result.Phases.Where(p => p.Load.Count > 0))
        {
            Assert.Equal(ways, phase.Load.Select(s => s.Up));
            Assert.All(phase.Load, s => Assert.True(s is { Connections: 2, Failed: 0, Failure: null, Bytes: > 1_000_000, Server.Processors: > 0 }, $"{s}"));
            Assert.All(phase.Load, s => Assert.Equal(s.Bytes, s.BytesPerSecond.Sum() * s.Elapsed.TotalSeconds / s.BytesPerSecond.Count, s.Bytes * 0.5));
        }

        Rig.AssertSettles(responder);
    }

    [Fact]
    public void Budget_IsNotOverdrawn()
    {
        const long Most = 4 << 20;
        using Responder responder = Rig.Serve();

        UnderLoadResult result = Run(Rig.TargetOf(responder), Plan(mostBytes: Most));

        Assert.True(result.BytesSpent);
        Assert.True(result.Complete, result.EndedBecause);
        Assert.InRange(result.Phases.Sum(p => p.Load.Sum(s => s.Bytes)), 0, Most);
        Rig.AssertServesStill(responder);
    }

    [Fact]
    public void Cancelled_TellsWhatWasMeasuredAndLeavesNothingBehind()
    {
        using Responder responder = Rig.Serve();
        using CancellationTokenSource cancellation = new();
        LoadPlan plan = Plan(loadedSeconds: 600);
        Thread thread = new(() =>
        {
            // In the midst of the first loaded phase: idle is over once connections of the load are served.
            SpinWait.SpinUntil(() => responder.Statistics.Active > 1, TimeSpan.FromSeconds(30));
            cancellation.Cancel();
        });

        thread.Start();
        UnderLoadResult result = Run(Rig.TargetOf(responder), plan with { Rounds = 100, Loaded = TimeSpan.FromSeconds(100) }, cancellation.Token);
        thread.Join();

        Assert.True(result.Cancelled);
        Assert.False(result.Complete);
        Assert.NotEmpty(result.Phases[0].ResponsesNs);
        Rig.AssertSettles(responder);
    }

    [Fact]
    public void Responder_WithoutRoomForTheLoad_IsASentenceWithTheLimit()
    {
        using Responder responder = Rig.Serve(limits: new ResponderLimits { Connections = 2 });

        UnderLoadResult result = Run(Rig.TargetOf(responder), Plan());

        Rig.AssertSentence(result.EndedBecause);
        Assert.Contains("--max-connections", result.EndedBecause, StringComparison.Ordinal);
        Assert.Single(result.Phases);
    }

    [Fact]
    public void Responder_Absent_Fails()
    {
        MeasurementTarget target;
        using (Responder responder = Rig.Serve())
        {
            target = Rig.TargetOf(responder);
        }

        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => Run(target, Plan()));
        Assert.Equal(ExitCode.Measurement, failure.Code);
        Rig.AssertSentence(failure.Message);
    }

    [Fact]
    public void Responder_ThatVanishesUnderLoad_EndsWithWhatThereIs()
    {
        Responder responder = Rig.Serve();
        try
        {
            Thread thread = new(() =>
            {
                SpinWait.SpinUntil(() => responder.Statistics.Active > 1, TimeSpan.FromSeconds(30));
                responder.Dispose();
            });
            thread.Start();

            UnderLoadResult result = Run(Rig.TargetOf(responder), Plan() with { Rounds = 50, Loaded = TimeSpan.FromSeconds(50) });
            thread.Join();

            Rig.AssertSentence(result.EndedBecause);
            Assert.NotEmpty(result.Phases[0].ResponsesNs);
        }
        finally
        {
            responder.Dispose();
        }
    }

    [Fact]
    public void Responder_OfAnOlderRelease_TellsNothingOfItsMachine()
    {
        using ScriptedResponder responder = new(socket =>
        {
            SetupRequest setup = ScriptedResponder.ShakeHands(socket);
            if (setup.OneWay)
            {
                byte[] buffer = new byte[65536];
                while (socket.Receive(buffer) > 0)
                {
                }

                Rig.SendFrame(socket, FrameType.Result, ScriptedResponder.Result(0, 0).Write());
                return;
            }

            ScriptedResponder.Answer(socket, setup, int.MaxValue);
        });

        UnderLoadResult result = Run(responder.Target, Plan(LoadDirection.Up));

        Assert.True(result.Complete, result.EndedBecause);
        Assert.All(result.Phases.SelectMany(p => p.Load), s => Assert.True(s is { Server: null, Bytes: > 0 }));
    }
}
