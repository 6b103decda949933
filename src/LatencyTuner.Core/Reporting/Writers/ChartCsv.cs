using LatencyTuner.Core.Reporting.Charts;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>The data of a chart as a table: one row for each mark.</summary>
internal static class ChartCsv
{
    internal static string Write(Chart chart)
    {
        CsvTable table = new("chart", "mark", "series", "x", "x2", "y", "y2", "n", "text");
        void Row(string mark, string? series, object? x, object? x2, object? y, object? y2, object? n, string? text) =>
            table.Row(chart.Name, mark, series, x, x2, y, y2, n, text);
        switch (chart)
        {
            case PlotChart plot:
                foreach (ChartMark mark in plot.Marks)
                {
                    Mark(Row, mark);
                }

                break;
            case RowChart rows:
                foreach (ChartRow row in rows.Rows)
                {
                    foreach (RowBar bar in row.Bars)
                    {
                        Row(bar.Open ? "at-least" : "bar", bar.Key.Name, bar.Value, null, bar.Low, bar.High, null, row.Name);
                    }
                }

                break;
            case HeatChart heat:
                foreach (HeatPanel panel in heat.Panels)
                {
                    for (int i = 0; i < panel.Cells.Count; i++)
                    {
                        Row(
                            "cell", panel.Title, heat.Rows[i / heat.Columns.Count], heat.Columns[i % heat.Columns.Count], panel.Cells[i]?.Value, null, null,
                            panel.Cells[i]?.Title);
                    }
                }

                break;
            case LadderChart ladder:
                foreach (LadderRung rung in ladder.Rungs)
                {
                    string end = rung.FromLeft ? ladder.Ends.Left : ladder.Ends.Right;
                    Row("step", end, rung.AtMs, null, null, null, null, rung.Text + (rung.Because is { } why ? "; " + why : ""));
                }

                break;
        }

        return table.ToString();
    }

    private static void Mark(Action<string, string?, object?, object?, object?, object?, object?, string?> row, ChartMark mark)
    {
        switch (mark)
        {
            case LineMark line:
                foreach (ChartPoint point in line.Points)
                {
                    row("line", line.Key?.Name, point.X, null, point.Y, null, null, null);
                }

                break;
            case BandMark band:
                for (int i = 0; i < band.Lows.Count; i++)
                {
                    row("band", band.Key?.Name, band.Lows[i].X, null, band.Lows[i].Y, band.Highs[i].Y, null, null);
                }

                break;
            case DotMark dot:
                row(dot.More > 0 ? "at-least" : dot.More < 0 ? "at-most" : "dot", dot.Key?.Name, dot.X, null, dot.Y, null, null, dot.Title);
                break;
            case BarMark bar:
                row("bar", bar.Key?.Name, bar.X0, bar.X1, bar.Y1, null, null, bar.Title);
                break;
            case WhiskerMark whisker:
                row("interval", whisker.Key?.Name, whisker.X, null, whisker.Low, whisker.High, null, whisker.Title);
                break;
            case SpanMark span:
                row("span", span.Key?.Name, span.X0, span.X1, null, null, null, span.Title);
                break;
            case RuleMark rule:
                row("value", rule.Key?.Name, rule.Vertical ? rule.Value : null, null, rule.Vertical ? null : rule.Value, null, null, rule.Title);
                break;
            case ColumnMark column:
                for (int i = 0; i < column.Names.Count; i++)
                {
                    row("bin", column.Names[i], column.X0, column.X1, column.Values[i], null, column.N, null);
                }

                break;
        }
    }
}
