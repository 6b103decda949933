using System.Globalization;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Protocols;

/// <summary>Best of two: the measured values beside the predicted ones.</summary>
internal static class HedgeSection
{
    /// <summary>The quantiles without intervals, the extra load and the conclusion.</summary>
    internal static IEnumerable<PageSection> OnScreen(HedgeFigures hedge) => Of(hedge)
        .Select(s => new PageSection(s.Heading, [.. s.Blocks.Select(b => b is TableBlock table ? table.InOneLine() : b)]));

    internal static IEnumerable<PageSection> Of(HedgeFigures hedge)
    {
        if (hedge.Quantiles.Count > 0)
        {
            yield return new("Best of two", new TableBlock(
                [new("quantile"), new("first alone", true), new("hedged", true), new("predicted", true), new("bounds", true)],
                [.. hedge.Quantiles.Select(q => (IReadOnlyList<TableCell>)
                    [
                        new((q.Quantile * 100).ToString("0.#", CultureInfo.InvariantCulture)),
                        new(Format.Us(q.FirstUs)),
                        new(Format.Us(q.MeasuredUs), IntervalText.Below(q.MeasuredUs, q.Measured)),
                        new(Format.Us(q.PredictedUs), IntervalText.Below(q.PredictedUs, q.Predicted)),
                        new(Format.Range(q.BestUs, q.WorstUs)),
                    ])],
                "predicted: from both targets alone, if they are independent. Second line of hedged and predicted: the 95 % interval. "
                + "bounds: the limits for any dependence."));
        }

        yield return new("The hedge", new FactsBlock(
            [
                new(
                    "Second asked after",
                    Format.Us(hedge.AfterUs)
                        + (hedge is { AfterLowUs: { } low, AfterHighUs: { } high } ? $" (median; {Format.Range(low, high)}, as the first's times)" : "")),
                new(
                    "Extra load",
                    $"{Format.Share(hedge.ExtraLoadShare)} more requests ({Format.Count(hedge.Hedged)} "
                    + $"hedged{(hedge.Unanswered > 0 ? $", {Format.Count(hedge.Unanswered)} unanswered by both" : "")}"
                    + $"{(hedge.PlannedExtraLoadShare is { } planned ? $"; {Format.Share(planned)} planned" : "")})"),
                .. hedge.ExtraLoadBecause is { } because ? new[] { new PageFact("More than planned", because) } : [],
                new("Conclusion", hedge.Because),
            ]));
    }
}
