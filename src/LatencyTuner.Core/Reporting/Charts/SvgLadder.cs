using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>Draws two time lines, what passed between them as arrows, and what waited for what as shaded parts. Time runs down and is not to scale.</summary>
internal static class SvgLadder
{
    private static readonly ChartKey Sent = new("sent", 1, KeyShape.Line);
    private static readonly ChartKey Waited = new("waited", 2, KeyShape.Area);

    internal static void Draw(LadderChart chart, SvgDrawing svg)
    {
        bool wide = svg.Width > 500;
        double clock = wide ? 96 : 0;
        double left = clock + 12;
        double right = Math.Min(svg.Width - 12, wide ? 720 : svg.Width - 12);
        double inner = right - left - 24;
        svg.Text(left - 8, 14, chart.Ends.Left, strong: true);
        svg.Text(right + 8, 14, chart.Ends.Right, "end", strong: true);
        double y = 26;
        double before = 0;
        List<double> lines = [y];
        foreach (LadderRung rung in chart.Rungs)
        {
            double took = rung.AtMs - before;
            if (rung.Because is { } because)
            {
                IReadOnlyList<string> why = ChartText.Wrap($"{Format.Ms(took)}: {because}", inner, SvgDrawing.TextSize);
                double high = (why.Count * SvgDrawing.LineHeight) + 12 + Tall(took);
                svg.Rect(SvgDrawing.Classes(Waited, "span"), left, y + 4, right - left, high, $"waited {Format.Ms(took)}: {because}");
                for (int i = 0; i < why.Count; i++)
                {
                    svg.Text(left + 12, y + 18 + (Tall(took) / 2) + (i * SvgDrawing.LineHeight), why[i], strong: true);
                }

                y += high + 10;
            }

            string at = Format.Ms(rung.AtMs);
            IReadOnlyList<string> text = ChartText.Wrap(wide ? rung.Text : $"{at}: {rung.Text}", inner, SvgDrawing.TextSize);
            for (int i = 0; i < text.Count; i++)
            {
                svg.Text(rung.FromLeft ? left + 12 : right - 12, y + 14 + (i * SvgDrawing.LineHeight), text[i], rung.FromLeft ? "start" : "end");
            }

            y += (text.Count * SvgDrawing.LineHeight) + 8;
            if (wide)
            {
                svg.Text(clock - 12, y + 4.5, at, "end");
            }

            Arrow(svg, rung, left, right, y);
            y += 12;
            before = rung.AtMs;
        }

        svg.Line("axis", left, lines[0], left, y);
        svg.Line("axis", right, lines[0], right, y);
        svg.Height = y + 4;
    }

    /// <summary>Longer waits are taller, but not in proportion: 200 ms beside 20 us would leave no room.</summary>
    private static double Tall(double ms) => Math.Clamp(8 * Math.Log10(1 + (Math.Max(ms, 0) * 10)), 0, 40);

    private static void Arrow(SvgDrawing svg, LadderRung rung, double left, double right, double y)
    {
        (double from, double to) = rung.FromLeft ? (left, right) : (right, left);
        string title = $"{Format.Ms(rung.AtMs)}: {rung.Text}";
        svg.Circle(SvgDrawing.Classes(Sent, "fill"), from, y, 3.5, title);
        if (rung.Crosses)
        {
            double back = rung.FromLeft ? -9 : 9;
            svg.Path(
                SvgDrawing.Classes(Sent, "line"),
                $"M{SvgDrawing.N(from)} {SvgDrawing.N(y)}H{SvgDrawing.N(to)}M{SvgDrawing.N(to + back)} {SvgDrawing.N(y - 4.5)}L{SvgDrawing.N(to)} "
                + $"{SvgDrawing.N(y)}L{SvgDrawing.N(to + back)} {SvgDrawing.N(y + 4.5)}", title);
        }
    }
}
