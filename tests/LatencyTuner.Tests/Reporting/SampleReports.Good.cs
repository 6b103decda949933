using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Protocols;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Core.Reporting.UnderLoad;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Tests.Settings;
using LatencyTuner.Tests.Tuning;

namespace LatencyTuner.Tests.Reporting;

/// <content>The other outcome of kinds of which a sample shows one: nothing found where it has a finding, nothing measured, all unanswered.</content>
internal static partial class SampleReports
{
    /// <summary>Five rates at which nothing happens; the lowest has few samples.</summary>
    internal static SweepReport FlatSweep => Sweep with
    {
        Points =
        [
            Point(1, 1_210, 1_400) with
            {
                P99Us = null, P999Us = null, Intervals = new Dictionary<string, IntervalFigures>
                {
                    ["p50Us"] = Between(1_200, 1_220), ["p99Us"] = new() { LowUs = 1_300, AtLeastUs = 2_400 },
                },
            },
            Point(100, 1_200, 1_900), Point(1000, 1_190, 1_950), Point(10_000, 1_230, 2_100),
        ],
        Knee = null,
        Findings = [],
    };

    internal static SweepReport EmptySweep => Sweep with
    {
        Complete = false,
        EndedBecause = "app01:7117 refused the connection.",
        Points = [],
        Knee = null,
        Findings = [],
    };

    /// <summary>Messages without replies, whose verdict is about bytes per second.</summary>
    internal static SweepReport OneWaySweep => BufferSweep with
    {
        Pattern = "stream",
        Load = BufferSweep.Load! with { OneWay = true },
        Points = [.. BufferSweep.Points.Select(p => p with { P50Us = p.P50Us / 100, P99Us = p.P99Us / 100, MeanUs = p.MeanUs / 100, MaxUs = p.MaxUs / 100 })],
    };

    internal static SeriesReport QuietSeries => SeriesReportBuilder.From([SeriesOf("db1", 1, 0, 0, swing: 0)], SeverityLimits.Standard);

    internal static ProtocolsReport UnansweredProtocols => Protocols with { Targets = [Protocols.Targets[^1]] };

    internal static UnderLoadReport ShallowQueue => DeepQueue with
    {
        Loaded = Around(5.6, 1000, 610),
        Added = new()
        {
            MeanUs = 310,
            P50Us = 300,
            P90Us = 420,
            Intervals = new Dictionary<string, IntervalFigures> { ["p90Us"] = Between(350, 490) },
        },
        Bufferbloat = DeepQueue.Bufferbloat with { Grade = "A+", GradeLow = "A+", GradeHigh = "A+" },
        Responsiveness = DeepQueue.Responsiveness with { LoadedRpm = 10_600, LoadedLowRpm = 10_400, LoadedHighRpm = 10_800 },
        Findings = [],
    };

    internal static ComparisonReport Unchanged => Comparison with
    {
        Result = "same",
        Text = "No difference of 70 us or more between before.json and after.json.",
        Quantiles = [.. Comparison.Quantiles.Where(q => q.Verdict == "same")],
    };

    internal static ChangeReport Applied
    {
        get
        {
            Bench bench = new();
            return Report(bench.Apply(Bench.Plan("20261120-030405", bench.Change(0, SettingValue.Dword(1)))));
        }
    }

    internal static ChangeReport VerifiedAsWritten
    {
        get
        {
            Bench bench = Changed();
            bench.Clock.Now += TimeSpan.FromHours(1);
            RestartTimes times = new(FixedClock.Start.AddMinutes(30), _ => FixedClock.Start.AddMinutes(30));
            return Report(new Verification(bench.Context).Verify(null, times));
        }
    }

    internal static ChangeReport RolledBack => Report(Changed().RollBack(new RollbackSelection.All()));

    internal static ChangeReport History
    {
        get
        {
            Bench bench = Changed();
            bench.Clock.Now += TimeSpan.FromDays(1);
            bench.RollBack(new RollbackSelection.All());
            return Report(new Verification(bench.Context).History());
        }
    }

    /// <summary>A host on which nothing was ever changed.</summary>
    internal static ChangeReport EmptyHistory => Report(new Verification(new Bench().Context).History());

    /// <summary>A host with nothing to review: what the sample has, without what was set by hand.</summary>
    internal static SettingsReport UntouchedSettings => SettingsReportBuilder.From(
        SettingsCatalogue.Current, SampleSnapshots.Untouched(), "untouched.json", WorkloadProfile.Balanced);

    internal static SnapshotComparisonReport SameSnapshots =>
        SnapshotComparisons.From("before.json", SampleSnapshots.Server2022, "after.json", SampleSnapshots.Server2022);

    /// <summary>One capture without a stall.</summary>
    internal static AnalysisReport NoStallAnalysis => Analysis with
    {
        Complete = true,
        Text = "No stall worth a warning on 1 connection (0 us lost in all).",
        Inputs = [Analysis.Inputs[0]],
        Hosts =
        [
            .. Analysis.Hosts.Select(h => h with
            {
                AckTimerMs = null, AckTimerModel = null, AckTimerConsistentWith = [], LateAcks = 0, AcksAbove100Ms = 0, LateP50Ms = null, LateMaxMs = null,
                Harmful = 0,
            }),
        ],
        Connections =
        [
            Analysis.Connections[0] with { StallMs = 0, StallsMs = new Dictionary<string, double>(), TransactionP50Ms = 1.1, TransactionMaxMs = 2.3 },
        ],
        Transactions = [],
        Observations = [],
        Findings = [],
        Example = null,
        Pairs = [],
        Notes = [],
    };

    private static Bench Changed()
    {
        Bench bench = new();
        bench.Apply(Bench.Plan("20261120-030405", bench.Change(0, SettingValue.Dword(1)), bench.Change(5, SettingValue.Dword(1))));
        return bench;
    }
}
