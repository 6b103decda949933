using System.Globalization;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Comparison;

/// <summary>The page of a comparison.</summary>
internal static class ComparisonPage
{
    internal static Page Of(ComparisonReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        List<PageSection> sections = new()
        {
            new(
                null,
                new FactsBlock(
                [
                    new("A, before", $"{report.A}: n = {Format.Count(report.CountA)} in {Counted.Of(report.RunsA, "independent part")}"),
                    new("B, after", $"{report.B}: n = {Format.Count(report.CountB)} in {Counted.Of(report.RunsB, "independent part")}"),
                ])),
        };
        if (report.Quantiles.Count > 0)
        {
            sections.Add(new(
                "B minus A, by quantile",
                [.. ChartBlock.Of(ComparisonCharts.Curves(report.Quantiles)), .. ChartBlock.Of(ComparisonCharts.Shift(report.Quantiles)), Table(report)]));
        }

        if (report.Notes.Count > 0)
        {
            sections.Add(new("Notes", ListBlock.Of(report.Notes)));
        }

        return new Page
        {
            Title = $"compare {report.A} (A) with {report.B} (B)",
            Verdict = report.Judgement,
            Sections = sections,
            Screen =
            [
                .. PageSection.If(report.Quantiles.Count > 0, "B minus A, by quantile", () => OnScreen(report)),
                sections[0],
                .. PageSection.Of("Notes", report.Notes),
            ],
        };
    }

    /// <summary>The common name of a quantile, such as median or 99th.</summary>
    internal static string Name(double quantile) =>
        quantile == 0.5 ? "median" : (quantile * 100).ToString("0.####", CultureInfo.InvariantCulture) + "th";

    /// <summary>The quantiles that differ or may, and the ones that everybody asks for.</summary>
    private static TableBlock OnScreen(ComparisonReport report) =>
        Table(report with { Quantiles = [.. report.Quantiles.Where(q => q.Verdict != "same" || q.Quantile is 0.5 or 0.9 or 0.99)] }) with { Caption = null };

    private static TableBlock Table(ComparisonReport report) => new(
        [new("quantile"), new("A", true), new("B", true), new("B - A", true, "95 % interval"), new("limit", true), new("p", true), new("B is")],
        [
            .. report.Quantiles.Select(q => (IReadOnlyList<TableCell>)
            [
                new(Name(q.Quantile)),
                new(Format.Us(q.AUs)),
                new(Format.Us(q.BUs)),
                new(Format.Difference(q.DeltaUs), Format.Range(q.LowUs, q.HighUs)),
                new(Format.Us(q.LimitUs)),
                new(q.PValue < 0.001 ? "< 0.001" : q.PValue.ToString("0.###", CultureInfo.InvariantCulture)),
                new(q.Verdict.Replace('-', ' '), Tone: ToneOf(q.Verdict)),
            ]),
        ],
        "limit: a smaller difference counts as none. p: p-value, Holm-corrected over the quantiles.");

    private static Tone ToneOf(string verdict) => verdict switch
    {
        "better" => Tone.Good,
        "worse" => Tone.Bad,
        "cannot-tell" => Tone.Unsure,
        _ => Tone.Neutral,
    };
}
