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
