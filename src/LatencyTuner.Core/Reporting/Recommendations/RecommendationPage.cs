using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;
using LatencyTuner.Core.Tuning.Recommendations;

namespace LatencyTuner.Core.Reporting.Recommendations;

/// <summary>The page of recommendations: the answer first, then the cures, the cheapest effective one first.</summary>
internal static class RecommendationPage
{
    internal static Page Of(RecommendationReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        List<Recommendation> cures = report.Recommendations.Where(r => r.Kind != RecommendationKind.Setting).ToList();
        List<Recommendation> settings = report.Recommendations.Where(r => r.Kind == RecommendationKind.Setting).ToList();
        List<PageSection> sections = new();
        if (cures.Count > 0)
        {
            sections.Add(new("What to do, the cheapest effective cure first", new ListBlock(Items(cures), Ordered: true)));
        }

        sections.AddRange(Code(cures));
        if (settings.Count > 0)
        {
            sections.Add(
                new("Unusual settings: possible causes at most, without a measured cost", new ListBlock([.. settings.Select(Setting)], TextLimit: 4)));
        }

        if (report.NotCured.Count > 0)
        {
            sections.Add(new("What does not help here, and where to look", new ListBlock([.. report.NotCured.Select(NotCured)])));
        }

        if (cures.Select(c => c.Prove).Distinct().ToList() is { Count: > 0 } proofs)
        {
            sections.Add(new("How to prove it", ListBlock.Of(proofs)));
        }

        if (report.Notes.Count > 0)
        {
            sections.Add(new("Notes", ListBlock.Of(report.Notes)));
        }

        return new Page
        {
            Title = "recommend from " + (report.From.Count == 0 ? "a snapshot alone" : string.Join(", ", report.From.Select(f => f.File))),
            Subtitle = report.Snapshot is { } snapshot ? $"settings of {report.Machine ?? "a host"} from {snapshot}, profile {report.Profile}" : null,
            Verdict = report.Judgement,
            Sections = sections,
            Screen =
            [
                .. PageSection.If(
                    cures.Count > 0, "What to do, the cheapest effective cure first", () => new ListBlock([.. ScreenItems(cures)], Ordered: true)),
                .. PageSection.If(
                    report.NotCured.Count > 0, "What does not help here, and where to look", () => new ListBlock([.. report.NotCured.Select(NotCured)])),
                .. PageSection.If(settings.Count > 0, "Unusual settings: possible causes at most", () => new ListBlock([.. settings.Select(Setting)])),
                .. PageSection.Of("Notes", report.Notes),
            ],
        };
    }

    /// <summary>One item per cure: what it brings and how to do it, where that is more than its title.</summary>
    private static IEnumerable<ListItem> ScreenItems(List<Recommendation> cures) => cures.GroupBy(r => (r.Id, r.IsDone)).Select(g =>
    {
        Recommendation first = g.First();
        IEnumerable<string> how = first.Value is null ? [] : first.How.Take(1).Select(h => "Do: " + h);
        return new ListItem(
            $"{(first.IsDone ? "Done: " : "")}{first.Id}: {first.Title}",
            [.. g.Select(r => $"{Format.Sentence(r.Where)}: {r.Effect.InBrief}; {FindingWords.Of(r.Confidence)}").Distinct().Take(2), .. how]);
    });

    /// <summary>The code of the two cheapest cures that have any, and the names of the other languages.</summary>
    private static IEnumerable<PageSection> Code(List<Recommendation> cures)
    {
        List<Recommendation> coded = cures.Where(c => c.Snippets.Count > 0 && !c.IsDone).DistinctBy(c => c.Id).Take(2).ToList();
        foreach (Recommendation? cure in coded)
        {
            List<string> others = CodeSnippet.Languages.Except(cure.Snippets.Select(s => s.Language)).ToList();
            IEnumerable<PageBlock> blocks = cure.Snippets.Select(s => (PageBlock)new CodeBlock(s.Text.TrimEnd('\n').Split('\n'), s.Language));
            yield return new(
                $"{cure.Id} in code",
                cure == coded[^1] && others.Count > 0 ? [.. blocks, new ParagraphBlock($"Others: --language {string.Join(", ", others)}.")] : [.. blocks]);
        }
    }

    /// <summary>One item per cure, with a line for each end and path where it applies; text that holds for several is printed once.</summary>
    private static List<ListItem> Items(List<Recommendation> cures)
    {
        HashSet<string> said = new(StringComparer.Ordinal);
        int files = cures.SelectMany(c => c.Files).Distinct().Count();
        return
        [
            .. cures.GroupBy(r => (r.Id, r.IsDone)).Select(g =>
            {
                Recommendation first = g.First();
                List<string> details = new();
                foreach (Recommendation? r in g)
                {
                    string file = files > 1 && r.Effect.File is { } name ? $" ({name})" : "";
                    details.Add(
                        $"{(r == first ? Format.Sentence(r.Where) : "Also " + r.Where)}: {Effect(r.Effect)}; {FindingWords.Of(r.Confidence)}{file}");
                    if (r.Current.Count
                        > 0) { details.Add("Now: " + string.Join("; ", r.Current.Select(Current))); } if (r.Value is not null) { details.AddRange(
                            r.How.Select(h => "Do: " + h)); } }

                string costs = said.Add(first.TradeOff) ? $"Costs: {first.TradeOff}. " : "";
                details.Add($"{costs}Scope: {first.Scope}. Takes effect: {first.TakesEffect}." + (first.Value is null ? "" : $" Undo: {first.Undo}."));
                details.AddRange(g.SelectMany(r => r.Caveats).Where(said.Add).Select(c => "But: " + c));
                return new ListItem($"{(first.IsDone ? "Done: " : "")}{first.Id}: {first.Title}", [.. details.Distinct()]);
            }),
        ];
    }

    /// <summary>A current value in a clause.</summary>
    internal static string Current(CurrentSetting current)
    {
        string? owner = current.InterfaceName ?? current.Template;
        string state = current.State switch
        {
            CurrentState.AlreadySet => $"already {current.Value}",
            CurrentState.Absent => "absent",
            CurrentState.Differs => $"{current.Value} now",
            _ => current.Value is { } value ? $"{value} in the template, but unknown for connections" : "unknown",
        };
        return (owner is null ? "" : owner + ": ") + state + (current.Because is { } because ? $", {because}" : "");
    }

    private static string Effect(RecommendedEffect effect)
    {
        if (effect.Because is { } because)
        {
            return $"{effect.InBrief} ({because.TrimEnd('.')})";
        }

        List<string> parts = new();
        if (effect.P50UsAfterLow is { } low && effect.P50UsAfterHigh is { } high)
        {
            parts.Add($"95 % interval {Format.Range(low, high)}");
        }

        if (effect.N is { } n)
        {
            parts.Add(effect.NBefore is { } before ? $"n = {Format.Count(before)} and {Format.Count(n)}" : $"n = {Format.Count(n)}");
        }

        return effect.InBrief + (parts.Count > 0 ? $" ({string.Join(", ", parts)})" : "");
    }

    private static ListItem Setting(Recommendation r) => new(
        $"{r.Id}: {r.Title}",
        [
            .. r.Current.Count == 0 ? [] : new[] { "Now: " + string.Join("; ", r.Current.Select(Current)) },
            .. r.How.Where(h => !r.Title.Contains(h, StringComparison.Ordinal)).Select(h => "Do: " + h)]);

    private static ListItem NotCured(Explanation e) => new(
        (e.FindingId is { } id ? $"{id}: " : "") + e.Text,
        [
            .. e.LookAt is { } look ? new[] { "Look: " + look } : [],
            .. e.DoesNotApply.Count > 1 ? new[] { "Does not apply: " + string.Join(", ", e.DoesNotApply) } : []]);
}
