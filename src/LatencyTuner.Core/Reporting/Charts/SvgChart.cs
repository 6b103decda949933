using System.Globalization;
using System.Text;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>Charts as inline SVG without script; colours come from the page's style sheet.</summary>
internal static class SvgChart
{
    private const int Width = 760;

    /// <summary>A distribution as horizontal bars over logarithmic ranges; empty without counts.</summary>
    internal static string Histogram(IReadOnlyList<HistogramBar> buckets)
    {
        IReadOnlyList<HistogramBar> rows = LogRanges.Of(buckets, 24);
        if (rows.Count == 0)
        {
            return "";
        }

        const int Step = 20;
        double total = (double)rows.Sum(r => r.Count);
        double most = (double)rows.Max(r => r.Count);
        StringBuilder svg = Open(rows.Count * Step, "Distribution of response times");
        for (int i = 0; i < rows.Count; i++)
        {
            int y = i * Step;
            double bar = rows[i].Count == 0 ? 0 : Math.Max(1, rows[i].Count / most * 470);
            svg.Append(
                CultureInfo.InvariantCulture, $"<text x=\"120\" y=\"{y + 14}\" text-anchor=\"end\">{Format.RoundRange(rows[i].LowUs, rows[i].HighUs)}</text>");
            svg.Append(CultureInfo.InvariantCulture, $"<rect class=\"bar\" x=\"130\" y=\"{y + 3}\" width=\"{bar:0.#}\" height=\"{Step - 6}\"/>");
            svg.Append(
                CultureInfo.InvariantCulture,
                $"<text x=\"{136 + bar:0.#}\" y=\"{y + 14}\">{Format.Count(rows[i].Count)} ({Markup.Escape(Format.Share(rows[i].Count / total))})</text>\n");
        }

        return svg.Append("</svg>\n").ToString();
    }

    /// <summary>Median and 99th percentile against a swept value; empty without two points.</summary>
    internal static string Curve(string xLabel, IReadOnlyList<CurvePoint> points)
    {
        if (CurveScale.Of(points) is not { } scale)
        {
            return "";
        }

        const int Height = 300;
        double X(double value) => 70 + (scale.X(value) * (Width - 100));
        double Y(double us) => Height - 50 - (scale.Y(us) * (Height - 80));
        StringBuilder svg = Open(Height, "Latency against " + xLabel);
        foreach (double tick in scale.YTicks)
        {
            svg.Append(CultureInfo.InvariantCulture, $"<line class=\"axis\" x1=\"70\" x2=\"{Width - 30}\" y1=\"{Y(tick):0.#}\" y2=\"{Y(tick):0.#}\"/>");
            svg.Append(CultureInfo.InvariantCulture, $"<text x=\"62\" y=\"{Y(tick) + 4:0.#}\" text-anchor=\"end\">{Format.RoundUs(tick)}</text>\n");
        }

        foreach (CurvePoint point in scale.Points)
        {
            svg.Append(
                CultureInfo.InvariantCulture, $"<text x=\"{X(point.X):0.#}\" y=\"{Height - 32}\" text-anchor=\"middle\">{Format.Compact(point.X)}</text>\n");
        }

        foreach ((string? name, Func<CurvePoint, double?>? figure) in new (string, Func<CurvePoint, double?>)[] {
            ("p99", p => p.P99Us), ("median", p => p.MedianUs) })
        {
            List<CurvePoint> drawn = scale.Points.Where(p => figure(p) is > 0).ToList();
            svg.Append(
                CultureInfo.InvariantCulture,
                $"<polyline class=\"{name}\" points=\"{string.Join(' ', drawn.Select(p => $"{X(p.X):0.#},{Y(figure(p)!.Value):0.#}"))}\"/>");
            foreach (CurvePoint point in drawn)
            {
                svg.Append(
                    CultureInfo.InvariantCulture,
                    $"<circle class=\"{name}\" cx=\"{X(point.X):0.#}\" cy=\"{Y(figure(point)!.Value):0.#}\" r=\"3.5\"><title>{Format.Compact(point.X)}: "
                    + $"{Format.Us(figure(point))}</title></circle>\n");
            }
        }

        svg.Append(
            CultureInfo.InvariantCulture,
            $"<text x=\"{Width / 2}\" y=\"{Height - 10}\" text-anchor=\"middle\">{Markup.Escape(xLabel)} (both axes logarithmic)</text>");
        svg.Append(
            CultureInfo.InvariantCulture,
            $"<circle class=\"median\" cx=\"80\" cy=\"10\" r=\"3.5\"/><text x=\"90\" y=\"14\">median</text><circle class=\"p99\" cx=\"150\" cy=\"10\" "
            + $"r=\"3.5\"/><text x=\"160\" y=\"14\">99th percentile</text>\n");
        return svg.Append("</svg>\n").ToString();
    }

    /// <summary>A latency over time as bars on a logarithmic scale; empty without values.</summary>
    internal static string Strip(string label, IReadOnlyList<StripInterval> intervals)
    {
        List<double> values = intervals.Where(i => i.ValueUs is > 0 && double.IsFinite(i.ValueUs.Value)).Select(i => i.ValueUs!.Value).ToList();
        if (values.Count == 0)
        {
            return "";
        }

        const int Height = 90;
        (double low, double high) = (values.Min(), values.Max());
        double step = Width / (double)intervals.Count;
        StringBuilder svg = Open(Height + 20, label);
        for (int i = 0; i < intervals.Count; i++)
        {
            if (intervals[i].ValueUs is not { } value || !(value > 0) || !double.IsFinite(value))
            {
                continue;
            }

            double tall = high <= low ? Height / 2.0 : 4 + (Math.Log(value / low) / Math.Log(high / low) * (Height - 4));
            svg.Append(
                CultureInfo.InvariantCulture,
                $"<rect class=\"bar\" x=\"{i * step:0.##}\" y=\"{Height - tall:0.#}\" width=\"{Math.Max(0.5, step * 0.9):0.##}\" height=\"{tall:0.#}\"/>");
        }

        svg.Append(
            CultureInfo.InvariantCulture,
            $"\n<text x=\"0\" y=\"{Height + 15}\">{Markup.Escape(label)}; smallest {Format.Us(low)}, largest {Format.Us(high)}, logarithmic; gap: no "
            + $"reply</text>\n");
        return svg.Append("</svg>\n").ToString();
    }

    private static StringBuilder Open(int height, string label) =>
        new StringBuilder().Append(
            CultureInfo.InvariantCulture,
            $"<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{Markup.Escape(label)}\" viewBox=\"0 0 {Width} {height}\" "
            + $"width=\"{Width}\" height=\"{height}\">\n");
}
