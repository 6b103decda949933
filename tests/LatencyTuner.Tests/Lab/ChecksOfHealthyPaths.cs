using LatencyTuner.Commands;
using LatencyTuner.Core;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Experiments;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Reporting.Check;
using Xunit;

namespace LatencyTuner.Tests.Lab;

/// <summary>A gate that cries wolf is removed within a week: 50 shortened checks of healthy paths without one false alarm, 400 in the long run.</summary>
[Collection(LabTests.Name)]
public sealed class ChecksOfHealthyPaths
{
    private static readonly int PerPath = Repository.Times(80);

    // Longer than what jitter and a free processor add: TCP may then send again, and rightly.
    private const long StoodStillNs = 10_000_000;

    /// <summary>
    /// Of a shortened check on a busy machine too few replies may be left for a verdict; that is said, and is no alarm. Nor is a path healthy on which the
    /// emulator, its kernels or this process stood still: what TCP does then is told.
    /// </summary>
    private static readonly int Judged = PerPath / 2;

    private const string Loopback = "loopback";

    // Checks wait more than they work: of two near paths each has a processor, and far ones are measured beside them.
    private static readonly AtTheSameTime<string, int>[] Together = [new(["delay-5ms", "jitter-5ms", "clean"], Judge), new(["clean-linux", Loopback], Judge)];

    private static CheckInputs Check(IReadOnlyList<string> targets, Func<string, OpenTarget> open, int seed) => new CheckRun
    {
        Plan = new MeasurementPlan { Duration = TimeSpan.FromMilliseconds(220), Warmup = TimeSpan.FromMilliseconds(20), Seed = seed },
        Measuring = LabResponder.Context,
        Experiment = new ExperimentPlan
        {
            Rounds = 1,
            CellTime = TimeSpan.FromMilliseconds(5),
            TickProbes = 0,
            Seed = seed,
        },
        Cells = [ExperimentCell.OneWrite, ExperimentCell.Split, ExperimentCell.SplitNoDelay],
    }.Run(targets, open, CancellationToken.None);

    /// <returns>1 when there was enough for a verdict, else 0.</returns>
    private static int AssertNoAlarm(CheckInputs inputs, int i, long lateNs)
    {
        CheckReport report = CheckReportBuilder.From(inputs);
        IEnumerable<string> evidence = report.Findings.SelectMany(f => f.For.Prepend($"{f.Cause}"));
        string told = $"check {i}, emulator or process late by {lateNs / 1e6:0.0} ms: {report.Text} {string.Join(" | ", report.Reasons.Concat(evidence))}";
        // A path that loses nothing, and whose kernels count a segment sent again, stood still before the emulator read it: its clock cannot see that.
        bool sentAgain = report.Findings.Any(f => f.Cause == Cause.LossRto && f.For.Any(e => e.StartsWith("the kernels sent", StringComparison.Ordinal)));
        bool stood = lateNs >= StoodStillNs;
        // What stood still for longer than the whole check measured nothing.
        if ((stood && report.Verdict == VerdictKind.CannotTell) || ((stood || sentAgain) && report.Findings.Any(f => f.Severity != Severity.Info)))
        {
            // Not the test's own output: the one that started the measuring may have ended.
            TestContext.Current.SendDiagnosticMessage(told);
            return 0;
        }

        bool tooFew = report.Verdict == VerdictKind.CannotTell && report.Reasons.Any(r => r.Contains("are needed for a median", StringComparison.Ordinal));
        Assert.True(report.Verdict == VerdictKind.Pass || tooFew, told);
        Assert.True(tooFew || report.Findings.All(f => f.Severity == Severity.Info), told);
        Assert.Equal(tooFew ? ExitCode.CannotTell : ExitCode.Done, report.Judgement.ExitCode);
        return tooFew ? 0 : 1;
    }

    [Theory]
    [InlineData("clean", 0)]
    [InlineData("delay-5ms", 0)]
    [InlineData("jitter-5ms", 0)]
    [InlineData("clean-linux", 1)]
    [InlineData(Loopback, 1)]
    public void HealthyPath_NeverAlarms(string path, int group)
    {
        LabTests.Require();
        Assert.InRange(Together[group].Of(path), Judged, PerPath);
    }

    private static int Judge(string path) => path == Loopback ? JudgeLoopback() : JudgeLink(path);

    private static int JudgeLink(string preset)
    {
        using LabResponder lab = new(preset);
        using StallClock clock = new(TimeProvider.System, SocketPlatform.Current);
        int judged = 0;
        for (int i = 0; i < PerPath; i++)
        {
            int seed = i;
            _ = lab.TakeLatestNs();
            DelayCounts before = clock.Counts();
            CheckInputs inputs = lab.AtClient(() => Check(["server"], Open, seed));
            judged += AssertNoAlarm(inputs, i, Math.Max(lab.TakeLatestNs(), LatestNs(clock, before)));
        }

        return judged;

        OpenTarget Open(string name) => name == TargetOptions.Loopback ? OpenLoopback() : new OpenTarget(lab.Target, null);
    }

    /// <summary>How late a thread of this process ran at most since then, nanoseconds.</summary>
    private static long LatestNs(StallClock clock, DelayCounts before) => clock.Counts().Since(before).Quantile(1) ?? 0;

    private static int JudgeLoopback()
    {
        using StallClock clock = new(TimeProvider.System, SocketPlatform.Current);
        int judged = 0;
        for (int i = 0; i < PerPath; i++)
        {
            // Loopback addressed as a target is judged; as itself it is context only.
            using OpenTarget target = OpenLoopback();
            OpenTarget Open(string name) =>
                name == TargetOptions.Loopback ? OpenLoopback() : new OpenTarget(target.Target with { Name = name, IsLoopback = false }, null);
            DelayCounts before = clock.Counts();
            CheckInputs inputs = Check(["127.0.0.1"], Open, i);
            judged += AssertNoAlarm(inputs, i, LatestNs(clock, before));
        }

        return judged;
    }

    private static OpenTarget OpenLoopback()
    {
        LoopbackResponder responder = LoopbackResponder.Start(System.Net.Sockets.AddressFamily.InterNetwork, "test", "test", null, TimeProvider.System);
        return new OpenTarget(responder.Target, responder);
    }
}
