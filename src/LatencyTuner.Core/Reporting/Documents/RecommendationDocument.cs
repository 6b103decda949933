using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Tuning.Recommendations;

namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>The document of recommendations: the answer first, the cheapest effective cure first.</summary>
internal static class RecommendationDocument
{
    internal static ReportDocument Of(RecommendationReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var cures = report.Recommendations.Where(r => r.Kind != RecommendationKind.Setting).ToList();
        var settings = report.Recommendations.Where(r => r.Kind == RecommendationKind.Setting).ToList();
        var sections = new List<DocumentSection>();
        if (cures.Count > 0)
            sections.Add(new("What to do, the cheapest effective cure first", new ListBlock([.. cures.Select(Item)], Ordered: true)));

        // A cure at both ends has the same code.
        foreach (var cure in cures.Where(c => c.Snippets.Count > 0 && !c.IsDone).DistinctBy(c => c.Snippets[0].Text).Take(2))
            sections.Add(new($"{cure.Id} in code", (IReadOnlyList<DocumentBlock>)[.. cure.Snippets.Select(s => new CodeBlock(s.Language, s.Text))]));

        if (settings.Count > 0)
            sections.Add(new("Settings that stand out: possible at most, none is shown to cost anything", new ListBlock([.. settings.Select(Setting)], TextLimit: 4)));

        if (report.NotCured.Count > 0)
            sections.Add(new("What does not help here, and where to look", new ListBlock([.. report.NotCured.Select(NotCured)])));

        if (cures.Select(c => c.Prove).Distinct().ToList() is { Count: > 0 } proofs)
            sections.Add(new("How to prove it", ListBlock.Of(proofs)));

        if (report.Notes.Count > 0)
            sections.Add(new("Notes", ListBlock.Of(report.Notes)));

        var todo = cures.Exists(c => !c.IsDone);
        return new ReportDocument
        {
            Title = "recommend from " + (report.From.Count == 0 ? "a snapshot alone" : string.Join(", ", report.From.Select(f => f.File))),
            Subtitle = report.Snapshot is { } snapshot ? $"settings of {report.Machine ?? "a host"} from {snapshot}, profile {report.Profile}" : null,
            Verdict = new(
                todo ? "RECOMMENDED" : "NOTHING TO DO",
                report.Text,
                !todo ? Tone.Good : report.Findings.Any(f => f.Severity == Analysis.Severity.Error) ? Tone.Bad : Tone.Unsure),
            Sections = sections,
        };
    }

    /// <summary>An effect in a clause.</summary>
    internal static string Brief(RecommendedEffect effect) => effect switch
    {
        { P50UsBefore: { } before, P50UsAfter: { } after } => $"median {Format.Us(before)} -> {Format.Us(after)}, {(effect.Basis == EffectBasis.Measured ? "measured" : "expected")}",
        { SavesMs: { } saves } => $"saves about {Format.Ms(saves)} each time, expected",
        _ => "effect not known",
    };

    /// <summary>A current value in a clause.</summary>
    internal static string Current(CurrentSetting current)
    {
        var owner = current.InterfaceName ?? current.Template;
        var state = current.State switch
        {
            CurrentState.AlreadySet => $"already {current.Value}",
            CurrentState.Absent => "absent",
            CurrentState.Differs => $"{current.Value} now",
            _ => current.Value is { } value ? $"{value} in the template, but not told" : "unknown",
        };
        return (owner is null ? "" : owner + ": ") + state + (current.Because is { } because ? $", {because}" : "");
    }

    private static ListItem Item(Recommendation r)
    {
        var details = new List<string> { $"{r.Id}; where: {r.Where}", "Effect: " + Effect(r.Effect) + $"; {Words.Of(r.Confidence)}" };
        if (r.Current.Count > 0)
            details.Add("Now: " + string.Join("; ", r.Current.Select(Current)));

        if (r.Value is not null)
            details.AddRange(r.How.Select(h => "Do: " + h));

        details.Add($"Costs: {r.TradeOff}");
        details.Add($"Reaches: {r.Scope}; in force: {r.TakesEffect}" + (r.Value is null ? "" : $"; undo: {r.Undo}"));
        details.AddRange(r.Caveats.Select(c => "But: " + c));
        return new ListItem((r.IsDone ? "Done: " : "") + r.Title, [.. details]);
    }

    private static string Effect(RecommendedEffect effect)
    {
        var parts = new List<string> { Brief(effect) };
        if (effect.P50UsAfterLow is { } low && effect.P50UsAfterHigh is { } high)
            parts.Add($"95 % interval {Format.Range(low, high)}");

        if (effect.P99UsAfter is { } tail)
            parts.Add($"p99 then {Format.Us(tail)}");

        if (effect.N is { } n)
            parts.Add(effect.NBefore is { } before ? $"n = {Format.Count(before)} and {Format.Count(n)}" : $"n = {Format.Count(n)}");

        if (effect.File is { } file)
            parts.Add(file);

        return string.Join(", ", parts) + (effect.Because is { } because ? $" ({because.TrimEnd('.')})" : "");
    }

    private static ListItem Setting(Recommendation r) => new(
        $"{r.Id}: {r.Title}",
        [.. r.Current.Select(c => "Now: " + Current(c)), .. r.How.Where(h => !r.Title.Contains(h, StringComparison.Ordinal)).Select(h => "Do: " + h), $"In force: {r.TakesEffect}"]);

    private static ListItem NotCured(Explanation e) => new(
        (e.FindingId is { } id ? $"{id}: " : "") + e.Text,
        [.. e.LookAt is { } look ? new[] { "Look: " + look } : [], .. e.DoesNotApply.Count > 1 ? new[] { "Does not apply: " + string.Join(", ", e.DoesNotApply) } : []]);
}
