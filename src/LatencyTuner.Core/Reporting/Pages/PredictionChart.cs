using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Pages;

/// <summary>What the cures of findings would bring: the times as they were beside those predicted.</summary>
internal static class PredictionChart
{
    private const int MostRows = 6;

    /// <summary>The chart; null when no finding predicts anything.</summary>
    /// <param name="findings">The findings.</param>
    internal static RowChart? Of(IReadOnlyList<Finding> findings)
    {
        (Finding Finding, CurePrediction Prediction)[] rows =
        [
            .. findings.WorstFirst().SelectMany(f => f.Predictions.Take(2).Select(p => (f, p))).Take(MostRows),
        ];
        if (rows.Length == 0)
        {
            return null;
        }

        ChartKey now = new("as measured", 2, KeyShape.Bar);
        ChartKey after = new("with the cure, predicted", 1, KeyShape.Bar);
        return new RowChart
        {
            Name = "predictions",
            Caption = rows.Any(r => r.Prediction.AtBest) ? "What each cure would bring; where it says 'at best', another limit may come first."
                : "What each cure would bring: the measured times beside the predicted ones.",
            Alternative = string.Join(" ", rows.Select(r => $"{r.Finding.Id}: {FindingWords.PredictionInBrief(r.Prediction)}")),
            X = new("time of a request", ChartScale.OfBars(rows.SelectMany(r => new[]
            {
                r.Prediction.P50Us, r.Prediction.P50AfterUs, r.Prediction.P99Us, r.Prediction.P99AfterUs, r.Prediction.P99AfterHighUs ?? 0,
            }).Where(v => v > 0)), ChartText.Us),
            Keys = [now, after],
            Rows =
            [
                .. rows.SelectMany(r => new[]
                {
                    new ChartRow(
                        $"{r.Finding.Id} {FindingWords.Of(r.Finding.Cause)}, {r.Prediction.Of}: median{(r.Prediction.AtBest ? ", at best" : "")}",
                        [
                            new(now, r.Prediction.P50Us, $"{Format.Us(r.Prediction.P50Us)} now"),
                            new(after, r.Prediction.P50AfterUs, $"{Format.Us(r.Prediction.P50AfterUs)} then"),
                        ]),
                    new ChartRow(
                        $"99th percentile, n = {Format.Count(r.Prediction.N)}",
                        [
                            new(now, r.Prediction.P99Us, $"{Format.Us(r.Prediction.P99Us)} now"),
                            new(
                                after, r.Prediction.P99AfterUs, $"{Format.Us(r.Prediction.P99AfterUs)} then", null, r.Prediction.P99AfterLowUs,
                                r.Prediction.P99AfterHighUs, Open: r.Prediction.P99AfterHighUs is null && r.Prediction.P99AfterLowUs is not null),
                        ]),
                }),
            ],
        };
    }
}
