using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Reporting.Protocols;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Probes;

/// <summary>Two targets that are slow at moments drawn from a seed: each at its own, both at the same, or never both.</summary>
public sealed class HedgeVerdicts
{
    private const int Runs = 20;
    private const long SlowNs = 20_000_000;

    [Fact]
    public void EachAtItsOwnMoments_IsIndependent() => Assert.InRange(Count("independent", (r, _) => (r.Slow(0), r.Slow(1))), 17, Runs);

    [Fact]
    public void EachAtItsOwnMoments_IsHardlyEverTakenForShared() => Assert.InRange(Count("shared", (r, _) => (r.Slow(0), r.Slow(1))), 0, 1);

    [Fact]
    public void BothAtTheSameMoments_IsShared() => Assert.InRange(Count("shared", (r, _) => (r.Slow(0), r.Slow(0)), rounds: 2000), 19, Runs);

    [Fact]
    public void NeverSlow_HasNothingToGain() => Assert.Equal(Runs, Count("nothing-to-gain", (_, _) => (false, false)));

    [Fact]
    public void OnlyTheSecondSlow_HasNothingToGain() => Assert.Equal(Runs, Count("nothing-to-gain", (r, _) => (false, r.Slow(1))));

    [Fact]
    public void SlowInTurns_IsBetterThanIndependent() =>
    Assert.InRange(Count("better-than-independent", (_, turn) => ((turn / 6 % 2) == 0, (turn / 6 % 2) == 1)), 19, Runs);

    [Fact]
    public void TooFew_CannotTell() => Assert.Equal(Runs, Count("cannot-tell", (r, _) => (r.Slow(0), r.Slow(0)), rounds: 30));

    private static int Count(string verdict, Func<Moments, int, (bool First, bool Second)> slow, int rounds = 1200) =>
        Enumerable.Range(1, Runs).Count(seed => HedgeReportBuilder.From(Drawn(new Moments(seed), slow, rounds)).Hedge!.Verdict == verdict);

    private static HedgeResult Drawn(Moments moments, Func<Moments, int, (bool First, bool Second)> slow, int rounds)
    {
        List<long>[] times = [[], [], []];
        TimeSpan delay = TimeSpan.FromMilliseconds(2);
        int asked = 0;
        for (int turn = 0; turn < 3 * rounds; turn++)
        {
            moments.Next();
            (bool first, bool second) = slow(moments, turn);
            long a = moments.Time(first ? SlowNs : 0);
            long b = moments.Time(second ? SlowNs : 0);
            long delayNs = (long)delay.TotalNanoseconds;
            asked += turn % 3 == 2 && a > delayNs ? 1 : 0;
            times[turn % 3].Add((turn % 3) switch { 0 => a, 1 => b, _ => Math.Min(a, delayNs + b) });
        }

        return new HedgeResult(
            DateTimeOffset.UnixEpoch, TimeSpan.FromMinutes(1), new HedgePlan { RatePerSecond = 100, Rounds = rounds },
            new ProbeSeries(Asking.Target("tcp://127.0.0.1:9")), new ProbeSeries(Asking.Target("tcp://127.0.0.1:10")),
            times[0], times[1], times[2], [(long)delay.TotalNanoseconds], rounds, asked, 0, false);
    }

    /// <summary>Slow moments that last some turns, as those of real causes do: 3 % of the time.</summary>
    private sealed class Moments(int seed)
    {
        private readonly Random _random = new(seed);
        private readonly bool[] _slow = new bool[2];

        public void Next()
        {
            for (int i = 0; i < _slow.Length; i++)
            {
                _slow[i] = _random.NextDouble() < (_slow[i] ? 0.75 : 0.0077);
            }
        }

        public bool Slow(int which) => _slow[which];

        public long Time(long more) =>
            (long)(400_000 * Math.Exp(0.2 * Math.Sqrt(-2 * Math.Log(1 - _random.NextDouble())) * Math.Cos(2 * Math.PI * _random.NextDouble()))) + more;
    }
}
