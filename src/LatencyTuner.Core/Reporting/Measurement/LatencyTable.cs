using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Measurement;

/// <summary>The full latency table: response time, service time and, in an open loop, send lateness side by side.</summary>
internal static class LatencyTable
{
    private const string Bound = ">= : too few samples for this percentile; the largest value seen is shown.";

    private static readonly (string Label, string Name, Func<LatencyFigures, double?> Value)[] Figures =
    [
        ("min", "minUs", f => f.MinUs),
        ("10th", "p10Us", f => f.P10Us),
        ("median", "p50Us", f => f.P50Us),
        ("mean", "meanUs", f => f.MeanUs),
        ("90th", "p90Us", f => f.P90Us),
        ("99th", "p99Us", f => f.P99Us),
        ("99.9th", "p99_9Us", f => f.P999Us),
        ("99.99th", "p99_99Us", f => f.P9999Us),
        ("max", "maxUs", f => f.MaxUs),
        ("stdev", "stdevUs", f => f.StdevUs),
    ];

    /// <summary>The figures that a verdict names, for a screen.</summary>
    internal static TableBlock OnScreen(MeasurementReport report)
    {
        TableBlock all = Of(report);
        bool bound = report.ResponseTime.Intervals.Values.Any(i => i.AtLeastUs is not null);
        return all with
        {
            Rows = [.. all.Rows.Where(r => r[0].Text is "median" or "90th" or "99th" or "99.9th" or "max")],
            Caption = bound ? Bound : null,
        };
    }

    internal static TableBlock Of(MeasurementReport report)
    {
        bool closed = report.SendLateness is null;
        bool same = closed && Figures.All(f => f.Value(report.ResponseTime) == f.Value(report.ServiceTime));
        List<TableColumn> columns = new() { new("") };
        List<(LatencyFigures Figures, bool Interval)> sources = new() { (report.ResponseTime, true) };
        columns.Add(new(same ? "response = service" : "response", Right: true));
        columns.Add(new("95 % interval"));
        if (!same)
        {
            sources.Add((report.ServiceTime, true));
            columns.Add(new("service", Right: true));
            columns.Add(new("95 % interval"));
        }

        if (report.SendLateness is { } lateness)
        {
            sources.Add((lateness, false));
            columns.Add(new("lateness", Right: true));
        }

        IReadOnlyList<IReadOnlyList<TableCell>> rows = [.. Figures.Select(f => Row(f, sources)), Counts(sources)];
        return new TableBlock(columns, rows, Caption(report, same, sources));
    }

    private static List<TableCell> Row(
        (string Label, string Name, Func<LatencyFigures, double?> Value) figure, List<(LatencyFigures Figures, bool Interval)> sources)
    {
        List<TableCell> row = new() { new(figure.Label) };
        foreach ((LatencyFigures? figures, bool withInterval) in sources)
        {
            IntervalFigures? interval = figures.Intervals.GetValueOrDefault(figure.Name);
            row.Add(new(IntervalText.FigureOrBound(figure.Value(figures), interval)));
            if (withInterval)
            {
                row.Add(new(interval is null && figures.Count > 0 && figure.Value(figures) is null ? "too few samples" : IntervalText.Alone(interval)));
            }
        }

        return row;
    }

    private static List<TableCell> Counts(List<(LatencyFigures Figures, bool Interval)> sources)
    {
        List<TableCell> row = new() { new("n") };
        foreach ((LatencyFigures? figures, bool withInterval) in sources)
        {
            row.Add(new(Format.Count(figures.Count)));
            if (withInterval)
            {
                row.Add(new(figures.EffectiveCount is { } n && n < figures.Count ? $"effective {Format.Count((long)n)}" : ""));
            }
        }

        return row;
    }

    private static string Caption(MeasurementReport report, bool same, List<(LatencyFigures Figures, bool Interval)> sources)
    {
        List<string> lines = new()
        {
            same
                ? "Closed loop: nothing is planned ahead, so response and service time are the same."
                : "Response time counts from the planned send time, service time from the actual one.",
        };
        if (sources.Any(s => s.Figures.Intervals.Values.Any(i => i.AtLeastUs is not null)))
        {
            lines.Add(Bound);
        }

        if (sources.Any(s => s.Interval && s.Figures.EffectiveCount < s.Figures.Count))
        {
            lines.Add("effective: neighbouring samples are similar, so the intervals count only this number of samples.");
        }

        return string.Join(" ", lines) + (report.SendLateness is null ? "" : " Lateness: from the planned to the actual send time.");
    }
}
