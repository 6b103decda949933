using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Experiments;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Core.Sockets;
using Xunit;
using static LatencyTuner.Tests.SampleResults;

namespace LatencyTuner.Tests.Reporting;

public sealed class BuiltReports
{
    private static MeasurementReport Report(MeasurementResult result) => MeasurementReportBuilder.From(result, Tool);

    [Fact]
    public async Task Measurement_Figures_HaveTheirUnits()
    {
        MeasurementResult result = Measured(Times(1000, 44), SplitPlan, noDelay: false, local: Counters(1000, 2), peer: Counters(), residenceMs: 0.5);
        result.SendNs = 20_000_000;
        result.LongestSendNs = 300_000;

        MeasurementReport report = Report(result);

        await Documents.AssertValid(report, "measurement");
        Assert.Equal((1000, 1000, 0L), (report.Sent, report.Received, report.Errors));
        Assert.InRange(report.ResponseTime.P50Us!.Value, 43_990, 44_100);
        Assert.Equal(report.ResponseTime.P50Us, report.ServiceTime.P50Us);
        Assert.Null(report.SendLateness);
        Assert.InRange(report.ThroughputPerSecond, 22.6, 22.8);
        Assert.Equal(500, report.Attribution.ServerUs!.Value, 0.01);
        Assert.Equal(20, report.Attribution.ClientUs!.Value, 0.01);
        Assert.Equal(
            report.ResponseTime.MeanUs!.Value, report.Attribution.ClientUs.Value + report.Attribution.ServerUs.Value + report.Attribution.NetworkUs!.Value,
            0.01);
        Assert.Equal((1000, 1.0, 40.0, 9.0), (report.Stalls.Count, report.Stalls.Share, report.Stalls.ClusterMs, report.Stalls.ThresholdMs));
        Assert.InRange(report.Stalls.TotalMs, 42_400, 42_600);
        Assert.InRange(report.SendBlockedShare!.Value, 0.0004, 0.0005);
        Assert.Equal((300.0, 1000.0), (report.LongestSendUs, report.ConnectUs));
        KernelFigures kernel = report.Kernel.Local!;
        Assert.Equal(
            (2L, 2.0, 1.0, 9.0, 1000L, 1448),
            (kernel.RetransmittedSegments, kernel.RwndLimitedMs, kernel.SndbufLimitedMs, kernel.BusyMs, kernel.PureAcksIn, kernel.MssBytes));
        Assert.Null(kernel.CwndLimitedMs);
        Assert.Equal((false, true), (report.Options.Effective!.Local.NoDelay, report.Options.Effective.Peer.NoDelay));
        Assert.Equal(Cause.NagleDelayedAck, report.Findings[0].Cause);
    }

    [Fact]
    public void Measurement_Runs_AddUpToWhatWasReceived()
    {
        foreach (int n in new[] { 1, 49, 1000, 7777 })
        {
            MeasurementReport report = Report(Measured([.. Enumerable.Range(0, n).Select(i => 1 + (i % 13 * 0.1))]));
            Assert.Equal(n, report.Runs.Sum(r => r.Count));
            Assert.InRange(report.Runs.Count, 1, 32);
            Assert.All(report.Runs, r => Assert.Equal(r.Count, StoredHistograms.Decode(r.Histogram).Count));
            Assert.Equal(report.Runs.OrderBy(r => r.StartMs), report.Runs);
        }
    }

    [Fact]
    public async Task Measurement_SeveralRuns_OnePartEach()
    {
        MeasurementResult result = Measured(Times(300, 1));
        for (int i = 0; i < 3; i++)
        {
            result.RunHistograms.Add(Histogram(Times(100, 1)));
        }

        MeasurementReport report = Report(result);
        await Documents.AssertValid(report, "measurement");
        Assert.Equal([(0, 100), (1, 100), (2, 100)], report.Runs.Select(r => (r.Run, r.Count)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    public async Task Measurement_FewOrNoReplies_UnknownIsNull(int n)
    {
        MeasurementResult result = Measured(Times(n, 1));
        (result.Sent, result.LocalState, result.ConnectTime, result.EndedBecause) = (n + 2, null, null, "The peer closed the connection.");

        MeasurementReport report = Report(result);

        await Documents.AssertValid(report, "measurement");
        Assert.False(report.Complete);
        Assert.Equal(2, report.Errors);
        Assert.Null(report.ResponseTime.P50Us);
        Assert.Equal((null, null, null), (report.Options.Effective, report.ConnectUs, report.Kernel.Local));
        Assert.Equal(n == 0, report.Attribution.ServerUs is null);
        Assert.Equal(0, report.Stalls.Count);
        Assert.Equal(Severity.Error, report.Findings.Single(f => f.Cause == Cause.EvidenceIncomplete).Severity);
    }

    [Fact]
    public async Task Measurement_OpenLoop_HasLatenessAndRate()
    {
        MeasurementReport report = Report(Measured(Times(500, 1), new MeasurementPlan { RatePerSecond = 1000, Arrivals = Arrivals.Poisson }));
        await Documents.AssertValid(report, "measurement");
        Assert.Equal(1, report.SendLateness!.P50Us!.Value, 0.01);
        Assert.Equal((1000.0, "poisson"), (report.Options.Requested.RatePerSecond, report.Options.Requested.Arrivals));
    }

    [Fact]
    public async Task Diagnosis_Document_SaysWhatTheExperimentDid()
    {
        DiagnosisReport report = DiagnosisReportBuilder.From(Stalled(200), Healthy());

        await Documents.AssertValid(report, "diagnosis");
        Assert.Equal([16, 48], report.WritesBytes);
        Assert.Equal(ExperimentCell.All.Count, report.Cells.Count);
        DiagnosisCell split = report.Cells.First(c => c is { Pattern: "split", NoDelay: false, PeerAck: "default", Ack: "default" });
        Assert.Equal((40, 1.0, 1.0), (split.N, split.StallShare, split.PureAcksPerRequest));
        Assert.InRange(split.StallMedianMs!.Value, 199, 201);
        Assert.All(report.Cells.Where(c => c.Pattern == "single"), c => Assert.Equal(0, c.StallShare));
        Assert.All(report.Cells, c => Assert.Null(c.NotMeasuredBecause));
        Assert.Equal(Cause.None, report.Loopback!.Verdict.Cause);
        Assert.StartsWith("This shows a risk, not a fault", report.Notes[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Diagnosis_OnlyRepliesStall_IsExposureToo()
    {
        DiagnosisReport report = DiagnosisReportBuilder.From(Stalled(200, replies: true), null);
        await Documents.AssertValid(report, "diagnosis");
        Assert.StartsWith("This shows a risk, not a fault", report.Notes[0], StringComparison.Ordinal);
        Assert.Empty(DiagnosisReportBuilder.From(Healthy(), null).Notes);
    }

    [Fact]
    public async Task Diagnosis_AckCallMissing_CellsSayWhy()
    {
        DiagnosisReport report = DiagnosisReportBuilder.From(Stalled(40, counters: false, ack: AckEffect.Unsupported), null);
        await Documents.AssertValid(report, "diagnosis");
        Assert.All(report.Cells, c => Assert.Equal(c.Ack == "immediate" || c.PeerAck == "immediate", c.NotMeasuredBecause is not null));
        Assert.All(report.Cells, c => Assert.Null(c.PureAcksPerRequest));
    }

    [Fact]
    public async Task Diagnosis_PartialWithoutPlainRequests_LongPathIsNoStall()
    {
        ExperimentResult result = Experiment([ExperimentCell.Split, ExperimentCell.SplitNoDelay, ExperimentCell.OneWrite])
            .With(ExperimentCell.SplitNoDelay, Times(10, 30)).With(ExperimentCell.Split, Times(10, 60));
        (result.EndedBecause, result.ConnectTime) = ("Broken.", null);

        DiagnosisReport report = DiagnosisReportBuilder.From(result, null);

        await Documents.AssertValid(report, "diagnosis");
        Assert.All(report.Cells, c => Assert.Equal(0, c.StallShare));
        Assert.Equal("the experiment ended before this cell was measured", report.Cells[2].NotMeasuredBecause);
    }

    [Fact]
    public async Task Sweep_Document_PointsAndInversion()
    {
        MeasurementPlan plan = SplitPlan with { RatePerSecond = 1 };
        SweepPlan sweep = SweepPlan.Make(plan with { Warmup = TimeSpan.Zero }, null, [(SweepDimension.Rate, [10, 100, 1000])], 2, 1);
        SweepPointResult Point(SweepCell cell, double ms) => new(
            cell,
            [.. Enumerable.Range(0, 2).Select(_ =>
            {
                MeasurementResult round = Measured(Times(400, ms), cell.Plan, noDelay: false, local: Counters());
                round.Planned = 400;
                return SweepRound.Of(round);
            })],
            null);

        SweepReport report =
            SweepReportBuilder.From(
                new SweepResult(Target, sweep, Started, [Point(sweep.Cells[0], 42), Point(sweep.Cells[1], 42), Point(sweep.Cells[2], 3)], null, false));

        await Documents.AssertValid(report, "sweep");
        Assert.True(report.Complete);
        Assert.Equal([10, 100, 1000], report.Points.Select(p => p.Rate!.Value));
        Assert.All(report.Points, p => Assert.Equal((800, 2, true), (p.N, p.Rounds, p.RateHeld)));
        Assert.InRange(report.Points[0].P50Us!.Value, 41_990, 42_100);
        Assert.Equal(2 * 2e-3 / (2 * 400 * 42e-3), report.Points[0].RwndLimitedShare!.Value, 1e-6);
        Assert.Null(report.Points[0].CwndLimitedShare);
        Assert.Equal(Cause.LoadInversion, Assert.Single(report.Findings).Cause);
        Assert.Null(report.Knee);
        await Documents.AssertValid(SweepReportBuilder.From(new SweepResult(Target, sweep, Started, [], "Refused.", false)), "sweep");
    }

    [Fact]
    public void LogSteps_AnyRange_Ascends()
    {
        Random random = new(3);
        for (int i = 0; i < 2000; i++)
        {
            double from = Math.Exp(random.NextDouble() * 10);
            double to = from * (1.0001 + (random.NextDouble() * (i % 2 == 0 ? 0.5 : 100)));
            IReadOnlyList<double> rates = SweepPlan.LogSteps(from, to, 2 + random.Next(30));
            Assert.Equal((from, to), (rates[0], rates[^1]));
            Assert.All(rates.Zip(rates.Skip(1)), p => Assert.True(p.First < p.Second, $"{from} to {to}: {string.Join(' ', rates)}"));
        }
    }

    [Theory]
    [InlineData(1, 1, "same")]
    [InlineData(1, 2, "worse")]
    [InlineData(2, 1, "better")]
    public async Task Comparison_Document_JudgesBAgainstA(double a, double b, string verdict)
    {
        MeasurementReport Of(double ms) => Report(Measured(Times(2000, ms)));

        ComparisonReport report = ComparisonReportBuilder.From("a.json", Of(a), "b.json", Of(b), TimeSpan.FromMicroseconds(50), 0.05, 1);

        await Documents.AssertValid(report, "comparison");
        Assert.Equal((verdict, 2000, 2000), (report.Result, report.CountA, report.CountB));
        Assert.All(report.Quantiles, q => Assert.Equal((b - a) * 1000, q.DeltaUs, 5.0));
        Assert.All(report.Quantiles, q => Assert.InRange(q.DeltaUs, q.LowUs, q.HighUs));
        Assert.All(report.Quantiles, q => Assert.Equal(verdict, q.Verdict));
    }

    [Fact]
    public void Charts_AnyMeasurement_CountsEveryReply()
    {
        foreach (double[] ms in new[] { [], [0.00001, 0.00005], [1], Times(500, 1), [0.001, 5000] })
        {
            Assert.NotNull(MeasurementCharts.PageOf(Report(Measured(ms))));
        }
    }
}
