using LatencyTuner.Core.Analysis.Diagnosis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Audit;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>
/// Draws recommendations from findings and a snapshot. The cheapest effective one comes first. A setting without a finding is possible at
/// most and comes last. A setting that is known to do nothing is never recommended.
/// </summary>
internal static class Advice
{
    /// <summary>The recommendations, the explanations and the notes for these inputs.</summary>
    /// <param name="inputs">Reports and snapshot.</param>
    /// <exception cref="ExpectedFailureException">Type and data of a value of the snapshot do not fit (<see cref="ExitCode.Input"/>).</exception>
    public static AdviceResult Of(AdviceInputs inputs)
    {
        ArgumentNullException.ThrowIfNull(inputs);
        HostAuditResult audit = inputs.Snapshot is { } snapshot ? HostAudit.Of(inputs.Catalogue, snapshot, inputs.Profile, inputs.SnapshotSource) : new([], []);
        List<Finding> findings = [.. inputs.Files.SelectMany(f => f.Findings).Concat(audit.Findings.Select(f => OfAudit(f, inputs.SnapshotSource)))
            .Where(f => !inputs.Ignore.Contains(f.Id, StringComparer.OrdinalIgnoreCase))];
        List<Explanation> explanations = [];
        List<Basis> bases = [];
        foreach (Finding? finding in findings.Where(f => !CauseIds.IsOfSettings(f.Cause)))
        {
            if (ExplanationBuilder.Of(finding) is { } explanation)
            {
                explanations.Add(explanation);
            }
            else
            {
                bases.AddRange(BasesOf(finding, inputs, explanations));
            }
        }

        foreach (EvidenceFile file in inputs.Files)
        {
            foreach (EvidencedExperiment experiment in file.Experiments)
            {
                explanations.AddRange(
                    new[] { experiment.Verdict, experiment.ReplyVerdict }.OfType<DiagnosisVerdict>()
                        .Select(v => ExplanationBuilder.Of(v, experiment.Target, file.File)).OfType<Explanation>());
            }
        }

        RecommendationBuilder builder = new(inputs, audit);
        List<(Recommendation Recommendation, double Price)> cures = bases.GroupBy(b => (b.Cure.Id, b.Finding.Side, b.Finding.Target))
            .Select(g => (Recommendation: builder.Build([.. g]), g.First().Cure.Price)).ToList();
        IEnumerable<Recommendation> settings = SettingAdvice.Of(findings, inputs, audit);
        return new(
            [
                .. cures.OrderBy(c => c.Recommendation.IsDone).ThenByDescending(c => Score(c.Recommendation, c.Price)).ThenBy(c => c.Price)
                    .ThenBy(c => c.Recommendation.Id, StringComparer.Ordinal).Select(c => c.Recommendation),
                .. settings,
            ],
            Distinct(explanations),
            AdviceNotes.Of(inputs, findings, audit, cures.Count > 0),
            findings);
    }

    // A price is a share of the effect, so a cure that saves more and costs no more always comes first.
    private static double Score(Recommendation recommendation, double price) => Math.Max(recommendation.Effect.SavesMs ?? 0, 0) * (1 - price);

    private static IEnumerable<Basis> BasesOf(Finding finding, AdviceInputs inputs, List<Explanation> explanations)
    {
        List<(EvidenceFile File, EvidencedExperiment Experiment)> experiments = inputs.Files
            .SelectMany(f => f.Experiments.Select(e => (File: f, Experiment: e))).Where(e => e.Experiment.Target == finding.Target)
            .OrderByDescending(e => e.File.File == finding.File).ToList();
        foreach (Cure cure in CureCatalogue.Of(finding.Cause))
        {
            string? id = cure.MeasuredBy is null ? null : cure.MeasuredBy + (SenderOf(finding) == Side.Server ? "-reply" : "");
            (string File, MeasuredFix Fix) measured = experiments
                .SelectMany(e => e.Experiment.Fixes.Where(f => f.Fix.Id == id).Select(f => (e.File.File, Fix: f))).FirstOrDefault();
            if (measured.Fix is { HadNoEffect: true } nothing)
            {
                // Explained once for all cures that rest on the same remedy.
                List<Cure> others = CureCatalogue.Of(finding.Cause).Where(c => c.MeasuredBy == cure.MeasuredBy).ToList();
                if (cure == others[0])
                {
                    explanations.Add(ExplanationBuilder.OfNoEffect([.. others.Select(c => c.Id)], nothing, finding.Target!, measured.File));
                }

                continue;
            }

            // An experiment says what an application of a certain kind would pay; a measurement, what the measured workload pays.
            DiagnosisVerdict? verdict = experiments.Where(e => e.File.File == finding.File && finding.Severity == Severity.Info)
                .SelectMany(e => new[] { e.Experiment.Verdict, e.Experiment.ReplyVerdict }).OfType<DiagnosisVerdict>()
                .FirstOrDefault(v => v.Side == finding.Side && v.Cause is not (Cause.None or Cause.CannotTell) && CauseIds.IdOf(v.Cause) == finding.Id);
            yield return new(finding, cure, SenderOf(finding), measured.Fix, measured.File, verdict?.AppliesTo);
        }
    }

    private static Side? SenderOf(Finding finding) =>
        finding.Side is not (Side.Client or Side.Server) ? null
        : CureCatalogue.IsAtReceiver(finding.Cause) == (finding.Side == Side.Client) ? Side.Server : Side.Client;

    private static Finding OfAudit(Finding finding, string source) => finding with { File = source };

    private static List<Explanation> Distinct(List<Explanation> explanations) =>
        [.. explanations.DistinctBy(e => (e.FindingId, e.Target, e.Text, e.File))];
}

/// <summary>Everything recommendations are drawn from.</summary>
public sealed record AdviceInputs
{
    /// <summary>The reports with the findings.</summary>
    public required IReadOnlyList<EvidenceFile> Files { get; init; }

    /// <summary>The catalogue of settings.</summary>
    public required SettingsCatalogue Catalogue { get; init; }

    /// <summary>The settings of a host; null without a snapshot.</summary>
    public HostSnapshot? Snapshot { get; init; }

    /// <summary>The source of the snapshot, for example its file.</summary>
    public string SnapshotSource { get; init; } = "this machine";

    /// <summary>The workload profile of the host.</summary>
    public WorkloadProfile Profile { get; init; } = WorkloadProfile.Balanced;

    /// <summary>Ids of findings that are left out.</summary>
    public IReadOnlyList<string> Ignore { get; init; } = [];

    /// <summary>The languages in which code is shown.</summary>
    public IReadOnlyList<string> Languages { get; init; } = SnippetLibrary.Defaults;
}

/// <summary>What to do, in order, and what no setting cures.</summary>
/// <param name="Recommendations">The cheapest effective one first; settings without evidence last.</param>
/// <param name="Explanations">What no setting cures, and where to look.</param>
/// <param name="Notes">What the reader must know, a sentence or two each.</param>
/// <param name="Findings">The findings that were considered.</param>
internal sealed record AdviceResult(
    IReadOnlyList<Recommendation> Recommendations, IReadOnlyList<Explanation> Explanations, IReadOnlyList<string> Notes,
    IReadOnlyList<Finding> Findings);

/// <summary>A finding with one of its cures, and the measured effect of that cure.</summary>
/// <param name="Finding">The finding.</param>
/// <param name="Cure">The cure.</param>
/// <param name="Sender">The end that sends the data that waits; null when unknown.</param>
/// <param name="Fix">What an experiment measured of it; null when none did.</param>
/// <param name="FixFile">The file of that experiment.</param>
/// <param name="AppliesTo">The applications that it concerns; null when it concerns the measured workload itself.</param>
internal sealed record Basis(Finding Finding, Cure Cure, Side? Sender, MeasuredFix? Fix, string? FixFile, string? AppliesTo);
