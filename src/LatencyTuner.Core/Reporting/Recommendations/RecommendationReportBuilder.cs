using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning.Recommendations;

namespace LatencyTuner.Core.Reporting.Recommendations;

/// <summary>Makes <c>recommendation</c> documents.</summary>
public static class RecommendationReportBuilder
{
    /// <summary>Works out the recommendations and builds the document.</summary>
    /// <param name="inputs">The reports and the snapshot.</param>
    /// <param name="failOn">Severity from which a finding decides the exit code; null for never.</param>
    /// <exception cref="ExpectedFailureException">As <see cref="Advice.Of"/>.</exception>
    public static RecommendationReport From(AdviceInputs inputs, Severity? failOn = null)
    {
        ArgumentNullException.ThrowIfNull(inputs);
        AdviceResult advice = Advice.Of(inputs);
        return Judge(new RecommendationReport
        {
            Complete = true,
            Text = RecommendationVerdict.Sentence(advice, inputs),
            From =
                [.. inputs.Files.Select(
                    f => new RecommendationSource { File = f.File, Kind = f.Kind, Targets = [.. f.Paths.Select(p => p.Target)], Findings = f.Findings.Count })],
            Snapshot = inputs.Snapshot is null ? null : inputs.SnapshotSource,
            Machine = inputs.Snapshot?.Machine,
            Profile = SettingNames.Of(inputs.Profile),
            Recommendations = advice.Recommendations,
            NotCured = advice.Explanations,
            Findings = advice.Findings,
            Notes = advice.Notes,
        }, failOn);
    }

    /// <summary>Adds the verdict to a document.</summary>
    /// <param name="report">The document.</param>
    /// <param name="failOn">Severity from which a finding decides the exit code; null for never.</param>
    internal static RecommendationReport Judge(RecommendationReport report, Severity? failOn) =>
        report with { Judgement = RecommendationVerdict.From(report.StatedText, report.Recommendations, report.Findings, failOn) };
}
