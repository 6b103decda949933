using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Monitoring;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Core.Series;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Tests.Commands;
using Xunit;
using Monitor = LatencyTuner.Core.Measurement.Monitoring.Monitor;

namespace LatencyTuner.Tests.Measurement.Monitoring;

[Collection(QuietMachine.Name)]
public sealed class MonitorRuns
{
    private static readonly MonitorPlan Fast = new() { RatePerSecond = 50, Interval = TimeSpan.FromMilliseconds(100) };

    private static MonitorTarget Target(string name, Responder responder, MeasuringContext context, bool polled) =>
        new(name, stop => ResponderProbe.Open(Rig.TargetOf(responder), new MeasurementPlan { ReplyTimeout = TimeSpan.FromSeconds(5) }, context, stop))
        {
            Polled = polled,
        };

    private static List<MonitorInterval> Run(
        IReadOnlyList<MonitorTarget> targets, MeasuringContext context, int intervals, Action<int>? at, out MonitorTiming timing, MonitorStore? store = null)
    {
        List<MonitorInterval> taken = [];
        using CancellationTokenSource stop = new(TimeSpan.FromSeconds(30));
        int done = 0;
        timing = Monitor.Run(
            targets,
            Fast,
            context,
            i =>
            {
                store?.Add(i);
                LatencyHistogram copy = new();
                copy.Add(i.Response);
                taken.Add(i with { Response = copy });
            },
            () =>
            {
                store?.Write();
                done++;
                at?.Invoke(done);
                if (done == intervals)
                {
                    stop.Cancel();
                }
            },
            stop.Token);
        Assert.True(done >= intervals, $"only {done} intervals in half a minute");
        return taken;
    }

    /// <summary>The wall clock is set back and forth by an hour, and the machine sleeps ten minutes: nothing of it is charged to a target.</summary>
    [Fact]
    public void Run_ClockSetAndMachineAsleep_IsToldAndMeasuringGoesOn()
    {
        using TempFolder folder = new();
        using Responder responder = Rig.Serve();
        ShiftingTime time = new();
        MeasuringContext context = Rig.Context with { Time = time };
        string[] names = ["polled", "too", "threaded"];
        List<MonitorInterval> taken;
        using (MonitorStore store = MonitorStore.Open(folder["s"], 1 << 20, 10))
        {
            taken = Run(
                [Target(names[0], responder, context, true), Target(names[1], responder, context, true), Target(names[2], responder, context, false)],
                context,
                20,
                at: done =>
                {
                    Action? move = done switch
                    {
                        4 => () => time.Set(TimeSpan.FromHours(-1)),
                        8 => () => time.Set(TimeSpan.FromHours(1)),
                        12 => () => time.Sleep(TimeSpan.FromMinutes(10)),
                        _ => null,
                    };
                    move?.Invoke();
                },
                out _,
                store);
        }

        Assert.All(taken, i => Assert.InRange(i.Duration, TimeSpan.Zero, TimeSpan.FromSeconds(30)));
        Assert.All(taken, i => Assert.InRange(i.Response.MaxNs, 0, 20_000_000_000));
        Assert.All(taken, i => Assert.Equal(0, i.Response.NegativeCount));
        foreach (string name in names)
        {
            MonitorInterval[] own = [.. taken.Where(i => i.Target == name)];
            Assert.Contains(own, i => i.ClockStep.TotalSeconds is > -3602 and < -3598);
            Assert.Contains(own, i => i.ClockStep.TotalSeconds is > 3598 and < 3602);
            Assert.InRange(own.Sum(i => i.StoodStill.TotalSeconds), 597, 630);
            Assert.Equal(0, own.Sum(i => i.Errors));
            // Fifty a second for ten minutes were due, and are not asked all at once.
            Assert.InRange(own.Sum(i => i.Missed), 29_000, 32_000);
            Assert.InRange(own.Sum(i => i.Response.Count), 20, 2000);
            Assert.Contains(own.Skip(14), i => i.Response.Count > 0);
        }

        ObservedSeries series = MonitorSeries.Read(folder["s"], new SeriesReadOptions())[0];
        Assert.Contains(series.Notes, n => n.StartsWith("The clock was set", StringComparison.Ordinal));
        Assert.Contains(series.Notes, n => n.StartsWith("This machine was suspended or not scheduled", StringComparison.Ordinal));
    }

    /// <summary>Neither a target that accepts and says nothing, nor one that refuses, holds up the others of the same thread.</summary>
    [Fact]
    public void Run_SilentAndRefusingTargets_DelayNoOther()
    {
        using Responder responder = Rig.Serve();
        using TcpListener silent = new(IPAddress.Loopback, 0);
        silent.Start();
        IPEndPoint there = (IPEndPoint)silent.LocalEndpoint;
        IPEndPoint nowhere = new(IPAddress.Loopback, 1);
        MeasurementPlan plan = new() { ReplyTimeout = TimeSpan.FromSeconds(5), HandshakeTimeout = TimeSpan.FromSeconds(5) };
        List<MonitorTarget> targets =
        [
            new("silent", stop => ResponderProbe.Open(new MeasurementTarget("silent", there, null, false), plan, Rig.Context, stop)) { Polled = true },
            new("refusing", _ => new TcpConnectProbe("refusing", nowhere, TimeSpan.FromSeconds(5), Rig.Context)) { Polled = true },
            new("accepting", _ => new TcpConnectProbe("accepting", there, TimeSpan.FromSeconds(5), Rig.Context)) { Polled = true },
        ];
        targets.AddRange(Enumerable.Range(0, 20).Select(i => Target($"t{i}", responder, Rig.Context, true)));
        List<MonitorInterval> taken = Run(targets, Rig.Context, 15, null, out MonitorTiming timing);

        ILookup<string, MonitorInterval> by = taken.ToLookup(i => i.Target);
        long[] answered = [.. targets.Skip(2).Select(t => by[t.Name].Sum(i => i.Response.Count))];
        Assert.All(answered, n => Assert.InRange(n, 20, 200));
        Assert.All(targets.Skip(2), t => Assert.Equal(0, by[t.Name].Sum(i => i.Errors)));
        Assert.Equal(0, by["silent"].Sum(i => i.Response.Count));
        Assert.True(by["silent"].Sum(i => i.Missed) == 0 || by["silent"].Sum(i => i.Errors) > 0);
        Assert.Contains(by["refusing"], i => i.LastError?.Contains("refused", StringComparison.Ordinal) == true);
        // Each target may be answered once more while the last interval is taken.
        Assert.InRange(timing.ReceiveLateness.Count, answered.Sum(), answered.Sum() + targets.Count);
        Assert.InRange(timing.SendLateness.Count, answered.Sum() / 2, answered.Sum() + targets.Count);
    }

    /// <summary>Faults of this program at one target, wherever they happen: they count there with their text, and the others are asked on.</summary>
    [Fact]
    public void Run_UnforeseenFailures_EndNoOtherTarget()
    {
        using Responder responder = Rig.Serve();
        Dictionary<string, MonitorTarget> faulty = new()
        {
            ["open, polled"] = new("a", _ => throw new InvalidOperationException("open")) { Polled = true },
            ["open"] = new("b", _ => throw new InvalidOperationException("open")),
            ["exchange"] = new("c", _ => new FaultyProbe("exchange")),
            ["begin"] = new("d", _ => new FaultyProbe("begin")) { Polled = true },
            ["entry"] = new("e", _ => new FaultyProbe("entry")) { Polled = true },
            ["advance"] = new("f", _ => new FaultyProbe("advance")) { Polled = true },
        };
        MonitorTarget[] healthy = [Target("polled", responder, Rig.Context, true), Target("threaded", responder, Rig.Context, false)];

        ILookup<string, MonitorInterval> by =
            Run([.. faulty.Values, .. healthy], Rig.Context, 10, null, out _).ToLookup(i => i.Target);

        foreach ((string place, MonitorTarget target) in faulty)
        {
            Assert.True(by[target.Name].Sum(i => i.Errors) > 0, place);
            Assert.Contains(by[target.Name], i => i.LastError == $"{target.Name} was not measured, by a fault of this program; please report it: "
                + $"InvalidOperationException: {place.Split(',')[0]}");
        }

        Assert.All(healthy, t => Assert.Equal(0, by[t.Name].Sum(i => i.Errors)));
        Assert.All(healthy, t => Assert.InRange(by[t.Name].Skip(5).Sum(i => i.Response.Count), 5, 200));
    }

    /// <summary>A responder that is started anew is found again.</summary>
    [Fact]
    public void Run_ResponderStopped_ReconnectsAndGoesOn()
    {
        Responder responder = Rig.Serve();
        int port = responder.Endpoints[0].Port;
        MeasurementTarget target = Rig.TargetOf(responder);
        MonitorTarget asked = new("t", stop => ResponderProbe.Open(target, new MeasurementPlan(), Rig.Context, stop)) { Polled = true };
        List<MonitorInterval> taken = Run(
            [asked],
            Rig.Context,
            30,
            done =>
            {
                if (done == 3)
                {
                    responder.Dispose();
                }
                else if (done == 5)
                {
                    responder = Responder.Start(
                        new ResponderOptions { Addresses = [IPAddress.Loopback], Port = port }, TimeProvider.System,
                        System.Security.Cryptography.RandomNumberGenerator.Create());
                }
            },
            out _);
        responder.Dispose();

        Assert.Contains(taken, i => i.Errors > 0);
        Assert.True(taken.FindLastIndex(i => i.Response.Count > 0) > taken.FindIndex(i => i.Errors > 0));
    }

    /// <summary>Fails in a way that no probe should.</summary>
    private sealed class FaultyProbe(string at) : MonitorProbe, IPolledProbe
    {
        private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);

        public TimeSpan ReplyTimeout => TimeSpan.FromSeconds(5);

        public PollEntry Entry => Fail("entry", new PollEntry(_socket.Handle, false, true));

        public void Begin() => Fail("begin", 0);

        public bool Advance() => Fail("advance", false);

        public PeerFailureException Overdue() => new("overdue");

        public override void Exchange() => Fail("exchange", 0);

        public override void Interrupt()
        {
        }

        protected override void Close() => _socket.Dispose();

        private T Fail<T>(string place, T otherwise) => place == at ? throw new InvalidOperationException(at) : otherwise;
    }
}
