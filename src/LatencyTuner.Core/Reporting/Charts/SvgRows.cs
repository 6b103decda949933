namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>Draws bars by name: each name stands above its bars, so that none is too long.</summary>
internal static class SvgRows
{
    private const double BarHeight = 13;
    private const double BarStep = 19;

    internal static void Draw(RowChart chart, SvgDrawing svg)
    {
        double top = svg.Legend(chart.Keys, 2, 0);
        double room = chart.Rows.SelectMany(r => r.Bars).Select(b => ChartText.Width(b.Text, SvgDrawing.TextSize)).DefaultIfEmpty(0).Max() + 16;
        double left = 4;
        double right = Math.Max(left + 60, svg.Width - room);
        double X(double value) => left + (chart.X.Scale.Place(value) * (right - left));
        double y = top;
        List<(ChartRow Row, IReadOnlyList<string> Lines, double Y)> placed = [];
        foreach (ChartRow row in chart.Rows)
        {
            IReadOnlyList<string> lines = ChartText.Wrap(row.Name, svg.Width - 6, SvgDrawing.TextSize, 3);
            placed.Add((row, lines, y));
            y += (lines.Count * SvgDrawing.LineHeight) + (row.Bars.Count * BarStep) + 10;
        }

        double bottom = y;
        bool log = chart.X.Scale.Kind == ScaleKind.Log;
        foreach ((ChartRow row, IReadOnlyList<string> lines, double at) in placed)
        {
            double line = at;
            foreach (string text in lines)
            {
                svg.Text(2, line + 13, text, strong: true);
                line += SvgDrawing.LineHeight;
            }

            svg.Line("axis", left, line + 2, left, line + (row.Bars.Count * BarStep));
            foreach (RowBar bar in row.Bars)
            {
                Bar(svg, bar, X, line + 3, log, left);
                double end = Math.Max(X(bar.Value), bar.High is { } high ? X(high) : 0);
                svg.Text(end + (bar.Open ? 16 : 8), line + 14, bar.Text);
                foreach (RuleMark rule in chart.Rules)
                {
                    string path = $"M{SvgDrawing.N(X(rule.Value))} {SvgDrawing.N(line + 1)}v{SvgDrawing.N(BarStep - 1)}";
                    svg.Path(SvgDrawing.Classes(rule.Key!, "dash"), path, rule.Title);
                }

                line += BarStep;
            }
        }

        Axis(chart.X, svg, X, left, right, bottom);
    }

    private static void Bar(SvgDrawing svg, RowBar bar, Func<double, double> x, double y, bool log, double left)
    {
        double middle = y + (BarHeight / 2);
        string title = $"{bar.Key.Name}: {bar.Text}";
        double from = bar.From is { } start ? x(start) : left;
        if (log && bar.From is null)
        {
            // Where there is no zero, the length of a bar would mean nothing.
            svg.Line("grid", left, middle, x(bar.Value), middle);
            svg.Circle(SvgDrawing.Classes(bar.Key, "fill"), x(bar.Value), middle, 4.5, title);
        }
        else
        {
            (double a, double b) = (Math.Min(from, x(bar.Value)), Math.Max(from, x(bar.Value)));
            svg.Rect(SvgDrawing.Classes(bar.Key, "fill"), a, y, Math.Max(b - a, 1.5), BarHeight, title);
        }

        if (bar.Low is { } low)
        {
            double end = bar.High is { } high ? x(high) : x(bar.Value);
            svg.Path("axis", $"M{SvgDrawing.N(x(low))} {SvgDrawing.N(middle - 4)}v8M{SvgDrawing.N(x(low))} {SvgDrawing.N(middle)}H{SvgDrawing.N(end)}M"
                + $"{SvgDrawing.N(end)} {SvgDrawing.N(middle - 4)}v8");
        }

        if (bar.Open)
        {
            double end = x(bar.Value);
            svg.Path(
                SvgDrawing.Classes(bar.Key, "open"),
                $"M{SvgDrawing.N(end + 3)} {SvgDrawing.N(middle - 5)}v10L{SvgDrawing.N(end + 11)} {SvgDrawing.N(middle)}Z");
        }
    }

    private static void Axis(ChartAxis axis, SvgDrawing svg, Func<double, double> x, double left, double right, double y)
    {
        svg.Line("axis", left, y, right, y);
        double free = double.NegativeInfinity;
        double widest = axis.Scale.Ticks(6).Select(t => ChartText.Width(axis.Text(t), SvgDrawing.TextSize)).DefaultIfEmpty(40).Max();
        foreach (double tick in axis.Scale.Ticks((int)((right - left) / (widest + 18))))
        {
            string text = axis.Text(tick);
            double half = ChartText.Width(text, SvgDrawing.TextSize) / 2;
            double centre = Math.Clamp(x(tick), half + 1, Math.Max(half + 1, svg.Width - half - 1));
            svg.Line("axis", x(tick), y, x(tick), y + 4);
            if (centre - half >= free)
            {
                svg.Text(centre, y + 18, text, "middle");
                free = centre + half + 14;
            }
        }

        IReadOnlyList<string> label = ChartText.Wrap($"{axis.Label} ({axis.Scale.Word})", svg.Width - 6, SvgDrawing.TextSize, 3);
        for (int i = 0; i < label.Count; i++)
        {
            svg.Text(2, y + 38 + (i * SvgDrawing.LineHeight), label[i], strong: true);
        }

        svg.Height = y + 32 + (label.Count * SvgDrawing.LineHeight);
    }
}
