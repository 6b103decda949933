namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>Draws tables whose cells are shaded by their values.</summary>
internal static class SvgHeat
{
    private const int Shades = 6;
    private const double CellHeight = 30;

    internal static void Draw(HeatChart chart, SvgDrawing svg)
    {
        IEnumerable<string> texts = chart.Panels.SelectMany(p => p.Cells).OfType<HeatCell>().Select(c => c.Text).Concat(chart.Columns);
        double least = Math.Max(48, texts.Select(t => ChartText.Width(t, SvgDrawing.TextSize)).DefaultIfEmpty(0).Max() + 14);
        double left = chart.Rows.Append(chart.RowLabel).Select(r => ChartText.Width(r, SvgDrawing.TextSize)).Max() + 14;
        svg.Widen(left + (least * chart.Columns.Count) + 4);
        double cell = Math.Min(120, (svg.Width - left - 4) / Math.Max(chart.Columns.Count, 1));
        double y = 0;
        foreach (HeatPanel panel in chart.Panels)
        {
            foreach (string line in ChartText.Wrap(panel.Title, svg.Width - 6, SvgDrawing.TextSize, 3))
            {
                svg.Text(2, y + 14, line, strong: true);
                y += SvgDrawing.LineHeight;
            }

            svg.Text(left, y + 15, ChartText.Cut(chart.ColumnLabel, svg.Width - left - 4, SvgDrawing.TextSize));
            y += 18;
            svg.Text(2, y + 15, chart.RowLabel);
            for (int c = 0; c < chart.Columns.Count; c++)
            {
                svg.Text(left + ((c + 0.5) * cell), y + 15, chart.Columns[c], "middle");
            }

            y += 22;
            for (int r = 0; r < chart.Rows.Count; r++)
            {
                svg.Text(2, y + (CellHeight / 2) + 4.5, chart.Rows[r]);
                for (int c = 0; c < chart.Columns.Count; c++)
                {
                    Cell(svg, panel, panel.Cells[(r * chart.Columns.Count) + c], left + (c * cell), y, cell);
                }

                y += CellHeight;
            }

            y += 16;
        }

        svg.Height = y;
    }

    private static void Cell(SvgDrawing svg, HeatPanel panel, HeatCell? cell, double x, double y, double wide)
    {
        if (cell is null)
        {
            return;
        }

        int shade = cell.Value is { } value ? 1 + (int)Math.Min(Shades - 1, panel.Scale.Place(value) * Shades) : 0;
        svg.Rect($"fill c{(cell.Value is null ? 5 : 1)} h{Math.Max(shade, 1)}", x + 1, y + 1, wide - 2, CellHeight - 2, cell.Title);
        svg.Text(x + (wide / 2), y + (CellHeight / 2) + 4.5, cell.Text, "middle", strong: true);
    }
}
