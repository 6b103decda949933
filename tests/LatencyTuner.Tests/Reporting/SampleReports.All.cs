using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Contract;
using LatencyTuner.Core.Reporting.Profiles;
using LatencyTuner.Tests.Settings;

namespace LatencyTuner.Tests.Reporting;

/// <content>Every sample by its name.</content>
internal static partial class SampleReports
{
    // On first use: what the other parts of the class hold is initialized by then.
    private static readonly Lazy<IReadOnlyDictionary<string, Document>> OnceJudged =
        new(() => Written.ToDictionary(d => d.Key, d => PublishedDocuments.Judge(d.Value, Gate.Open)));

    /// <summary>Every sample by name: what golden files and invariants run over.</summary>
    private static Dictionary<string, Document> Written => new()
    {
        ["measure-loopback"] = Loopback,
        ["measure-split"] = Split,
        ["measure-open-loop"] = OpenLoop,
        ["measure-unanswered"] = Unanswered,
        ["measure-owned"] = Owned,
        ["diagnose"] = Experiment with { Loopback = new() { Cells = [Cell("single", 15, 31, 0), Cell("split", 16, 33, 0)], Verdict = NoStall.Diagnosis } },
        ["diagnose-no-stall"] = NoStall,
        ["failure"] = FailureReport.Of(ExitCode.Input, "slow.pcap: no such file."),
        ["exit-codes"] = ExitCodesReport.Of([new(0, "done", "done, or the gate passed"), new(7, "cannot-tell", "too little evidence")]),
        ["pack"] = Pack,
        ["sweep"] = Sweep,
        ["sweep-flat"] = FlatSweep,
        ["sweep-nothing"] = EmptySweep,
        ["sweep-one-way"] = OneWaySweep,
        ["sweep-buffers"] = BufferSweep,
        ["sweep-window"] = WindowSweep,
        ["sweep-streams"] = StreamSweep,
        ["series"] = Series,
        ["series-quiet"] = QuietSeries,
        ["protocols"] = Protocols,
        ["protocols-unanswered"] = UnansweredProtocols,
        ["under-load"] = DeepQueue,
        ["under-load-shallow"] = ShallowQueue,
        ["check-pass"] = Pass,
        ["check-fail"] = Fail,
        ["check-cannot-tell"] = CannotTell,
        ["check-unreachable"] = Unreachable,
        ["compare"] = Comparison,
        ["compare-unchanged"] = Unchanged,
        ["settings-list"] = SampleSnapshots.List,
        ["settings-explain"] = SampleSnapshots.Explain,
        ["settings-myth"] = SampleSnapshots.Myth,
        ["snapshot"] = SampleSnapshots.Server2022,
        ["compare-snapshots"] = SampleSnapshots.Comparison,
        ["compare-snapshots-same"] = SameSnapshots,
        ["settings-nothing"] = UntouchedSettings,
        ["selftest"] = Selftest,
        ["selftest-holds"] = SelftestHolds,
        ["apply-what-if"] = ApplyWhatIf,
        ["apply-done"] = Applied,
        ["apply-rolled-back"] = ApplyRolledBack,
        ["verify"] = Verified,
        ["verify-as-written"] = VerifiedAsWritten,
        ["rollback"] = RolledBack,
        ["history"] = History,
        ["history-empty"] = EmptyHistory,
        ["recommend"] = Recommended,
        ["recommend-nothing"] = NothingRecommended,
        ["analyze"] = Analysis,
        ["analyze-no-stall"] = NoStallAnalysis,
        ["profiles"] = ProfilesReportBuilder.From(EtwProfile.All, 1_000, null),
        ["profiles-detail"] = ProfilesReportBuilder.From([EtwProfile.Find("Detail")], 1_000, null),
        ["sockets"] = Sockets,
        ["sockets-stalled"] = SocketsStalled,
        ["fleet"] = Fleet,
        ["fleet-quiet"] = QuietFleet,
        ["sockets-unreadable"] = SocketsUnreadable,
    };

    /// <summary>The samples, judged as every document is.</summary>
    internal static IReadOnlyDictionary<string, Document> All => OnceJudged.Value;
}
