using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Ownership;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Reporting.Measurement;
using Xunit;

namespace LatencyTuner.Tests.Lab;

/// <summary>What a measurement finds on paths whose truth is known because the lab made it.</summary>
[Collection(LabTests.Name)]
public sealed class MeasurementsInTheLab
{
    private static MeasurementReport Measure(string preset, MeasurementPlan plan)
    {
        LabTests.Require();
        using LabResponder lab = new(preset);
        return lab.AtClient(() => MeasurementReportBuilder.From(
            PingPong.Run(lab.Target, plan, LabResponder.Context, CancellationToken.None), SampleResults.Tool, null, new Gate { FailOn = Severity.Error }));
    }

    private static MeasurementPlan Split(double? rate, double seconds) => new()
    {
        Workload = new Workload { Pattern = WritePattern.Split, Writes = [16, 48], NoDelay = false },
        RatePerSecond = rate,
        Duration = TimeSpan.FromSeconds(seconds),
        Warmup = TimeSpan.Zero,
    };

    /// <summary>The same fault at any rate; at the highest one a full segment collects before the timer runs out.</summary>
    [Theory]
    [InlineData(null, Cause.NagleDelayedAck)]
    [InlineData(10.0, Cause.NagleDelayedAck)]
    [InlineData(50.0, Cause.NagleDelayedAck)]
    [InlineData(250.0, Cause.NagleHold)]
    public void SplitRequestsToATimerOf200Ms_AnErrorAtAnyRate(double? rate, Cause cause)
    {
        MeasurementReport report = Measure("receiver-200ms", Split(rate, 2.4));

        Finding finding = Assert.Single(report.Findings, f => f.Severity == Severity.Error);
        Assert.Equal((cause, Side.Client, Confidence.Likely), (finding.Cause, finding.Side, finding.Confidence));
        Assert.Equal(ExitCode.Finding, report.Judgement.ExitCode);
        Assert.True(report.Attribution.Typical is not { Owner: Owner.Network }, report.Attribution.Typical?.Because);
    }

    [Fact]
    public void PathThatLosesSegments_ItsLossesAreFoundAndNoTimer()
    {
        MeasurementReport report = Measure("loss-1pct", new MeasurementPlan { Duration = TimeSpan.FromSeconds(5), Warmup = TimeSpan.Zero });

        Finding finding = Assert.Single(report.Findings, f => f.Severity >= Severity.Warning);
        Assert.Equal((Cause.LossRto, Side.Network), (finding.Cause, finding.Side));
        Assert.Null(report.Stalls.ClusterMs);
        Assert.Equal("LOSS, TIMEOUT", report.Judgement.Word);
    }
}
