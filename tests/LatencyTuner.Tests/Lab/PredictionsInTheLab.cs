using System.Globalization;
using LatencyTuner.Core.Analysis.Diagnosis;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Experiments;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Lab;
using Xunit;

namespace LatencyTuner.Tests.Lab;

/// <summary>
/// What the cure of a stall would bring, predicted from the run that stalls and measured by one with the cure. LATENCYTUNER_PREDICTIONS=100 makes a
/// hundred runs of each kind, and judges their tails. Without it a few kinds run once, beside other tests that disturb the tails.
/// </summary>
[Collection(LabTests.Name)]
public sealed class PredictionsInTheLab
{
    // Far above what the emulator and a machine with a free processor add.
    private const long StoodStillNs = 10_000_000;
    private const long UsuallyWaitedNs = 300_000;

    // What other tests beside it add to the few requests of a single run; every hold removed here is twenty times as long or more.
    private const double OtherTestsUs = 2000;

    private static readonly int Runs = int.Parse(Environment.GetEnvironmentVariable("LATENCYTUNER_PREDICTIONS") ?? "1", CultureInfo.InvariantCulture);
    private static readonly int Attempts = Runs > 1 ? 5 : 2;

    /// <summary>One prediction beside what was measured with the cure.</summary>
    private sealed record Outcome(CurePrediction Predicted, double P50Us, double? P99Us, double RttUs, HostUse? Host)
    {
        /// <summary>The threads of this machine did not get to run when they were due.</summary>
        public bool Waited => Host is { } host && (host.DelayP50Ns >= UsuallyWaitedNs || host.DelayMaxNs >= StoodStillNs);

        public bool MedianHolds => Math.Abs(P50Us - Predicted.P50AfterUs) <= Math.Max(Math.Max(RttUs, Runs > 1 ? 500 : OtherTestsUs), 0.1 * P50Us);

        public bool TailHolds => P99Us is not { } p99 || ((Predicted.P99AfterLowUs ?? 0) <= p99 && p99 <= (Predicted.P99AfterHighUs ?? double.MaxValue));

        public override string ToString() => string.Create(
            CultureInfo.InvariantCulture,
            $"median {Predicted.P50Us:0} -> {Predicted.P50AfterUs:0} predicted, {P50Us:0} measured; p99 {Predicted.P99Us:0} -> {Predicted.P99AfterUs:0} "
            + $"({Predicted.P99AfterLowUs:0} to {Predicted.P99AfterHighUs:0}) predicted, {P99Us:0} measured; n {Predicted.N}");
    }

    private static LinkEmulatorOptions Link(string preset, double delayMs)
    {
        LinkEmulatorOptions link = LabPreset.Find(preset)!.Link;
        return link with { ClientToServer = link.ClientToServer with { DelayMs = delayMs }, ServerToClient = link.ServerToClient with { DelayMs = delayMs } };
    }

    /// <summary>As often as was asked for; a run in which the emulator stood still is told and repeated.</summary>
    private static void Hold(string preset, double delayMs, Func<LabResponder, int, Outcome> run)
    {
        LabTests.Require();
        Assert.SkipUnless(Runs > 1 || ((delayMs is 0.2 or 10) && !preset.EndsWith("tick", StringComparison.Ordinal)), "LATENCYTUNER_PREDICTIONS=100 runs it.");
        List<Outcome> outcomes = [];
        for (int i = 0; i < Runs; i++)
        {
            for (int attempt = 1; ; attempt++)
            {
                using LabResponder lab = new(preset, Link(preset, delayMs));
                Outcome outcome = run(lab, (i * Attempts) + attempt);
                long lateNs = lab.Emulator.MaxLatenessNs;
                bool stood = lateNs >= StoodStillNs || outcome.Waited;
                string still = stood ? $"; the emulator stood still for {lateNs / 1e6:0.0} ms, a thread for {outcome.Host?.DelayMaxNs / 1e6:0.0} ms" : "";
                TestContext.Current.TestOutputHelper?.WriteLine($"{preset} {delayMs} ms: {outcome}{still}");
                if (!stood)
                {
                    outcomes.Add(outcome);
                }

                if (!stood || attempt == Attempts)
                {
                    break;
                }
            }
        }

        Assert.SkipUnless(outcomes.Count > 0, "This machine stood still in every run.");
        string told = string.Join(Environment.NewLine, outcomes.Where(o => !o.MedianHolds || !o.TailHolds));
        Assert.True(outcomes.Count(o => o.MedianHolds) >= 0.95 * outcomes.Count, told);
        Assert.True(Runs == 1 || outcomes.Count(o => o.TailHolds) >= 0.9 * outcomes.Count, told);
    }

    private static MeasurementResult Measure(LabResponder lab, MeasurementPlan plan)
    {
        MeasurementResult result = lab.AtClient(() => PingPong.Run(lab.Target, plan with { Watch = true }, LabResponder.Context, CancellationToken.None));
        Assert.True(result.Complete, result.EndedBecause);
        return result;
    }

    private static Outcome MeasureWithAndWithout(LabResponder lab, MeasurementPlan plan, Workload cured, double delayMs)
    {
        Finding finding = MeasurementReportBuilder.From(Measure(lab, plan), SampleResults.Tool).Findings
            .First(f => f.Cause is Cause.NagleDelayedAck or Cause.NagleHold);
        MeasurementResult result = Measure(lab, plan with { Workload = cured });
        LatencyFigures measured = MeasurementReportBuilder.From(result, SampleResults.Tool).ResponseTime;
        return new(Assert.Single(finding.Predictions), measured.P50Us!.Value, measured.P99Us, 2000 * delayMs, result.ClientHost);
    }

    [Theory]
    [InlineData("receiver-200ms", 0.2, null)]
    [InlineData("receiver-200ms", 0.21, 50.0)]
    [InlineData("receiver-200ms", 0.21, 250.0)]
    [InlineData("receiver-40ms", 0.25, null)]
    [InlineData("receiver-40ms", 10, null)]
    [InlineData("receiver-40ms", 50, null)]
    [InlineData("receiver-200ms-tick", 0.25, null)]
    public void RequestsInTwoWrites_TakeWhatWasPredictedOnceNagleIsOff(string preset, double delayMs, double? rate) => Hold(preset, delayMs, (lab, seed) =>
    {
        MeasurementPlan plan = new()
        {
            Workload = new Workload { Pattern = WritePattern.Split, Writes = [16, 48], NoDelay = false },
            RatePerSecond = rate,
            // Enough requests for the upper end of the interval, at the highest rate.
            Duration = TimeSpan.FromSeconds(rate > 200 ? 4 : 1.5),
            AtLeast = 8,
            Warmup = TimeSpan.Zero,
            Seed = seed,
        };
        return MeasureWithAndWithout(lab, plan, plan.Workload with { NoDelay = true }, delayMs);
    });

    [Theory]
    [InlineData(0.2)]
    [InlineData(10)]
    public void RepliesInTwoWrites_TakeWhatWasPredictedOnceNagleIsOff(double delayMs) => Hold("client-receiver-200ms", delayMs, (lab, seed) =>
    {
        MeasurementPlan plan = new()
        {
            Workload = new Workload { PeerWrites = 2, PeerNoDelay = false },
            Duration = TimeSpan.FromSeconds(1.5),
            AtLeast = 8,
            Warmup = TimeSpan.Zero,
            Seed = seed,
        };
        return MeasureWithAndWithout(lab, plan, plan.Workload with { PeerNoDelay = true }, delayMs);
    });

    [Theory]
    [InlineData("receiver-200ms", 0.2)]
    [InlineData("client-receiver-200ms", 0.2)]
    [InlineData("receiver-40ms", 0.25)]
    [InlineData("receiver-40ms", 10)]
    [InlineData("receiver-40ms", 50)]
    public void Diagnosis_MeasuresWhatItPredicts(string preset, double delayMs) => Hold(preset, delayMs, (lab, seed) =>
    {
        ExperimentPlan plan = new()
        {
            Rounds = 3,
            CellTime = TimeSpan.FromMilliseconds(60),
            TickProbes = 0,
            Cells =
            [
                ExperimentCell.OneWrite, ExperimentCell.Split, ExperimentCell.SplitNoDelay, ExperimentCell.SplitReplies,
                ExperimentCell.SplitRepliesPeerNoDelay,
            ],
            Seed = seed,
        };
        DiagnosisReport report = lab.AtClient(
            () => DiagnosisReportBuilder.From(Experiment.Run(lab.Target, plan, LabResponder.Context, CancellationToken.None), null));
        DiagnosisFix fix = report.Fixes.First(f => f.Id.StartsWith("no-delay", StringComparison.Ordinal));
        CurePrediction prediction = Assert.Single(report.Findings.First(f => f.Cause == Cause.NagleDelayedAck).Predictions);
        Assert.Equal(prediction.P50AfterUs, fix.P50UsPredicted);
        return new(prediction, fix.P50UsAfter!.Value, fix.P99UsAfter, 2000 * delayMs, null);
    });
}
