using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Pages;

/// <summary>Medians and 99th percentiles of several targets below each other.</summary>
internal static class FigureRows
{
    /// <summary>The chart; null when no target answered.</summary>
    /// <param name="targets">The targets with their figures.</param>
    /// <param name="caption">What to see.</param>
    /// <param name="limitUs">A limit of the 99th percentile in microseconds; null for none.</param>
    internal static RowChart? Of(IEnumerable<(string Name, LatencyFigures Figures)> targets, string caption, double? limitUs = null)
    {
        ChartKey median = new("median", 1, KeyShape.Bar);
        ChartKey tail = new("99th percentile", 4, KeyShape.Bar);
        ChartKey limit = new("limit of the 99th percentile", 2, KeyShape.DashedLine);
        ChartRow[] rows =
        [
            .. targets.Select(t => new ChartRow(
                t.Name, [.. new[] { Bar(median, t.Figures, "p50Us", t.Figures.P50Us), Bar(tail, t.Figures, "p99Us", t.Figures.P99Us) }.OfType<RowBar>()]))
                .Where(r => r.Bars.Count > 0),
        ];
        return rows.Length == 0 ? null : new RowChart
        {
            Name = "targets",
            Caption = caption,
            Alternative = string.Join("; ", rows.Select(r => $"{r.Name}: {string.Join(", ", r.Bars.Select(b => $"{b.Key.Name} {b.Text}"))}")) + ".",
            X = new("time of a request",
                ChartScale.OfBars(rows.SelectMany(r => r.Bars).SelectMany(b => new[] { b.Value, b.High ?? b.Value, limitUs ?? b.Value })), ChartText.Us),
            Keys = [median, tail, .. limitUs is null ? Array.Empty<ChartKey>() : [limit]],
            Rows = rows,
            Rules = limitUs is { } us ? [new RuleMark(limit, us, Vertical: true, $"limit: {Format.Us(us)}")] : [],
        };
    }

    private static RowBar? Bar(ChartKey key, LatencyFigures figures, string name, double? us)
    {
        IntervalFigures? interval = figures.Intervals.GetValueOrDefault(name);
        return us is { } value ? new(key, value, Format.Us(value), null, interval?.LowUs, interval?.HighUs)
            : interval?.AtLeastUs is { } least ? new(key, least, ">= " + Format.Us(least), Open: true) : null;
    }
}
