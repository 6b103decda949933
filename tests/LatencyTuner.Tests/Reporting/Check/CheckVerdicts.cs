using LatencyTuner.Core;
using LatencyTuner.Core.Analysis.Checks;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Text;
using Xunit;
using static LatencyTuner.Tests.SampleResults;

namespace LatencyTuner.Tests.Reporting.Check;

public sealed class CheckVerdicts
{
    private static readonly CheckedTarget Unreachable = new("app02:7117", null, null, "app02:7117: connection refused.");

    private static MeasurementReport Report(MeasurementResult result) => MeasurementReportBuilder.From(result, Tool);

    private static CheckedTarget Checked(MeasurementResult result, DiagnosisReport? diagnosis = null, string? failure = null) =>
        new(result.Target.Name, Report(result), diagnosis, failure);

    private static CheckedTarget Good => Checked(Measured(Times(1000, 1)), DiagnosisReportBuilder.From(Stalled(200), null));

    private static CheckedTarget Stalling => Checked(Measured(Times(400, 202), SplitPlan, noDelay: false, local: Counters(400)));

    private static CheckedTarget OnLoopback(double ms = 0.1, int n = 1000) => Checked(Measured(Times(n, ms), target: Loopback));

    private static CheckInputs Inputs(params CheckedTarget[] targets) => new()
    {
        StartedUtc = Started,
        Loopback = OnLoopback(),
        Targets = targets,
        Settings = new SettingsAudit { Audited = true },
    };

    private static CheckLimits Within(double maxP99Us) => new() { FailOn = Severity.Error, MaxP99Us = maxP99Us };

    private static async Task<CheckReport> JudgedAs(CheckInputs inputs, string verdict, ExitCode code, bool allowInconclusive = false)
    {
        CheckReport report = CheckReportBuilder.From(inputs with { Limits = inputs.Limits with { AllowInconclusive = allowInconclusive } });
        string told = $"{report.Text} {string.Join(" | ", report.Reasons)}";
        Assert.True(Format.Kebab(report.Verdict) == verdict, told);
        Assert.NotEmpty(report.Reasons);
        Assert.All(report.Reasons.Append(report.Text), r => Assert.False(string.IsNullOrWhiteSpace(r)));
        Assert.Equal(report.Reasons.Distinct(), report.Reasons);
        Assert.Equal(code, report.Judgement.ExitCode);
        Assert.Equal(
            verdict == "fail",
            PublishedDocuments.JUnitOf(report).Contains("<failure", StringComparison.Ordinal) && inputs.Targets.All(t => t.Measurement is not null));
        await Documents.AssertValid(report, "check");
        return report;
    }

    /// <summary>Every combination of what can happen; the expectation is written again, from the contract.</summary>
    [Fact]
    public void From_EveryCombination_VerdictReasonsAndExitCode()
    {
        CheckedTarget good = Good;
        CheckedTarget stalling = Stalling;
        CheckedTarget broken = Checked(Broken(), failure: "It broke.");
        int cases = 0;
        foreach (CheckedTarget[] targets in new CheckedTarget[][] {
            [], [good], [stalling], [broken], [Unreachable], [good, stalling], [good, Unreachable], [stalling, Unreachable], [broken, stalling] })
        {
            foreach (Severity? failOn in new Severity?[] { null, Severity.Info, Severity.Warning, Severity.Error })
            {
                foreach (double? p99Ms in new double?[] { null, 0.05, 1000 })
                {
                    foreach (double? share in new double?[] { null, 0.5 })
                    {
                        foreach (bool cancelled in new[] { false, true })
                        {
                            CheckInputs inputs = Inputs(targets) with
                            {
                                // None of these cases is inconclusive: with it and without it in turn, whatever else there is.
                                Limits = new CheckLimits
                                {
                                    FailOn = failOn,
                                    MaxP99Us = p99Ms * 1000,
                                    MaxStallShare = share,
                                    AllowInconclusive = cases % 3 == 0,
                                },
                                Cancelled = cancelled,
                            };
                            CheckReport report = CheckReportBuilder.From(inputs);
                            bool measured = targets.Any(t => t.Measurement is not null);
                            bool fails = (p99Ms == 0.05 && measured) || (targets.Contains(stalling) && (failOn is not null || share is not null));
                            bool doubt = cancelled || targets.Contains(Unreachable) || targets.Contains(broken);
                            Assert.Equal(fails ? "fail" : doubt ? "cannot-tell" : "pass", Format.Kebab(report.Verdict));
                            ExitCode code = cancelled ? ExitCode.Cancelled : targets.Contains(Unreachable) ? ExitCode.Measurement : fails ? ExitCode.Finding
                                : targets.Contains(broken) ? ExitCode.Measurement : ExitCode.Done;
                            Assert.Equal(code, report.Judgement.ExitCode);
                            Assert.NotEmpty(report.Reasons);
                            Assert.Equal(!cancelled && targets.All(t => t.Failure is null), report.Complete);
                            cases++;
                        }
                    }
                }
            }
        }

        Assert.Equal(9 * 4 * 3 * 2 * 2, cases);

        static MeasurementResult Broken()
        {
            MeasurementResult result = Measured(Times(50, 1));
            result.EndedBecause = "It broke.";
            return result;
        }
    }

    [Fact]
    public async Task From_HealthyTarget_PassesWhateverOthersWouldPay()
    {
        CheckReport report = await JudgedAs(Inputs(Good), "pass", ExitCode.Done);
        Assert.Contains(report.Findings, f => f is { Cause: Cause.NagleDelayedAck, Severity: Severity.Info });
        Assert.Contains("no stall in 1,000 requests", report.Reasons[0], StringComparison.Ordinal);
        Assert.Equal("app01:7117 answers without stalls.", report.Text);
        Assert.Equal(["loopback", "app01:7117"], report.Measurements.Select(m => m.Target.Name));
    }

    [Fact]
    public async Task From_StallsBelowEveryLimit_AreNotDenied()
    {
        CheckReport report = await JudgedAs(Inputs(Checked(Measured([.. Times(990, 1), .. Times(10, 250)]))), "pass", ExitCode.Done);
        Assert.DoesNotContain("no stall", report.Reasons[0], StringComparison.Ordinal);
        Assert.Contains("10 stalls", report.Reasons[0], StringComparison.Ordinal);
        Assert.DoesNotContain("without stalls", report.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task From_StallingTarget_FailsByItsFinding()
    {
        CheckReport report = await JudgedAs(Inputs(Stalling), "fail", ExitCode.Finding);
        Assert.Contains("LT101 nagle-delayed-ack at the client", report.Text, StringComparison.Ordinal);
        Assert.Contains(report.Judgement.NextSteps, n => n is { Command: "diagnose", Target: "app01:7117" });
    }

    /// <summary>No limit was given: that nothing names the cause of the stalls must not make them pass.</summary>
    [Fact]
    public async Task From_StallsThatNothingExplains_CannotTell()
    {
        CheckedTarget unexplained = Checked(Measured(Times(300, 64), SplitPlan, noDelay: false));
        CheckReport report = await JudgedAs(Inputs(unexplained), "cannot-tell", ExitCode.CannotTell);
        Assert.Contains("300 requests of 300 waited more than 9.0 ms", report.Text, StringComparison.Ordinal);
        await JudgedAs(Inputs(unexplained), "cannot-tell", ExitCode.Done, allowInconclusive: true);
        await JudgedAs(Inputs(unexplained) with { Limits = new CheckLimits { FailOn = null } }, "pass", ExitCode.Done);
        await JudgedAs(Inputs(unexplained) with { Limits = new CheckLimits { FailOn = Severity.Error, MaxStallShare = 1 } }, "pass", ExitCode.Done);
        await JudgedAs(Inputs(unexplained) with { Limits = new CheckLimits { FailOn = Severity.Error, MaxStallShare = 0.9 } }, "fail", ExitCode.Finding);
    }

    [Fact]
    public async Task From_StallsOfAPossibleCause_FailAWarningAndAreNotPassedAsNoError()
    {
        CheckedTarget possible = Checked(Measured(Times(250, 42), SplitPlan, noDelay: false));
        CheckReport report = await JudgedAs(Inputs(possible), "cannot-tell", ExitCode.CannotTell);
        Assert.Contains("this cause is only possible", report.Text, StringComparison.Ordinal);
        await JudgedAs(Inputs(possible) with { Limits = new CheckLimits { FailOn = Severity.Warning } }, "fail", ExitCode.Finding);
    }

    [Theory]
    [InlineData(100, "pass", ExitCode.Done)]
    [InlineData(0.5, "fail", ExitCode.Finding)]
    public async Task From_P99_ClearOfItsLimit(double limitMs, string verdict, ExitCode code) =>
        await JudgedAs(Inputs(Good) with { Limits = Within(limitMs * 1000) }, verdict, code);

    [Theory]
    [InlineData(false, ExitCode.CannotTell)]
    [InlineData(true, ExitCode.Done)]
    public async Task From_P99IntervalAcrossTheLimit_CannotTell(bool allow, ExitCode code)
    {
        // 12 of 1000 are slow: the p99 is, the lower end of its interval is not.
        double[] ms = [.. Enumerable.Range(0, 1000).Select(i => i % 83 == 0 ? 5.0 : 1.0 + (i % 7 * 0.001))];
        CheckReport report = await JudgedAs(Inputs(Checked(Measured(ms))) with { Limits = Within(3000) }, "cannot-tell", code, allow);
        Assert.Contains("Its 95 % interval reaches down", report.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task From_TooFewForAP99_CannotTellUnlessPlainlyAbove()
    {
        CheckInputs inputs = Inputs(Checked(Measured(Times(50, 1))));
        CheckReport report = await JudgedAs(inputs with { Limits = Within(3000) }, "cannot-tell", ExitCode.CannotTell);
        Assert.Contains("too few for a p99", report.Text, StringComparison.Ordinal);
        await JudgedAs(inputs with { Limits = Within(10) }, "fail", ExitCode.Finding);
    }

    [Fact]
    public async Task From_TooFewReplies_CannotTell() => await JudgedAs(Inputs(Checked(Measured(Times(3, 1)))), "cannot-tell", ExitCode.CannotTell);

    [Fact]
    public async Task From_LoopbackFindings_NeverFail()
    {
        CheckedTarget bad =
            Checked(
                Measured(Times(100, 202), SplitPlan, target: Loopback, noDelay: false, local: Counters(100)), DiagnosisReportBuilder.From(Stalled(40), null));
        foreach (Severity failOn in Enum.GetValues<Severity>())
        {
            await JudgedAs(
                Inputs(Good) with { Loopback = bad, Limits = new CheckLimits { FailOn = failOn, MaxStallShare = 0.1, MaxP99Us = 50_000 } } with
                {
                    Targets = [Checked(Measured(Times(1000, 1)))],
                }, "pass", ExitCode.Done);
            Assert.Equal(VerdictKind.Pass, CheckReportBuilder.From(Inputs() with { Loopback = bad, Limits = new CheckLimits { FailOn = failOn } }).Verdict);
        }
    }

    [Fact]
    public async Task From_NoTarget_LoopbackFailsNoLimitButMustBeMeasured()
    {
        CheckReport report = await JudgedAs(Inputs(), "pass", ExitCode.Done);
        Assert.Equal("Local checks only, no network path tested.", report.Text);
        CheckReport limited = await JudgedAs(Inputs() with { Limits = Within(10) }, "pass", ExitCode.Done);
        Assert.Contains(limited.Reasons, r => r.Contains("--max-p99", StringComparison.Ordinal));
        await JudgedAs(Inputs() with { Loopback = new CheckedTarget("loopback", null, null, "No port is free.") }, "cannot-tell", ExitCode.Measurement);
    }

    [Theory]
    [InlineData(null, "pass")]
    [InlineData(Severity.Info, "fail")]
    [InlineData(Severity.Warning, "pass")]
    [InlineData(Severity.Error, "pass")]
    public async Task From_FailOn_IsALeast(Severity? failOn, string verdict)
    {
        CheckedTarget far = Checked(Measured(Times(400, 30), local: Counters(minRttUs: 29_000)));
        await JudgedAs(Inputs(far) with { Limits = new CheckLimits { FailOn = failOn } }, verdict, verdict == "fail" ? ExitCode.Finding : ExitCode.Done);
    }
}
