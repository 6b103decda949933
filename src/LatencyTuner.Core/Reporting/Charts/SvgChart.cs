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
        const int Apart = 70;
        double left = 70 + (scale.Apart.Count * Apart);
        List<(double X, string Name, CurvePoint Point)> places =
        [
            .. scale.Apart.Select((p, i) => (70.0 + (i * Apart), p.Label ?? "", p)),
            .. scale.Points.Select(p => (left + (scale.X(p.X!.Value) * (Width - 30 - left)), Format.Compact(p.X.Value), p)),
        ];
        double Y(double us) => Height - 50 - (scale.Y(us) * (Height - 80));
        StringBuilder svg = Open(Height, "Latency against " + xLabel);
        foreach (double tick in scale.YTicks)
        {
            svg.Append(CultureInfo.InvariantCulture, $"<line class=\"axis\" x1=\"70\" x2=\"{Width - 30}\" y1=\"{Y(tick):0.#}\" y2=\"{Y(tick):0.#}\"/>");
            svg.Append(CultureInfo.InvariantCulture, $"<text x=\"62\" y=\"{Y(tick) + 4:0.#}\" text-anchor=\"end\">{Format.RoundUs(tick)}</text>\n");
        }

        foreach ((double x, string name, _) in places)
        {
            svg.Append(
                CultureInfo.InvariantCulture, $"<text x=\"{x:0.#}\" y=\"{Height - 32}\" text-anchor=\"middle\">{Markup.Escape(name)}</text>\n");
        }

        foreach ((string? name, Func<CurvePoint, double?>? figure) in new (string, Func<CurvePoint, double?>)[] {
            ("p99", p => p.P99Us), ("median", p => p.MedianUs) })
        {
            List<(double X, string Name, CurvePoint Point)> drawn = [.. places.Where(p => figure(p.Point) is > 0)];
            svg.Append(
                CultureInfo.InvariantCulture,
                $"<polyline class=\"{name}\" "
                    + $"points=\"{string.Join(' ', drawn.Where(p => p.Point.X is not null).Select(p => $"{p.X:0.#},{Y(figure(p.Point)!.Value):0.#}"))}\"/>");
            foreach ((double x, string value, CurvePoint point) in drawn)
            {
                svg.Append(
                    CultureInfo.InvariantCulture,
                    $"<circle class=\"{name}\" cx=\"{x:0.#}\" cy=\"{Y(figure(point)!.Value):0.#}\" r=\"3.5\"><title>{Markup.Escape(value)}: "
                    + $"{Format.Us(figure(point))}</title></circle>\n");
            }
        }

        string Arrow(double x, double y) => string.Create(CultureInfo.InvariantCulture, $"M{x:0.#} {y - 5:0.#}l5 9h-10z");
        bool bounds = false;
        foreach ((double x, string value, CurvePoint point) in places)
        {
            if (point.P99Us is null && point.AtLeastUs is > 0 and { } least)
            {
                bounds = true;
                svg.Append(
                    CultureInfo.InvariantCulture,
                    $"<path class=\"p99\" d=\"{Arrow(x, Y(least))}\"><title>{Markup.Escape(value)}: {Format.Us(least)} or more</title></path>\n");
            }
        }

        svg.Append(
            CultureInfo.InvariantCulture,
            $"<text x=\"{Width / 2}\" y=\"{Height - 10}\" text-anchor=\"middle\">{Markup.Escape(xLabel)} (both axes logarithmic)</text>");
        svg.Append(
            CultureInfo.InvariantCulture,
            $"<circle class=\"median\" cx=\"80\" cy=\"10\" r=\"3.5\"/><text x=\"90\" y=\"14\">median</text><circle class=\"p99\" cx=\"150\" cy=\"10\" "
            + $"r=\"3.5\"/><text x=\"160\" y=\"14\">99th percentile</text>\n");
        if (bounds)
        {
            svg.Append(
                CultureInfo.InvariantCulture,
                $"<path class=\"p99\" d=\"{Arrow(270, 10)}\"/><text x=\"280\" y=\"14\">99th percentile or more (too few samples)</text>\n");
        }

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
