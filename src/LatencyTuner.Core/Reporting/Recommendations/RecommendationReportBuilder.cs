using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning.Recommendations;

namespace LatencyTuner.Core.Reporting.Recommendations;

/// <summary>Makes <c>recommendation</c> documents.</summary>
public static class RecommendationReportBuilder
{
    /// <summary>Draws the recommendations and makes the document.</summary>
    /// <param name="inputs">Reports and snapshot.</param>
    /// <exception cref="ExpectedFailureException">As <see cref="Advice.Of"/>.</exception>
    public static RecommendationReport From(AdviceInputs inputs)
    {
        ArgumentNullException.ThrowIfNull(inputs);
        AdviceResult advice = Advice.Of(inputs);
        return new RecommendationReport
        {
            Text = Text(advice, inputs),
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
        };
    }

    private static string Text(AdviceResult advice, AdviceInputs inputs)
    {
        if (advice.Recommendations.FirstOrDefault(r => r.Kind != RecommendationKind.Setting && !r.IsDone) is { } first)
        {
            string condition = first.AppliesTo is { } kind ? $" This concerns {kind}." : "";
            return $"{first.Title.TrimEnd('.')} ({first.Where}): {RecommendationPage.Brief(first.Effect)}.{condition}";
        }

        int settings = advice.Recommendations.Count(r => r.Kind == RecommendationKind.Setting);
        string standOut = settings == 0 ? ""
            : $" {settings} {(settings == 1 ? "setting stands" : "settings stand")} out in the snapshot; none is shown to cost anything.";
        if (advice.Recommendations.Any(r => r.IsDone))
        {
            return $"Everything that would be recommended is set already.{standOut}";
        }

        bool elsewhere = advice.Explanations.Any(e => e is { FindingId: not null, LookAt: not null });
        return inputs.Files.Count == 0 ? $"No report was given, so that nothing is known to be slow.{standOut}"
            : elsewhere ? $"What was found is not cured by TCP settings or by how messages are written.{standOut}"
            : $"Nothing was found that needs a cure.{standOut}";
    }
}
