using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Tests.Commands;
using LatencyTuner.Tests.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Sweeps;

public sealed class SweepRuns
{
    private static readonly FixedClock Clock = new();

    internal static SweepPlan Plan(int rounds = 3, int seed = 7, params double?[] sizes) => SweepPlan.Make(
        new MeasurementPlan { Warmup = TimeSpan.Zero }, new SweepLoad(64, 1, 1),
        [(SweepDimension.Size, sizes.Length > 0 ? sizes : [64, 128, 256, 512, 1024])], rounds, seed);

    /// <summary>A round in which every request took as many microseconds as it has bytes.</summary>
    internal static SweepRound Round(MeasurementPlan plan)
    {
        MeasurementResult result =
            SampleResults.Measured(
                [.. Enumerable.Range(0, 100).Select(i => (plan.Workload.RequestSize + (i % 7)) / 1e3)], plan, noDelay: true, local: SampleResults.Counters(),
                peer: SampleResults.Counters());
        return SweepRound.Of(result);
    }

    private static SweepResult Run(SweepPlan plan, Func<MeasurementPlan, SweepRound> measure, SweepLog? log = null, CancellationToken cancellation = default) =>
        Sweep.Run(SampleResults.Target, plan, cell => measure(cell.Plan), log, Clock, cancellation);

    [Fact]
    public void Order_EveryRoundHasEveryPointOnce_InAnOrderOfItsOwn()
    {
        SweepPlan plan = Plan(rounds: 20);
        (int Cell, int Round, int Place)[] order = [.. Sweep.Order(plan)];

        Assert.Equal(Enumerable.Range(0, 100), order.Select(o => o.Place));
        List<string> rounds = [.. order.Chunk(5).Select((r, i) =>
        {
            Assert.All(r, o => Assert.Equal(i, o.Round));
            Assert.Equal([0, 1, 2, 3, 4], r.Select(o => o.Cell).Order());
            return string.Join(' ', r.Select(o => o.Cell));
        })];
        Assert.True(rounds.Distinct().Count() > 15, string.Join(" | ", rounds));
    }

    [Fact]
    public void Order_IsThatOfTheSeed()
    {
        Assert.Equal(Sweep.Order(Plan(seed: 3)), Sweep.Order(Plan(seed: 3)));
        Assert.NotEqual(Sweep.Order(Plan(seed: 3)), Sweep.Order(Plan(seed: 4)));
    }

    [Fact]
    public void Run_MeasuresEveryPointInEveryRound_WithSeedsOfTheirOwn()
    {
        List<(int Size, int Seed)> measured = [];
        SweepResult result = Run(Plan(), plan =>
        {
            measured.Add((plan.Workload.RequestSize, plan.Seed));
            return Round(plan);
        });

        Assert.True(result.Complete);
        Assert.Equal(15, measured.Select(m => m.Seed).Distinct().Count());
        Assert.All(result.Points, p => Assert.Equal(3, p.Rounds.Count));
        Assert.Equal([64, 128, 256, 512, 1024], result.Points.Select(p => p.Cell[SweepDimension.Size]));
        Assert.All(
            result.Points,
            p =>
                Assert.All(
                    p.Rounds,
                    r => Assert.InRange(r.Response.MinNs, p.Cell.Plan.Workload.RequestSize * 1000, (p.Cell.Plan.Workload.RequestSize * 1000) + 1000)));
    }

    [Fact]
    public void Point_ThatFails_IsGivenUpAndTheOthersAreMeasured()
    {
        int tried = 0;
        SweepResult result =
            Run(
                Plan(), plan => plan.Workload.RequestSize != 256 ? Round(plan) : ++tried > 0
                    ? throw new ExpectedFailureException(ExitCode.Measurement, "It refused 256.") : null!);

        Assert.True(result.Complete);
        Assert.Equal(1, tried);
        Assert.Equal("It refused 256.", Assert.Single(result.Points, p => p.Failure is not null).Failure);
        Assert.All(result.Points.Where(p => p.Failure is null), p => Assert.Equal(3, p.Rounds.Count));
    }

    [Fact]
    public void Target_ThatDies_EndsTheSweepWithWhatThereIs()
    {
        int calls = 0;
        SweepResult result = Run(Plan(), plan => ++calls <= 4 ? Round(plan) : throw new ExpectedFailureException(ExitCode.Measurement, "It is gone."));

        Assert.Equal(6, calls);
        Assert.False(result.Complete);
        Assert.Equal("It is gone.", result.EndedBecause);
        Assert.Equal(4, result.Points.Sum(p => p.Rounds.Count));
    }

    [Fact]
    public void Target_ThatWasNeverThere_IsAFailureNotAReport()
    {
        int calls = 0;
        ExpectedFailureException failure =
            Assert.Throws<ExpectedFailureException>(
                () => Run(Plan(), _ => ++calls > 0 ? throw new ExpectedFailureException(ExitCode.Measurement, "Nobody is there.") : null!));

        Assert.Equal((2, ExitCode.Measurement), (calls, failure.Code));
    }

    [Fact]
    public void Rate_ThatFails_EndsTheSweep()
    {
        SweepPlan plan = SweepPlan.Make(new MeasurementPlan(), null, [(SweepDimension.Rate, [10, 20, 30])], 2, 1);
        int calls = 0;
        SweepResult result = Run(plan, p => ++calls < 3 ? Round(p) : throw new ExpectedFailureException(ExitCode.Measurement, "Broken."));

        Assert.Equal((3, "Broken."), (calls, result.EndedBecause));
    }

    [Fact]
    public void Cancelled_KeepsThePartialRoundAndStops()
    {
        int calls = 0;
        SweepResult result = Run(Plan(), plan => Round(plan) with { Cancelled = ++calls == 3 });

        Assert.True(result.Cancelled);
        Assert.Equal(3, calls);
        Assert.Equal(3, result.Points.Sum(p => p.Rounds.Count));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(14)]
    public void Resumed_MeasuresTheRestOnly_AndReportsTheSame(int interruptedAfter)
    {
        using TempFolder folder = new();
        SweepPlan plan = Plan();
        string whole = Told(Run(plan, Round));
        int calls = 0;
        using (SweepLog log = SweepLog.Open(folder["state"], SampleResults.Target, plan))
        {
            SweepResult partial = Run(plan, p => calls++ < interruptedAfter ? Round(p) : Round(p) with { Cancelled = true }, log);
            Assert.True(partial.Cancelled);
        }

        using SweepLog again = SweepLog.Open(folder["state"], SampleResults.Target, plan);
        Assert.Equal(interruptedAfter, again.Count);
        calls = 0;
        SweepResult result = Run(plan, p => calls++ >= 0 ? Round(p) : null!, again);

        Assert.Equal((15 - interruptedAfter, interruptedAfter), (calls, result.Resumed));
        Assert.Equal(whole, Told(result with { Resumed = 0 }));
    }

    private static string Told(SweepResult result) => ReportJson.Serialize(SweepReportBuilder.From(result));
}
