using System.Runtime.CompilerServices;
using LatencyTuner.Core.Analysis.Diagnosis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning.Recommendations;
using LatencyTuner.Tests.Settings;

namespace LatencyTuner.Tests.Tuning.Recommendations;

/// <summary>Findings and experiments for tests.</summary>
internal static class Evidence
{
    internal const string File = "report.json";

    internal static EvidencedPath Remote { get; } = new("db1", "10.20.0.21", false, "Microsoft Windows 10.0.20348");

    internal static Finding Finding(string id, Side? side, double? costMs = 4400, long count = 100) => new()
    {
        Id = id,
        Cause = Enum.GetValues<Cause>()
            .First(c => CauseIds.All.Contains(id) ? c is not (Cause.None or Cause.CannotTell or Cause.Unknown) && CauseIds.IdOf(c) == id : c == Cause.Unknown),
        Side = side,
        Confidence = Confidence.Confirmed,
        Severity = Severity.Error,
        Count = count,
        CostMs = costMs,
        File = File,
        Target = "db1",
        For = id.StartsWith("LT2", StringComparison.Ordinal) ? ["global.rss: somewhere is 0: it is off."] : [],
    };

    internal static MeasuredFix Fix(string id, double beforeUs, double afterUs) =>
        new(
            new() { Id = id, What = id, Where = id, P50UsBefore = beforeUs, P50UsAfter = afterUs, Saves = (beforeUs - afterUs) / beforeUs, N = 400 }, 20,
            afterUs * 0.9, afterUs * 1.1);

    internal static EvidencedExperiment Experiment(params MeasuredFix[] fixes) => new("db1", Verdict(Cause.NagleDelayedAck, Side.Client), null, fixes);

    internal static DiagnosisVerdict Verdict(Cause cause, Side? side) =>
        new() { Cause = cause, Side = side, Confidence = Confidence.Confirmed, AppliesTo = "applications that split", Text = "A verdict." };

    internal static AdviceInputs Inputs(
        Finding[] findings, HostSnapshot? snapshot = null, EvidencedExperiment[]? experiments = null, EvidencedPath? path = null) => new()
        {
            Files = [new() { File = File, Kind = "diagnosis", Findings = findings, Experiments = experiments ?? [], Paths = [path ?? Remote] }],
            Catalogue = SettingsCatalogue.Current,
            Snapshot = snapshot,
            SnapshotSource = "snapshot.json",
        };

    internal static AdviceResult Of(string id, Side? side, HostSnapshot? snapshot = null, EvidencedPath? path = null) =>
        Advice.Of(Inputs([Finding(id, side)], snapshot, path: path));

    /// <summary>The host of the sample without what an admin changed there.</summary>
    internal static HostSnapshot Untouched { get; } = SampleSnapshots.Server2022 with
    {
        Values =
        [
            .. SampleSnapshots.Server2022.Values.Select(
                v => v.Id is "tcp.ackfrequency" or "tcp.nodelay.interface" ? v with { Absent = true, Type = null, Data = [] }
                : v.Id == "template.delayedackfrequency" ? v with { Data = ["2"] } : v),
        ],
    };

    internal static string PathOf(string name) => Path.Combine(Folder(), "Samples", name);

    private static string Folder([CallerFilePath] string path = "") => Path.GetDirectoryName(path)!;
}
