using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Recommendations;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning.Recommendations;
using LatencyTuner.Tests.Settings;

namespace LatencyTuner.Tests.Reporting;

/// <summary>Recommendations, made by the code that makes them for an admin.</summary>
internal static partial class SampleReports
{
    /// <summary>The experiment against the host of the snapshot, with the findings that it has in earnest.</summary>
    internal static DiagnosisReport ExperimentOnTeam => Experiment with
    {
        Target = Experiment.Target with { Name = "hv-app01", Address = "10.20.0.21", Family = "IPv4", ResponderOs = "Microsoft Windows 10.0.20348" },
        Findings = [Exposure with { Side = Side.Client, Count = 300, CostMs = 12_862, CostShare = 0.97, Connections = ["hv-app01"] }],
    };

    internal static RecommendationReport Recommended => RecommendationReportBuilder.From(new AdviceInputs
    {
        Files = [EvidenceReader.From(ExperimentOnTeam, "diagnosis.json")],
        Catalogue = SettingsCatalogue.Current,
        Snapshot = SampleSnapshots.Server2022,
        SnapshotSource = "server2022.json",
    });

    internal static RecommendationReport NothingRecommended => RecommendationReportBuilder.From(new AdviceInputs
    {
        Files = [EvidenceReader.From(NoStall, "diagnosis.json")],
        Catalogue = SettingsCatalogue.Current,
    });
}
