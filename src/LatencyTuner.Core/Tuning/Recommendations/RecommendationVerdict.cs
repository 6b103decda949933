using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>The verdict of <c>recommend</c>.</summary>
internal static class RecommendationVerdict
{
    /// <summary>Draws the verdict.</summary>
    /// <param name="text">The sentence of <see cref="Sentence"/>.</param>
    /// <param name="recommendations">What is recommended.</param>
    /// <param name="findings">The findings that the recommendations rest on.</param>
    /// <param name="failOn">Severity from which a finding ends with <see cref="ExitCode.Finding"/>; null for never.</param>
    internal static Verdict From(
        string text, IReadOnlyList<Recommendation> recommendations, IReadOnlyList<Finding> findings, Severity? failOn)
    {
        bool todo = recommendations.Any(r => r.Kind != RecommendationKind.Setting && !r.IsDone);
        return new()
        {
            Word = todo ? "RECOMMENDED" : "NOTHING TO DO",
            Text = text,
            Result = VerdictKind.Done,
            Tone = !todo ? Tone.Good : findings.Any(f => f.Severity == Severity.Error) ? Tone.Bad : Tone.Unsure,
            ExitCode = failOn is { } limit && findings.Any(f => f.Severity >= limit) ? ExitCode.Finding : ExitCode.Done,
            NextSteps =
            [
                .. recommendations.Where(r => r.Kind != RecommendationKind.Setting && !r.IsDone)
                    .SelectMany(r => r.How).Where(h => h.StartsWith("latencytuner apply ", StringComparison.Ordinal)).Distinct()
                    .Select(h => new NextStep { Note = $"{h}   # shows the change; --yes makes it" }),
            ],
        };
    }

    /// <summary>What is worth doing first, or why nothing is, in a sentence or two.</summary>
    internal static string Sentence(AdviceResult advice, AdviceInputs inputs)
    {
        if (advice.Recommendations.FirstOrDefault(r => r.Kind != RecommendationKind.Setting && !r.IsDone) is { } first)
        {
            string condition = first.AppliesTo is { } kind ? $" This concerns {kind}." : "";
            return $"{first.Title.TrimEnd('.')} ({first.Where}): {first.Effect.InBrief}.{condition}";
        }

        int settings = advice.Recommendations.Count(r => r.Kind == RecommendationKind.Setting);
        string standOut = settings == 0 ? ""
            : $" {settings} {(settings == 1 ? "setting stands" : "settings stand")} out in the snapshot; nothing shows that they cost anything.";
        if (advice.Recommendations.Any(r => r.IsDone))
        {
            return $"Everything that would be recommended is already set.{standOut}";
        }

        bool elsewhere = advice.Explanations.Any(e => e is { FindingId: not null, LookAt: not null });
        return inputs.Files.Count == 0 ? $"No report was given, so nothing is known to be slow.{standOut}"
            : elsewhere ? $"Neither TCP settings nor another way of writing messages cure what was found.{standOut}"
            : $"Nothing was found that needs a cure.{standOut}";
    }
}
