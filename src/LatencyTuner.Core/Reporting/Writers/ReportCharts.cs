using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>Writes one chart of a report alone.</summary>
public static class ReportCharts
{
    /// <summary>The chart as an SVG document, or its data as CSV.</summary>
    /// <param name="documents">The pages that may have it; the first one that does is taken.</param>
    /// <param name="name">Its name, for example <c>percentiles</c>.</param>
    /// <param name="data">True for its data.</param>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Usage"/>: no page has a chart of that name; the message lists the names.</exception>
    public static string Write(IReadOnlyList<Page> documents, string name, bool data)
    {
        Chart[] charts = [.. documents.SelectMany(Of)];
        Chart chart = Array.Find(charts, c => c.Name == name) ?? throw new ExpectedFailureException(
            ExitCode.Usage,
            charts.Length == 0 ? $"--chart {Quoting.Quote(name)}: this report has no charts."
                : $"--chart {Quoting.Quote(name)}: this report has no chart of that name. It has: {string.Join(", ", charts.Select(c => c.Name).Distinct())}.");
        return data ? ChartCsv.Write(chart) : SvgChart.Alone(chart);
    }

    /// <summary>The charts of a page in order.</summary>
    internal static IEnumerable<Chart> Of(Page page) => page.Sections.SelectMany(s => s.Blocks).OfType<ChartBlock>().Select(b => b.Chart);
}
