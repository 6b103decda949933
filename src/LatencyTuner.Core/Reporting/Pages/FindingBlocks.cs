using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Reporting.Pages;

/// <summary>Findings as list blocks.</summary>
internal static class FindingBlocks
{
    /// <summary>A section of findings, worst first, each with the evidence for and against it; no section without findings.</summary>
    /// <param name="heading">Its heading.</param>
    /// <param name="findings">The findings.</param>
    /// <param name="textLimit">Maximum number of findings that the text writer prints; null for all.</param>
    internal static IEnumerable<PageSection> Section(string heading, IReadOnlyList<Finding> findings, int? textLimit = null)
    {
        if (findings.Count > 0)
        {
            yield return new PageSection(
                heading, [.. ChartBlock.Of(PredictionChart.Of(findings)),
                    new ListBlock([.. findings.WorstFirst().Select(f => Item(f))], TextLimit: textLimit)]);
        }
    }

    /// <summary>
    /// The findings on a screen: the worst with its cost, what the cure brings, one sentence of evidence, one against it where an accusation is only
    /// possible, and what to do; the others with their cost.
    /// </summary>
    /// <param name="heading">Its heading.</param>
    /// <param name="findings">The findings.</param>
    /// <param name="verdict">The verdict above them, which is not repeated.</param>
    internal static IEnumerable<PageSection> Screen(string heading, IEnumerable<Finding> findings, Verdict verdict)
    {
        ListItem[] items =
        [
            .. findings.WorstFirst().Select((f, i) => i == 0 ? ScreenItem(f, verdict) : new ListItem($"{Headline(f)}. {FindingWords.Cost(f)}".TrimEnd())),
        ];
        return PageSection.If(items.Length > 0, heading, () => new ListBlock(items));
    }

    private static ListItem ScreenItem(Finding finding, Verdict verdict)
    {
        string? New(string? sentence) =>
            string.IsNullOrEmpty(sentence) || verdict.Text.Contains(sentence.TrimEnd('.'), StringComparison.Ordinal) ? null : sentence;
        return new ListItem(
            Headline(finding),
            [
                .. new[]
                {
                    New(FindingWords.Cost(finding)),
                    finding.Predictions is [{ } largest, ..] ? FindingWords.PredictionInBrief(largest) : null,
                    New(finding.For is [{ } said, ..] ? said : null) is { } evidence ? "For: " + evidence.Split(". ")[0] : null,
                    // Who reads no further must not take an accusation for sure that is only possible.
                    finding is { Side: not null, Confidence: Confidence.Possible, Against: [{ } but, ..] } ? "Against: " + but.Split(". ")[0] : null,
                    finding.Recommendation is { } cure ? "Do: " + cure : null,
                }.OfType<string>(),
            ]);
    }

    /// <summary>A finding with at most <paramref name="evidence"/> sentences for it, and as many against it.</summary>
    internal static ListItem Item(Finding finding, int evidence = int.MaxValue)
    {
        List<string> details = new() { FindingWords.Cost(finding) };
        details.AddRange(finding.For.Take(evidence).Select(s => "For: " + s));
        details.AddRange(finding.Against.Take(evidence).Select(s => "Against: " + s));
        if (finding.Predictions is [{ } largest, ..])
        {
            details.Add(FindingWords.Prediction(largest));
        }

        if (finding.Recommendation is { } recommendation)
        {
            details.Add("Do: " + recommendation);
        }

        return new ListItem(Headline(finding), [.. details.Where(d => d.Length > 0)]);
    }

    /// <summary>Id, cause, severity, confidence and side in one line.</summary>
    internal static string Headline(Finding finding)
    {
        List<string?> where = new[] { finding.Host, finding.Process }.Where(w => !string.IsNullOrEmpty(w)).ToList();
        string side = finding.Side is null ? where.Count == 0 ? "" : $"; in {string.Join(", ", where)}"
            : $"; at fault: {FindingWords.Of(finding.Side)}" + (where.Count == 0 ? "" : $" ({string.Join(", ", where)})");
        return $"{finding.Id} {FindingWords.Of(finding.Cause)}: {FindingWords.Of(finding.Severity)}, {FindingWords.Of(finding.Confidence)}{side}";
    }
}
