using System.Globalization;
using System.Text;

namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>Draws marks over two axes.</summary>
internal sealed class SvgPlot
{
    /// <summary>Number of marks with a text of their own; beyond it, marks are joined.</summary>
    internal const int MostTitles = 2000;

    private const double Gap = 14;
    private readonly PlotChart _chart;
    private readonly SvgDrawing _svg;
    private readonly double _left;
    private readonly double _right;
    private readonly double _top;
    private readonly double _bottom;

    private SvgPlot(PlotChart chart, SvgDrawing svg, double height)
    {
        (_chart, _svg) = (chart, svg);
        double legend = svg.Legend(chart.Keys, 2, 0);
        IReadOnlyList<string> label = ChartText.Wrap(Label(chart.Y), svg.Width - 4, SvgDrawing.TextSize, 2);
        for (int i = 0; i < label.Count; i++)
        {
            svg.Text(2, legend + 14 + (i * SvgDrawing.LineHeight), label[i], strong: true);
        }

        _top = legend + (label.Count * SvgDrawing.LineHeight) + 14;
        _bottom = _top + height;
        IReadOnlyList<double> ticks = chart.Y.Scale.Ticks((int)(height / 34));
        _left = 10 + ticks.Select(t => ChartText.Width(chart.Y.Text(t), SvgDrawing.TextSize)).DefaultIfEmpty(20).Max();
        _right = svg.Width - 16;
        VerticalAxis(ticks);
    }

    /// <summary>Draws the chart.</summary>
    /// <param name="chart">The chart.</param>
    /// <param name="svg">The drawing, which has a width.</param>
    internal static void Draw(PlotChart chart, SvgDrawing svg)
    {
        SvgPlot plot = new(chart, svg, svg.Width < 500 ? 210 : 280);
        plot.Marks();
        plot.HorizontalAxis();
    }

    private static string Label(ChartAxis axis) =>
        axis.Label + (axis.Scale.Kind is ScaleKind.Log or ScaleKind.Linear ? $" ({axis.Scale.Word})" : "");

    private double X(double value) => _left + (_chart.X.Scale.Place(value) * (_right - _left));

    private double Y(double value) => _bottom - (_chart.Y.Scale.Place(value) * (_bottom - _top));

    private void VerticalAxis(IReadOnlyList<double> ticks)
    {
        double free = double.PositiveInfinity;
        foreach (double tick in ticks)
        {
            double y = Y(tick);
            _svg.Line("grid", _left, y, _right, y);
            if (free - y >= SvgDrawing.LineHeight)
            {
                _svg.Text(_left - 6, y + 4.5, _chart.Y.Text(tick), "end");
                free = y;
            }
        }
    }

    private void HorizontalAxis()
    {
        ChartAxis axis = _chart.X;
        _svg.Line("axis", _left, _bottom, _right, _bottom);
        double widest = axis.Scale.Ticks(8).Select(t => ChartText.Width(axis.Text(t), SvgDrawing.TextSize)).DefaultIfEmpty(40).Max();
        double free = double.NegativeInfinity;
        foreach (double tick in axis.Scale.Ticks((int)((_right - _left) / (widest + Gap))))
        {
            string text = axis.Text(tick);
            double half = ChartText.Width(text, SvgDrawing.TextSize) / 2;
            double x = X(tick);
            double centre = Math.Min(x, _svg.Width - half - 1);
            _svg.Line("axis", x, _bottom, x, _bottom + 4);
            if (centre - half >= free)
            {
                _svg.Text(centre, _bottom + 18, text, "middle");
                free = centre + half + Gap;
            }
        }

        IReadOnlyList<string> label = ChartText.Wrap(Label(axis), _svg.Width - 4, SvgDrawing.TextSize, 3);
        double middle = label.Count > 1 ? _svg.Width / 2 : Math.Max((_left + _right) / 2, ChartText.Width(label[0], SvgDrawing.TextSize) / 2);
        middle = Math.Min(middle, _svg.Width - (label.Max(l => ChartText.Width(l, SvgDrawing.TextSize)) / 2));
        for (int i = 0; i < label.Count; i++)
        {
            _svg.Text(middle, _bottom + 38 + (i * SvgDrawing.LineHeight), label[i], "middle", strong: true);
        }

        _svg.Height = _bottom + 38 + (label.Count * SvgDrawing.LineHeight) - 8;
    }

    private void Marks()
    {
        foreach (ChartMark mark in _chart.Marks)
        {
            switch (mark)
            {
                case SpanMark span:
                    double wide = Math.Max(1.5, X(span.X1) - X(span.X0));
                    _svg.Rect(SvgDrawing.Classes(span.Key!, "span"), X(span.X0), _top, wide, _bottom - _top, span.Title);
                    break;
                case BandMark band:
                    Band(band);
                    break;
                case BarMark bar:
                    double foot = Math.Max(Y(bar.Y0), Y(bar.Y1));
                    double top = Math.Min(Y(bar.Y0), Y(bar.Y1));
                    double between = X(bar.X1) - X(bar.X0) > 3 ? 1 : 0;
                    _svg.Rect(
                        SvgDrawing.Classes(bar.Key!, "fill"), X(bar.X0) + (between / 2), bar.Y1 > bar.Y0 ? Math.Min(top, foot - 1.5) : top,
                        Math.Max(0.8, X(bar.X1) - X(bar.X0) - between), bar.Y1 > bar.Y0 ? Math.Max(1.5, foot - top) : foot - top, bar.Title);
                    break;
                case LineMark line:
                    Line(line);
                    break;
                case WhiskerMark whisker:
                    Whisker(whisker);
                    break;
                case RuleMark rule:
                    Rule(rule);
                    break;
            }
        }

        Dots([.. _chart.Marks.OfType<DotMark>()]);
        Columns([.. _chart.Marks.OfType<ColumnMark>()]);
    }

    private void Rule(RuleMark rule)
    {
        string classes = SvgDrawing.Classes(rule.Key!, rule.Key!.Shape == KeyShape.DashedLine ? "dash" : "stroke");
        double at = rule.Vertical ? X(rule.Value) : Y(rule.Value);
        _svg.Path(
            classes, rule.Vertical ? $"M{N(at)} {N(_top)}V{N(_bottom)}" : $"M{N(_left)} {N(at)}H{N(_right)}", rule.Title);
    }

    private void Whisker(WhiskerMark whisker)
    {
        string classes = SvgDrawing.Classes(whisker.Key!, "stroke");
        (double x, double low, double high) = (X(whisker.X), Y(whisker.Low), whisker.High is { } end ? Y(end) : Math.Max(_top, Y(whisker.Low) - 22));
        _svg.Path(
            classes, $"M{N(x - 4)} {N(low)}H{N(x + 4)}M{N(x)} {N(low)}V{N(high)}" + (whisker.High is null ? "" : $"M{N(x - 4)} {N(high)}H{N(x + 4)}"),
            whisker.Title);
        if (whisker.High is null)
        {
            _svg.Open(whisker.Key!, x, high, 1, null);
        }
    }

    private void Band(BandMark band)
    {
        StringBuilder path = new();
        for (int i = 0; i < band.Highs.Count; i++)
        {
            Point(path, i == 0 ? 'M' : 'L', band.Highs[i]);
        }

        for (int i = band.Lows.Count - 1; i >= 0; i--)
        {
            Point(path, 'L', band.Lows[i]);
        }

        _svg.Path(SvgDrawing.Classes(band.Key!, "band"), path.Append('Z').ToString(), band.Title);
    }

    /// <summary>A line; where a pixel has several points, the smallest and the largest of them.</summary>
    private void Line(LineMark line)
    {
        StringBuilder path = new();
        bool drawn = false;
        int column = int.MinValue;
        double first = 0, low = 0, high = 0, last = 0;
        int count = 0;
        void Flush()
        {
            if (count > 0)
            {
                double[] ys = count < 3 ? count == 1 ? [first] : [first, last]
                    : last - first >= 0 ? [low, high] : [high, low];
                _ = path.Append(drawn ? 'L' : 'M').Append(N(column / 1.0)).Append(' ').Append(N(ys[0]));
                drawn = true;
                foreach (double y in ys[1..])
                {
                    _ = path.Append('V').Append(N(y));
                }
            }

            count = 0;
        }

        bool dense = line.Points.Count > 1.5 * (_right - _left);
        foreach (ChartPoint point in line.Points)
        {
            if (!double.IsFinite(point.Y))
            {
                Flush();
                (drawn, column) = (false, int.MinValue);
                continue;
            }

            if (!dense)
            {
                Point(path, drawn ? 'L' : 'M', point);
                drawn = true;
                continue;
            }

            int x = (int)Math.Round(X(point.X));
            double y = Y(point.Y);
            if (x != column)
            {
                Flush();
                (column, first, low, high) = (x, y, y, y);
            }

            (low, high, last) = (Math.Min(low, y), Math.Max(high, y), y);
            count++;
        }

        Flush();
        if (path.Length > 0)
        {
            string shape = (line.Key!.Shape == KeyShape.DashedLine ? "dash" : "line") + (line.Thin ? " thin" : "");
            _svg.Path(SvgDrawing.Classes(line.Key!, shape), path.ToString(), line.Title);
        }
    }

    private void Point(StringBuilder path, char how, ChartPoint point) => path.Append(how).Append(N(X(point.X))).Append(' ').Append(N(Y(point.Y)));

    private void Dots(IReadOnlyList<DotMark> dots)
    {
        if (dots.Count <= MostTitles)
        {
            foreach (DotMark dot in dots)
            {
                Dot(dot, X(dot.X), Y(dot.Y), dot.Title);
            }

            return;
        }

        // Fewer cells than titles, whatever the size: one dot for those that would cover each other.
        double cell = Math.Sqrt((_right - _left) * (_bottom - _top) / (MostTitles / 2.0));
        foreach (IGrouping<(ChartKey?, int, int), DotMark> group in dots
            .GroupBy(d => (d.Key, (int)(X(d.X) / cell), (int)(Y(d.Y) / cell))).OrderBy(g => g.Key.Key == dots[0].Key ? 0 : 1))
        {
            DotMark[] all = [.. group];
            string title = all.Length == 1 ? all[0].Title ?? "" : string.Create(
                CultureInfo.InvariantCulture,
                $"{all.Length:N0} of {group.Key.Item1?.Name}: {_chart.Y.Text(all.Min(d => d.Y))} to {_chart.Y.Text(all.Max(d => d.Y))}, "
                + $"{_chart.X.Text(all.Min(d => d.X))} to {_chart.X.Text(all.Max(d => d.X))}");
            Dot(all[0], X(all.Average(d => d.X)), all.Average(d => Y(d.Y)), title);
        }
    }

    private void Dot(DotMark dot, double x, double y, string? title)
    {
        if (dot.More != 0)
        {
            _svg.Open(dot.Key!, x, y, dot.More, title);
        }
        else if (dot.Key!.Shape == KeyShape.Cross)
        {
            _svg.Cross(dot.Key, x, y, title);
        }
        else
        {
            _svg.Circle(SvgDrawing.Classes(dot.Key, dot.Key.Shape == KeyShape.OpenDot ? "open" : "fill"), x, y, 3.2, title);
        }
    }

    private void Columns(IReadOnlyList<ColumnMark> columns)
    {
        int most = (int)Math.Min(MostTitles, (_right - _left) / 3);
        int each = Math.Max(1, (int)Math.Ceiling(columns.Count / (double)most));
        for (int i = 0; i < columns.Count; i += each)
        {
            ColumnMark[] group = [.. columns.Skip(i).Take(each)];
            List<string> parts = [];
            for (int k = 0; k < group[0].Names.Count; k++)
            {
                double[] values = [.. group.Select(c => c.Values[k]).Where(double.IsFinite)];
                if (values.Length > 0)
                {
                    (string low, string high) = (_chart.Y.Text(values.Min()), _chart.Y.Text(values.Max()));
                    parts.Add($"{group[0].Names[k]} {(low == high ? low : $"{low} to {high}")}");
                }
            }

            string when = _chart.X.Scale.Kind == ScaleKind.Clock ? ChartText.Moment(group[0].X0) : ChartText.Seconds(Math.Round(group[0].X0, 3));
            string count = string.Create(CultureInfo.InvariantCulture, $"n = {group.Sum(c => c.N):N0}");
            _svg.Rect("hit", X(group[0].X0), _top, X(group[^1].X1) - X(group[0].X0), _bottom - _top, $"{when}: {string.Join(", ", parts.Append(count))}");
        }
    }

    private static string N(double value) => ChartText.Number(value);
}
