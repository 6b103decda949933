using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Tests.Analysis.Stalls;
using Xunit;

namespace LatencyTuner.Tests.Statistics;

public sealed class AckTimers
{
    private const int Seeds = 200;

    private static int Hits(Func<int, LatencyHistogram> holds, Func<AckTimer?, bool> hit, long jitterNs = 0) =>
        Enumerable.Range(0, Seeds).Count(seed => hit(AckTimerInference.Infer(holds(seed), jitterNs)));

    [Theory]
    [InlineData(10, 10, 0.05)]
    [InlineData(40, 40, 0.3)]
    [InlineData(44, 40, 0.3)]
    [InlineData(50, 50, 0.3)]
    [InlineData(100, 100, 0.3)]
    [InlineData(200, 200, 0.3)]
    [InlineData(50, 50, 0)]
    public void Infer_KnownTimer_FoundAmongOutliers(double timerMs, double clusterMs, double outliers)
    {
        foreach (int n in new[] { 6, 20, 200 })
        {
            int wrong = (int)(n * outliers);
            int found =
                Hits(
                    s => new Holds(s).Timer(n - wrong, timerMs).Uniform(wrong, 8, 400).Histogram,
                    t => t is { Model: AckTimerModel.Fixed } && t.ClusterMs == clusterMs);
            Assert.True(found >= 0.97 * Seeds, $"n {n}: {found} of {Seeds}");
        }
    }

    [Fact]
    public void Infer_LinuxJiffies_AreFortyMilliseconds()
    {
        int found = Hits(s => new Holds(s).Uniform(20, 40, 44.2).Histogram, t => t is { ClusterMs: 40, Model: AckTimerModel.Fixed });
        Assert.True(found >= 0.99 * Seeds, $"{found} of {Seeds}");
    }

    /// <summary>48 ms is 40 ms and two late jiffies or 50 ms measured against a slow round trip: either value is true, none is not.</summary>
    [Theory]
    [InlineData(44, 40, 40)]
    [InlineData(45.5, 40, 40)]
    [InlineData(47, 40, 50)]
    [InlineData(48, 40, 50)]
    [InlineData(49, 50, 50)]
    [InlineData(50, 50, 50)]
    public void Infer_BetweenFortyAndFifty_NearestOfTheOverlapping(double ms, double one, double other)
    {
        foreach (long jitterNs in new[] { 0L, 1_000_000, 3_000_000, 6_000_000 })
        {
            int found =
                Hits(
                    s => new Holds(s).Timer(30, ms, 0.3).Histogram, t => t is { Model: AckTimerModel.Fixed } && (t.ClusterMs == one || t.ClusterMs == other),
                    jitterNs);
            Assert.True(found >= 0.97 * Seeds, $"jitter {jitterNs}: {found} of {Seeds}");
        }
    }

    /// <summary>On a host whose processors are taken, a timer's holds spread upwards by a scheduler's slice or two.</summary>
    [Theory]
    [InlineData(40, 44, 6)]
    [InlineData(40, 44, 20)]
    [InlineData(100, 100, 6)]
    [InlineData(200, 200, 6)]
    [InlineData(200, 204, 100)]
    public void Infer_TimerOnABusyHost_FoundByItsEarliestHolds(double from, double to, int n)
    {
        int found = Hits(
            s => new Holds(s).Add(n, r => from + (r.NextDouble() * (to - from)) + (r.NextDouble() * 8)).Histogram,
            t => t is { Model: AckTimerModel.Fixed } && t.ClusterMs == from);
        Assert.True(found >= 0.9 * Seeds, $"{found} of {Seeds}");
        int none = Hits(s => new Holds(s).Add(n, r => from + (r.NextDouble() * (to - from)) + (r.NextDouble() * 8)).Histogram, t => t is null);
        Assert.True(none <= 0.02 * Seeds, $"{none} of {Seeds} without a timer");
    }

    [Fact]
    public void Infer_FiftyOnABusyHost_IsNotForty()
    {
        int found = Hits(s => new Holds(s).Add(20, r => 50.2 + (r.NextDouble() * 8)).Histogram, t => t is { ClusterMs: 50 });
        Assert.True(found >= 0.97 * Seeds, $"{found} of {Seeds}");
    }

    [Fact]
    public void Infer_FiftyWithJitterAndAStrayHold_IsNotForty()
    {
        LatencyHistogram holds = new Holds(1).Timer(30, 49.5, 1).Uniform(2, 33, 37).Histogram;
        Assert.Equal(50, AckTimerInference.Infer(holds, 6_000_000)!.ClusterMs);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(14)]
    [InlineData(40)]
    [InlineData(400)]
    public void Infer_TickingTimer_ToldFromAFixedOne(int n)
    {
        int tick = Hits(s => new Holds(s).Uniform(n, 100, 200).Histogram, t => t is { ClusterMs: 200, Model: AckTimerModel.Tick });
        int falseTick = Hits(s => new Holds(s).Timer(n, 200, 2).Histogram, t => t is not { ClusterMs: 200, Model: AckTimerModel.Fixed });

        Assert.True(tick >= (n < 20 ? 0.95 : 0.995) * Seeds, $"{tick} of {Seeds}");
        Assert.Equal(0, falseTick);
    }

    [Fact]
    public void Infer_TwoFixedWaits_AreNoTick()
    {
        int tick = Hits(s => new Holds(s).Timer(20, 100).Timer(20, 200).Histogram, t => t is { Model: AckTimerModel.Tick });
        Assert.Equal(0, tick);
    }

    public static TheoryData<string> Continuous => ["uniform 7-80", "uniform 7-300", "tail 2 ms", "tail 5 ms", "tail 20 ms", "tail 100 ms", "losses"];

    [Theory]
    [MemberData(nameof(Continuous))]
    public void Infer_NoTimer_NoneInvented(string kind)
    {
        foreach (int n in new[] { 20, 60, 500 })
        {
            int invented = Hits(
                s => kind switch
                {
                    "uniform 7-80" => new Holds(s).Uniform(n, 7, 80).Histogram,
                    "uniform 7-300" => new Holds(s).Uniform(n, 7, 300).Histogram,
                    "tail 2 ms" => new Holds(s).Tail(n, 2).Histogram,
                    "tail 5 ms" => new Holds(s).Tail(n, 5).Histogram,
                    "tail 20 ms" => new Holds(s).Tail(n, 20).Histogram,
                    "tail 100 ms" => new Holds(s).Tail(n, 100).Histogram,
                    // Retransmission timers, a quarter at each of 200, 300, 400 ms and above.
                    _ => new Holds(s).Timer(n / 4, 201, 3).Timer(n / 4, 300, 3).Timer(n / 4, 400, 3).Uniform(n / 4, 420, 1200).Histogram,
                },
                t => t is not null);
            Assert.True(invented <= (n < 50 ? 0.05 : 0.01) * Seeds, $"n {n}: {invented} of {Seeds}");
        }
    }

    [Fact]
    public void Infer_JitterOfThePath_TailAboveItsCutIsNoTimer()
    {
        int invented = Hits(s => new Holds(s).Tail(100, 15, cutMs: 37).Histogram, t => t is not null, jitterNs: 15_000_000);
        Assert.True(invented <= 0.02 * Seeds, $"{invented} of {Seeds}");
    }

    [Fact]
    public void Infer_ExactlyTheLeast_CountsAndOneLessDoesNot()
    {
        static AckTimer? Of(int members, int others) => AckTimerInference.Infer(new Holds(1).Timer(members, 40, 0.1).Uniform(others, 60, 90).Histogram, 0);

        Assert.Null(Of(2, 0));
        Assert.Equal(new AckTimer(40, AckTimerModel.Fixed, 3, 3), Of(3, 0));
        Assert.Equal(new AckTimer(40, AckTimerModel.Fixed, 3, 10), Of(3, 7));
        Assert.Null(Of(3, 8));
    }

    [Fact]
    public void Infer_MoreMembers_NeverLoseTheCluster()
    {
        foreach (double timer in new[] { 10.5, 41, 50.5, 101, 200.5 })
        {
            for (int seed = 0; seed < Seeds; seed++)
            {
                Holds holds = new Holds(seed).Timer(4, timer).Uniform(seed % 9, 8, 400);
                AckTimer? before = AckTimerInference.Infer(holds.Histogram, 0);
                AckTimer? after = AckTimerInference.Infer(holds.Timer(1 + (seed % 13), timer, 0.05).Histogram, 0);
                Assert.True(
                    before is null || before.ClusterMs != Math.Floor(timer / 10) * 10 || after?.ClusterMs == before.ClusterMs,
                    $"{timer} ms, seed {seed}: {before} then {after}");
            }
        }
    }

    [Fact]
    public void Infer_SameDistributionTenTimes_SameTimer()
    {
        for (int seed = 0; seed < Seeds; seed++)
        {
            LatencyHistogram once = new Holds(seed).Timer(seed % 12, 40 + (seed % 3 * 5)).Uniform(seed % 17, 8, 250).Histogram;
            LatencyHistogram tenfold = new();
            for (int i = 0; i < 10; i++)
            {
                tenfold.Add(once);
            }

            AckTimer? one = AckTimerInference.Infer(once, 0);
            // Only the least number of members can tell them apart.
            if (one is not null || once.Count >= 10)
            {
                AckTimer? ten = AckTimerInference.Infer(tenfold, 0);
                Assert.Equal((one?.ClusterMs, one?.Model, one?.Members * 10), (ten?.ClusterMs, ten?.Model, ten?.Members));
            }
        }
    }

    [Fact]
    public void Infer_RandomHolds_CountsAreConsistent()
    {
        Random random = new(7);
        for (int i = 0; i < 500; i++)
        {
            LatencyHistogram holds = new Holds(i).Timer(random.Next(30), random.Next(300)).Uniform(random.Next(30), 0, 1000).Histogram;
            AckTimer? timer = AckTimerInference.Infer(holds, random.Next(20_000_000));
            Assert.True(timer is null || (timer.Total == holds.Count && timer.Members is >= 3 && timer.Members <= timer.Total), $"{timer}");
        }
    }
}
