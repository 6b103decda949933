using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Comparison;

/// <summary>The charts of a comparison: both curves, and their difference with its intervals.</summary>
internal static class ComparisonCharts
{
    /// <summary>Both curves, from the quantiles that were compared; null without two.</summary>
    internal static PlotChart? Curves(IReadOnlyList<ComparedQuantile> compared)
    {
        ComparedQuantile[] quantiles = [.. Usable(compared)];
        if (quantiles.Length < 2)
        {
            return null;
        }

        ChartKey a = new("A, before", 2, KeyShape.DashedLine);
        ChartKey b = new("B, after", 1, KeyShape.Line);
        return new PlotChart
        {
            Name = "before-after",
            Caption = "Where the solid curve (after) lies below the dashed one (before), requests became faster.",
            Alternative = string.Join(". ", quantiles.Where(q => q.Quantile is 0.5 or 0.9 or 0.99).Select(q =>
                $"{ComparisonPage.Name(q.Quantile)}: {Format.Us(q.AUs)} before, {Format.Us(q.BUs)} after")) + ".",
            X = X(quantiles),
            Y = new("time of a request", ChartScale.Of(quantiles.SelectMany(q => new[] { q.AUs, q.BUs })), ChartText.Us),
            Keys = [a, b],
            Marks =
            [
                new LineMark(a, [.. quantiles.Select(q => new ChartPoint(q.Quantile, q.AUs))]),
                new LineMark(b, [.. quantiles.Select(q => new ChartPoint(q.Quantile, q.BUs))]),
                .. quantiles.Select(q =>
                    new DotMark(a with { Shape = KeyShape.OpenDot }, q.Quantile, q.AUs, $"A, {ComparisonPage.Name(q.Quantile)}: {Format.Us(q.AUs)}")),
                .. quantiles.Select(q =>
                    new DotMark(b with { Shape = KeyShape.Dot }, q.Quantile, q.BUs, $"B, {ComparisonPage.Name(q.Quantile)}: {Format.Us(q.BUs)}")),
            ],
        };
    }

    /// <summary>B minus A by quantile, with its interval and the limit below which a difference counts as none; null without two.</summary>
    internal static PlotChart? Shift(IReadOnlyList<ComparedQuantile> compared)
    {
        ComparedQuantile[] quantiles = [.. Usable(compared)];
        if (quantiles.Length < 2)
        {
            return null;
        }

        ChartKey interval = new("95 % interval", 1, KeyShape.Whisker);
        ChartKey limit = new("too small to count", 5, KeyShape.Area);
        ChartKey zero = new("no difference", 4, KeyShape.DashedLine);
        (string Verdict, ChartKey Key)[] keys =
        [
            ("better", new("better", 3, KeyShape.Dot)), ("same", new("same", 1, KeyShape.OpenDot)), ("worse", new("worse", 2, KeyShape.Cross)),
            ("cannot-tell", new("cannot tell", 5, KeyShape.OpenDot)),
        ];
        ChartKey KeyOf(ComparedQuantile q) => keys.FirstOrDefault(k => k.Verdict == q.Verdict, keys[3]).Key;
        return new PlotChart
        {
            Name = "shift",
            Caption = "B minus A: below the zero line B is faster; an interval that crosses the line may be no difference.",
            Alternative = string.Join(". ", quantiles.Select(q =>
                $"{ComparisonPage.Name(q.Quantile)}: {Format.Difference(q.DeltaUs)}, {Format.Range(q.LowUs, q.HighUs)}, {q.Verdict.Replace('-', ' ')}")) + ".",
            X = X(quantiles),
            Y = new("B minus A", ChartScale.Of(quantiles.SelectMany(q => new[] { q.DeltaUs, q.LowUs, q.HighUs, -q.LimitUs, q.LimitUs }).Append(0)),
                v => (v > 0 ? "+" : "") + ChartText.Us(v)),
            Keys = [.. keys.Select(k => k.Key).Where(k => quantiles.Any(q => KeyOf(q) == k)), interval, limit, zero],
            Marks =
            [
                new BandMark(
                    limit, [.. quantiles.Select(q => new ChartPoint(q.Quantile, -q.LimitUs))],
                        [.. quantiles.Select(q => new ChartPoint(q.Quantile, q.LimitUs))],
                    "differences that count as none"),
                new RuleMark(zero, 0, Vertical: false, "no difference"),
                .. quantiles.Select(q => new WhiskerMark(interval, q.Quantile, q.LowUs, q.HighUs, null)),
                .. quantiles.Select(q => new DotMark(
                    KeyOf(q), q.Quantile, q.DeltaUs,
                    $"{ComparisonPage.Name(q.Quantile)}: {Format.Difference(q.DeltaUs)} ({Format.Range(q.LowUs, q.HighUs)}, 95 %), "
                        + q.Verdict.Replace('-', ' '))),
            ],
        };
    }

    private static IEnumerable<ComparedQuantile> Usable(IEnumerable<ComparedQuantile> compared) =>
        compared.Where(q => q.Quantile is >= 0 and < 1 && double.IsFinite(q.AUs) && double.IsFinite(q.BUs)).OrderBy(q => q.Quantile);

    private static ChartAxis X(ComparedQuantile[] quantiles) =>
        new("requests that are faster (tail logarithmic)", ChartScale.Tail(quantiles[^1].Quantile), ChartScale.PercentileText);
}
