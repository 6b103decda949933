using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Series;

/// <summary>The page of series.</summary>
internal static class SeriesPage
{
    private const int StripColumns = 60;
    private const int MostCharts = 8;

    internal static Page Of(SeriesReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        List<PageSection> sections = new() { new(null, [.. ChartBlock.Of(SeriesCharts.Percentiles(report)), Table(report)]) };
        if (report.Series.Any(s => s.Slow is not null))
        {
            sections.Add(
                new("Slow requests", new FactsBlock([.. report.Series.Where(s => s.Slow is not null).Select(s => new PageFact(s.Name, Slow(s.Slow!)))])));
        }

        if (report.Pairs.Count > 0)
        {
            sections.Add(new("Side by side", ListBlock.Of(report.Pairs.Select(p => $"{Sentence(p)}"))));
        }

        sections.AddRange(FindingBlocks.Section("Findings", report.Findings));
        sections.AddRange(report.Series.Take(MostCharts).SelectMany((series, i) => Charts(series, i + 1)));

        string[] notes = [.. report.Notes, .. report.Series.SelectMany(s => s.Notes.Select(n => report.Series.Count > 1 ? $"{s.Name}: {n}" : n))];
        if (notes.Length > 0)
        {
            sections.Add(new("Notes", ListBlock.Of(notes)));
        }

        string? worst = report.Findings.WorstFirst().FirstOrDefault() is { } first ? first.Host ?? first.Process : null;
        return new Page
        {
            Title = "series " + string.Join(", ", report.Series.Take(4).Select(s => s.Name))
                + (report.Series.Count > 4 ? $" and {report.Series.Count - 4} more" : ""),
            Subtitle = Span(report),
            Verdict = report.Judgement,
            Sections = sections,
            Screen =
            [
                .. FindingBlocks.Screen("Findings", report.Findings, report.Judgement),
                .. PageSection.Of("Side by side", [.. report.Pairs.Select(Sentence)]),
                .. report.Series.Where(s => s.Bins.Count > 1 && s.Oscillations.Count > 0).OrderByDescending(s => s.Name == worst).Take(1)
                    .Select(s => new PageSection($"{s.Name} over time", Strip("Median", s, b => b.P50Us, largest: false))),
                new(null, Table(report).InOneLine()),
                .. PageSection.Of("Notes", notes),
            ],
        };
    }

    private static string Sentence(SeriesPairFigures pair) =>
        pair.Metric == SeriesMetric.Median ? pair.Text : $"In the {SeriesText.Of(pair.Metric)}: {pair.Text}";

    private static string? Span(SeriesReport report) => report.Series.Count == 0 ? null
        : $"{Format.Utc(report.Series.Min(s => s.StartUtc))} to {Format.Utc(report.Series.Max(s => s.EndUtc))}";

    private static TableBlock Table(SeriesReport report)
    {
        List<IReadOnlyList<TableCell>> rows = report.Series.Select(s => (IReadOnlyList<TableCell>)
        [
            new(s.Name, s.GapShare > 0 ? $"gaps {Format.Share(s.GapShare)}" : null),
            new(Format.Count(s.Latency.Count)),
            Figure(s.Latency, s.Latency.MinUs, "minUs"),
            Figure(s.Latency, s.Latency.P50Us, "p50Us"),
            Figure(s.Latency, s.Latency.MeanUs, "meanUs"),
            Figure(s.Latency, s.Latency.P99Us, "p99Us"),
            Figure(s.Latency, s.Latency.P999Us, "p99_9Us"),
            new(Format.Us(s.Latency.MaxUs)),
        ]).ToList();
        return new TableBlock(
            [
                new("series"), new("n", true), new("min", true, Optional: true), new("median", true), new("mean", true, Optional: true), new("99th", true),
                new("99.9th", true, Optional: true), new("max", true),
            ],
            rows,
            "Second line of a figure: its 95 % interval."
                + (report.Series.Any(s => s.Latency.Intervals.Values.Any(i => i.AtLeastUs is not null)) ? " >= : too few samples; the largest value seen."
                    : ""));
    }

    private static TableCell Figure(LatencyFigures figures, double? us, string name)
    {
        IntervalFigures? interval = figures.Intervals.GetValueOrDefault(name);
        return new(IntervalText.FigureOrBound(us, interval), IntervalText.Below(us, interval));
    }

    private static string Slow(SlowFigures slow) =>
        $"{Format.Count(slow.Count)} above {Format.Us(slow.LimitUs)}, {Format.Share(slow.Share)} of all, {Format.Rate(slow.PerSecond)}"
        + (slow.MostAtUtc is { } at ? $"; most at {Format.Utc(at)}: {Format.Rate(slow.MostPerSecond)}" : "");

    private static IEnumerable<PageSection> Charts(SeriesFigures series, int number)
    {
        if (series.Bins.Count > 1)
        {
            TimeStripBlock median = Strip("Median", series, b => b.P50Us, largest: false);
            yield return new(
                $"{series.Name} over time",
                [
                    .. SeriesCharts.OverTime(series, number) is { } chart ? new PageBlock[] { new ChartBlock(chart, median) } : [new TextOnlyBlock(median)],
                    new TextOnlyBlock(Strip("99th percentile (or the largest)", series, b => b.TailUs, largest: true)),
                ]);
            yield return new(
                $"Distribution of {series.Name}",
                [
                    .. ChartBlock.Of(
                        SeriesCharts.Distribution(series, number), new HistogramBlock(MeasurementCharts.Bars(StoredHistograms.Decode(series.Histogram)))),
                ]);
        }

        int cycle = 0;
        foreach (OscillationFigures? oscillation in series.Oscillations.Where(o => o.Metric != SeriesMetric.SlowRate && o.Profile.Count > 1))
        {
            double period = oscillation.PeriodS * 1e3;
            cycle++;
            yield return new(
                $"One cycle of {SeriesText.Seconds(oscillation.PeriodS)} of the {SeriesText.Of(oscillation.Metric)} of {series.Name}",
                new ChartBlock(
                    SeriesCharts.Cycle(oscillation, $"cycle{(number == 1 ? "" : $"-{number}")}{(cycle == 1 ? "" : $"-{cycle}")}"),
                    new TimeStripBlock("Mean by time after the peak", [.. oscillation.Profile.Select(p => new StripInterval(p.Phase * period, p.Mean))])));
        }
    }

    private static TimeStripBlock Strip(string label, SeriesFigures series, Func<SeriesBin, double> value, bool largest)
    {
        int last = series.Bins.Max(b => b.At) + 1;
        int columns = Math.Min(StripColumns, last);
        double[] sums = new double[columns];
        int[] counts = new int[columns];
        foreach (SeriesBin bin in series.Bins)
        {
            int column = (int)((long)bin.At * columns / last);
            sums[column] = largest ? Math.Max(sums[column], value(bin)) : sums[column] + value(bin);
            counts[column]++;
        }

        return new TimeStripBlock(
            label, [.. sums.Select(
                (sum, i) => new StripInterval((double)i * last / columns * series.BinMs, counts[i] == 0 ? null : largest ? sum : sum / counts[i]))]);
    }
}
