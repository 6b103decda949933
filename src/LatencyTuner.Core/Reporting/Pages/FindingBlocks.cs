using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Pages;

/// <summary>Findings as lists.</summary>
internal static class FindingBlocks
{
    /// <summary>A section of findings, worst first, each with what speaks for and against it; none without findings.</summary>
    /// <param name="heading">Its heading.</param>
    /// <param name="findings">The findings.</param>
    /// <param name="textLimit">Most that the text writer prints; null for all.</param>
    internal static IEnumerable<PageSection> Section(string heading, IReadOnlyList<Finding> findings, int? textLimit = null)
    {
        if (findings.Count > 0)
        {
            yield return new PageSection(heading, new ListBlock([.. findings.WorstFirst().Select(f => Item(f))], TextLimit: textLimit));
        }
    }

    /// <summary>A finding with at most so many sentences of evidence each way.</summary>
    internal static ListItem Item(Finding finding, int evidence = int.MaxValue)
    {
        List<string> details = new() { Cost(finding) };
        details.AddRange(finding.For.Take(evidence).Select(s => "For: " + s));
        details.AddRange(finding.Against.Take(evidence).Select(s => "Against: " + s));
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

    /// <summary>What it costs, in one line; empty when nothing is known.</summary>
    internal static string Cost(Finding finding)
    {
        List<string> parts = new();
        if (finding.CostMs is { } cost)
        {
            parts.Add(
                $"Costs {Format.Ms(cost)}"
                    + (finding.CostShare is { } share
                        ? $" ({Format.Share(share)} of the {(finding.Cause == Cause.ClientThink ? "time from request to request" : "active time")})" : ""));
        }

        if (finding.Count > 0)
        {
            parts.Add($"seen {Format.Count(finding.Count)} {(finding.Count == 1 ? "time" : "times")}");
        }

        if (finding.Fired is { } fired && (fired != finding.Count || finding.Harmful != fired))
        {
            parts.Add($"delayed ACK fired {Format.Count(fired)} times" + (finding.Harmful is { } harmful ? $", {Format.Count(harmful)} harmful" : ""));
        }

        return parts.Count == 0 ? "" : Format.Sentence(string.Join("; ", parts)) + ".";
    }
}
