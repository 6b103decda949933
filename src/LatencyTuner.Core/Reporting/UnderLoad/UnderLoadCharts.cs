using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.UnderLoad;

/// <summary>The charts of a measurement under load.</summary>
internal static class UnderLoadCharts
{
    /// <summary>Idle beside loaded latency; null when nothing was measured.</summary>
    internal static RowChart? IdleAndLoaded(UnderLoadReport report)
    {
        ChartKey idle = new("idle", 1, KeyShape.Bar);
        ChartKey loaded = new("under load", 2, KeyShape.Bar);
        List<ChartRow> rows = [];
        foreach ((string words, string name, Func<LatencyFigures, double?> value) in new (string, string, Func<LatencyFigures, double?>)[]
        {
            ("Median", "p50Us", f => f.P50Us), ("90th percentile", "p90Us", f => f.P90Us), ("99th percentile", "p99Us", f => f.P99Us),
        })
        {
            RowBar[] bars = [.. new[] { (idle, report.Idle), (loaded, report.Loaded) }.Select(p => Bar(p.Item1, p.Item2, name, value)).OfType<RowBar>()];
            if (bars.Length > 0)
            {
                rows.Add(new(words, bars));
            }
        }

        return rows.Count == 0 ? null : new RowChart
        {
            Name = "idle-loaded",
            Caption = report.Added.P90Us is { } added ? $"A full path adds {Format.Us(added)} to the 90th percentile."
                : "The time of a request on the idle path beside that on the loaded one.",
            Alternative = string.Join("; ", rows.Select(r => $"{r.Name}: {string.Join(", ", r.Bars.Select(b => $"{b.Key.Name} {b.Text}"))}")) + ".",
            X = new("time of a request", ChartScale.OfBars(rows.SelectMany(r => r.Bars).SelectMany(b => new[] { b.Value, b.High ?? b.Value })), ChartText.Us),
            Keys = [idle, loaded],
            Rows = rows,
        };
    }

    /// <summary>The phases in order of time with the load; null with fewer than two.</summary>
    internal static PlotChart? Phases(UnderLoadReport report)
    {
        UnderLoadPhase[] phases = [.. report.Phases.Where(p => p.ResponseTime.P50Us is > 0)];
        if (phases.Length < 2)
        {
            return null;
        }

        ChartKey load = new("load", 2, KeyShape.Area);
        ChartKey median = new("median", 1, KeyShape.Line);
        ChartKey band = new("10th to 90th percentile", 1, KeyShape.Area);
        ChartKey tail = new("largest", 4, KeyShape.Cross);
        List<ChartMark> marks = [];
        List<ChartMark> front = [];
        foreach (UnderLoadPhase phase in phases)
        {
            (double from, double to) = (phase.StartMs / 1e3, (phase.StartMs + phase.DurationMs) / 1e3);
            LatencyFigures times = phase.ResponseTime;
            string what = Throughput(phase);
            if (phase.Kind == "loaded")
            {
                marks.Add(new SpanMark(load, from, to, what.Length == 0 ? "loaded" : $"loaded: {what}"));
            }

            if (times is { P10Us: { } low, P90Us: { } high })
            {
                marks.Add(new BandMark(band, [new(from, low), new(to, low)], [new(from, high), new(to, high)], null));
            }

            string title = $"{phase.Kind}{(what.Length == 0 ? "" : $" ({what})")}: median {Format.Us(times.P50Us)}, 90th percentile {Format.Us(times.P90Us)}, "
                + $"largest {Format.Us(times.MaxUs)}, n = {Format.Count(times.Count)}";
            front.Add(new LineMark(median, [new(from, times.P50Us!.Value), new(to, times.P50Us.Value)], title));
            if (times.MaxUs is { } most)
            {
                front.Add(new DotMark(tail, (from + to) / 2, most, title));
            }
        }

        string[] rates = [.. report.Load.Select(Moved)];
        return new PlotChart
        {
            Name = "phases",
            Caption = "Idle and loaded phases in turn" + (rates.Length == 0 ? "." : $"; the load moved {string.Join(" and ", rates)} (shaded)."),
            Alternative = string.Join("; ", phases.Select(p => $"{p.Kind} from {Format.Ms(p.StartMs)}: median {Format.Us(p.ResponseTime.P50Us)}")) + ".",
            X = new("time since the first request", ChartScale.Time(0, phases.Max(p => p.StartMs + p.DurationMs) / 1e3, clock: false), ChartText.Seconds),
            Y = new("time of a request",
                ChartScale.Of(phases.SelectMany(p => new[] { p.ResponseTime.P10Us, p.ResponseTime.P50Us, p.ResponseTime.P90Us, p.ResponseTime.MaxUs })
                    .OfType<double>()), ChartText.Us),
            Keys = [median, band, tail, .. marks.Any(m => m.Key == load) ? new[] { load } : []],
            Marks = [.. marks, .. front],
        };
    }

    private static string Moved(LoadFigures load) =>
        $"{Format.Number(load.ThroughputBytesPerSecond * 8 / 1e6)} Mbit/s {(load.Direction == "up" ? "to" : "from")} the responder";

    private static string Throughput(UnderLoadPhase phase) => string.Join(", ", new[]
    {
        phase.UpBytesPerSecond is { } up ? $"{Format.Number(up * 8 / 1e6)} Mbit/s up" : null,
        phase.DownBytesPerSecond is { } down ? $"{Format.Number(down * 8 / 1e6)} Mbit/s down" : null,
    }.OfType<string>());

    private static RowBar? Bar(ChartKey key, LatencyFigures figures, string name, Func<LatencyFigures, double?> value)
    {
        IntervalFigures? interval = figures.Intervals.GetValueOrDefault(name);
        return value(figures) is { } us ? new(key, us, Format.Us(us), null, interval?.LowUs, interval?.HighUs)
            : interval?.AtLeastUs is { } least ? new(key, least, ">= " + Format.Us(least), Open: true) : null;
    }
}
