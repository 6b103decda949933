namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>Charts as SVG without script: within a page, or alone.</summary>
internal static class SvgChart
{
    /// <summary>Width of a chart on a wide page, in pixels.</summary>
    internal const double Wide = 880;

    /// <summary>Width of a chart on a phone, in pixels.</summary>
    internal const double Narrow = 328;

    /// <summary>A chart alone, with its own colours, for slides and tickets.</summary>
    internal static string Alone(Chart chart)
    {
        string style = $"<style>\n:root {{ {ChartStyle.Light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {ChartStyle.Dark} }} }}\n{ChartStyle.Sheet}\n"
            + "svg { background: var(--page); }\n</style>\n";
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + Draw(chart, Wide).Write(chart.Alternative, style);
    }

    /// <summary>Draws a chart.</summary>
    /// <param name="chart">The chart.</param>
    /// <param name="width">Its width in pixels.</param>
    internal static SvgDrawing Draw(Chart chart, double width)
    {
        SvgDrawing svg = new(width);
        switch (chart)
        {
            case PlotChart plot:
                SvgPlot.Draw(plot, svg);
                break;
            case RowChart rows:
                SvgRows.Draw(rows, svg);
                break;
            case HeatChart heat:
                SvgHeat.Draw(heat, svg);
                break;
            case LadderChart ladder:
                SvgLadder.Draw(ladder, svg);
                break;
            default:
                throw new ArgumentException($"{chart.GetType().Name} has no drawing.", nameof(chart));
        }

        return svg;
    }
}
