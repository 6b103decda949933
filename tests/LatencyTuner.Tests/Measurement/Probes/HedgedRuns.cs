using LatencyTuner.Core.Analysis.Hedging;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Reporting.Protocols;
using LatencyTuner.Tests.Commands;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Probes;

[Collection(QuietMachine.Name)]
public sealed class HedgedRuns
{
    [Fact]
    public void Second_IsAskedOnlyWhenTheFirstIsLate()
    {
        HedgeResult quick = Run(_ => 0, _ => 0, TimeSpan.FromSeconds(1));
        HedgeResult slow = Run(_ => 60, _ => 0, TimeSpan.FromMilliseconds(1));

        Assert.Equal((10, 0), (quick.Hedged, quick.SecondAsked));
        Assert.Equal((10, 10), (slow.Hedged, slow.SecondAsked));
        Assert.True(slow.HedgedNs.Order().ElementAt(5) < slow.FirstNs.Order().ElementAt(5));
    }

    [Fact]
    public void OneThatFails_IsCountedAndTheOtherAnswers()
    {
        HedgeResult result = Run(_ => throw new InvalidDataException(), _ => 0, TimeSpan.Zero);

        Assert.Equal(0, result.First.Answered);
        Assert.Equal(10, result.First.Failures.Values.Sum(f => f.Count));
        Assert.Equal(10, result.HedgedNs.Count);
        Assert.Equal(0, result.Unanswered);
        Assert.Null(HedgeReportBuilder.From(result).Hedge);
    }

    /// <summary>The first target is fast while the delay is first learned, and stalls in nearly half of the requests from then on.</summary>
    [Fact]
    public void Delay_FollowsAFirstTargetThatBeginsToStall()
    {
        HedgeResult result = HedgeRun.Run(
            Target(i => i < 25 || i % 9 is 1 or 3 or 5 or 7 ? 1 : 20 + (i % 7)), Target(_ => 1), new HedgePlan { RatePerSecond = 1000, Rounds = 120 },
            TimeProvider.System, CancellationToken.None);

        HedgeFigures hedge = HedgeReportBuilder.From(result).Hedge!;
        Assert.Equal(120, hedge.Hedged);
        Assert.InRange(hedge.ExtraLoadShare!.Value, 0, 0.15);
        Assert.Equal(0.05, hedge.PlannedExtraLoadShare!.Value, 6);
        Assert.True(hedge.AfterHighUs > 20_000, $"{hedge.AfterHighUs} us");
    }

    [Theory]
    [InlineData(0.10, 0.05, false)]
    [InlineData(0.11, 0.05, true)]
    [InlineData(0.9, null, false)]
    [InlineData(null, 0.05, false)]
    public void ExtraLoad_AboveTwiceThePlan_IsTold(double? share, double? planned, bool told)
    {
        string? because = HedgeLoad.AbovePlan(share, planned, 205_000);

        Assert.Equal(told, because is not null);
        Assert.True(!told || (because!.Contains("11 %", StringComparison.Ordinal) && because.Contains("205 ms", StringComparison.Ordinal)), because);
    }

    [Fact]
    public void RunningDelay_KeepsTheLatestTimesOnly()
    {
        RunningDelay delay = new(95);
        Assert.Equal(0, delay.Ns);
        long[] times = [.. Enumerable.Range(1, 20).Select(i => (long)i)];
        Array.ForEach(times, delay.Add);
        Assert.Equal(20, delay.Ns);
        Random random = new(7);
        int above = 0;
        for (int i = 0; i < 4000; i++)
        {
            // Two levels far apart, the slower one in 6 % of the requests, then in 60 %, then again in 6 %.
            bool slow = random.NextDouble() < (i is >= 1000 and < 2500 ? 0.6 : 0.06);
            long ns = (slow ? 200_000 : 1000) + random.Next(500);
            above += ns > delay.Ns ? 1 : 0;
            delay.Add(ns);
        }

        Assert.InRange(above / 4000.0, 0.02, 0.08);
        for (int i = 0; i < 250; i++)
        {
            delay.Add(3);
        }

        Assert.Equal(3, delay.Ns);
    }

    [Fact]
    public void Command_OneServerByTwoNames_IsRefused()
    {
        using RunningResponder responder = new();
        string other = responder.Target.Replace("127.0.0.1", "localhost", StringComparison.Ordinal);

        CliRun.Of("measure", responder.Target, "--hedge", other, "-4").Failed(2, responder.Target, other, "second server");
    }

    [Fact]
    public void Command_TwoResponders_GivesMeasuredPredictedAndLoad()
    {
        using RunningResponder first = new();
        using RunningResponder second = new();

        CliRun run =
            CliRun.Of("measure", first.Target, "--hedge", second.Target, "--hedge-after", "p95", "--count", "40", "--rate", "200/s", "--format", "json").Done();

        System.Text.Json.Nodes.JsonNode hedge = System.Text.Json.Nodes.JsonNode.Parse(run.Out)!["hedge"]!;
        Assert.Equal(40, hedge["hedged"]!.GetValue<int>());
        Assert.InRange(hedge["extraLoadShare"]!.GetValue<double>(), 0, 1);
        Assert.NotEmpty(hedge["quantiles"]!.AsArray());
    }

    [Theory]
    [InlineData("p0")]
    [InlineData("p100")]
    [InlineData("fast")]
    [InlineData("-1ms")]
    public void After_OutOfRange_IsRefused(string value) =>
    CliRun.Of("measure", "loopback", "--hedge", "tcp://127.0.0.1:9", "--hedge-after", value).Failed(2, "--hedge-after", value);

    private static HedgeResult Run(Func<int, int> first, Func<int, int> second, TimeSpan after) => HedgeRun.Run(
        Target(first), Target(second), new HedgePlan { RatePerSecond = 1000, Rounds = 10, After = after }, TimeProvider.System, CancellationToken.None);

    private static ProbeTarget Target(Func<int, int> milliseconds) => Asking.Target("tcp://127.0.0.1:9") with { Open = _ => new TimedProbe(milliseconds) };

    private sealed class TimedProbe(Func<int, int> milliseconds) : MonitorProbe
    {
        private readonly ManualResetEventSlim _never = new();
        private int _exchanges;

        public override void Exchange()
        {
            try
            {
                _never.Wait(milliseconds(_exchanges++));
            }
            catch (InvalidDataException)
            {
                throw new PeerFailureException("It does not answer.");
            }
        }

        public override void Interrupt() => _never.Set();

        protected override void Close() => _never.Dispose();
    }
}
