using LatencyTuner.Core.Analysis.Sweeps;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Sweep;

/// <summary>The charts of a sweep.</summary>
internal static class SweepCharts
{
    /// <summary>Latency against the swept value; null without two points.</summary>
    internal static PlotChart? Curve(SweepReport report)
    {
        string dimension = SweepValues.Main(report);
        (SweepPoint Point, double X)[] points =
        [
            .. report.Points.Select(p => (Point: p, X: SweepValues.Number(report, p))).Where(p => p.X is > 0 && p.Point.N > 0)
                .Select(p => (p.Point, p.X!.Value)).OrderBy(p => p.Value),
        ];
        if (points.Length < 2 || points[^1].X <= points[0].X)
        {
            return null;
        }

        ChartKey median = new("median", 1, KeyShape.Line);
        ChartKey tail = new("99th percentile", 4, KeyShape.DashedLine);
        ChartKey interval = new("95 % interval", 1, KeyShape.Whisker);
        ChartKey missed = new("rate not reached", 2, KeyShape.OpenDot);
        ChartKey system = new("chosen by the system", 3, KeyShape.DashedLine);
        ChartKey knee = new("knee", 5, KeyShape.DashedLine);
        ChartKey worse = new("degrades", 2, KeyShape.Area);
        List<double> values = [];
        List<ChartMark> marks = [];
        List<ChartMark> front = [];
        (double first, double last) = (points[0].X, points[^1].X);
        double unit = dimension is "window" or "receive-buffer" or "send-buffer" ? 1024 : 1;
        foreach (SweepOnset onset in report.GoesBad.Where(o => o.Dimension == dimension))
        {
            marks.Add(new SpanMark(
                worse, first, onset.Value / unit, $"{onset.Ratio:0.0} times the best at {SweepValues.Of(dimension, onset.Value)} and below"));
        }

        if (report.Knee is { } bend && bend.Dimension == dimension)
        {
            if (bend is { Low: { } low, High: { } high })
            {
                marks.Add(new SpanMark(knee with { Shape = KeyShape.Area }, low / unit, high / unit, "95 % interval of the knee"));
            }

            marks.Add(new RuleMark(knee, bend.Value / unit, Vertical: true, $"knee at {SweepValues.Of(dimension, bend.Value)}"));
        }

        foreach (SweepPoint chosen in report.Points.Where(p => SweepValues.Number(report, p) is null && p.P50Us is not null))
        {
            marks.Add(new RuleMark(system, chosen.P50Us!.Value, Vertical: false, $"{SweepValues.Of(report, chosen)}: median {Format.Us(chosen.P50Us)}"));
            values.Add(chosen.P50Us.Value);
        }

        foreach ((ChartKey key, string name, string words, Func<SweepPoint, double?> figure) in new (ChartKey, string, string, Func<SweepPoint, double?>)[]
        {
            (tail, "p99Us", "99th percentile", p => p.P99Us), (median, "p50Us", "median", p => p.P50Us),
        })
        {
            List<ChartPoint> line = [];
            foreach ((SweepPoint point, double x) in points)
            {
                IntervalFigures? bounds = point.Intervals.GetValueOrDefault(name);
                string at = $"{SweepValues.Of(report, point)}: {words} ";
                ChartKey dot = (point.RateHeld ? key : missed) with { Color = key.Color, Shape = point.RateHeld ? KeyShape.Dot : KeyShape.OpenDot };
                if (figure(point) is { } us)
                {
                    line.Add(new(x, us));
                    values.Add(us);
                    front.Add(new DotMark(
                        dot, x, us, $"{at}{Format.Us(us)} ({IntervalText.Alone(bounds)}, 95 %; n = {Format.Count(point.N)})"
                            + (point.RateHeld ? "" : $"; only {Format.Rate(point.ThroughputPerSecond)} were reached")));
                    if (bounds is not null && (bounds.HighUs is not null || bounds.LowUs > 0))
                    {
                        front.Add(new WhiskerMark(interval with { Color = key.Color }, x, bounds.LowUs, bounds.HighUs, null));
                        values.AddRange([bounds.LowUs, bounds.HighUs ?? us]);
                    }
                }
                else if ((bounds?.AtLeastUs ?? point.MaxUs) is { } least)
                {
                    values.Add(least);
                    front.Add(new DotMark(key with { Shape = KeyShape.Dot }, x, least, $"{at}at least {Format.Us(least)}: too few samples", More: 1));
                }
            }

            if (line.Count > 1)
            {
                marks.Add(new LineMark(key, line));
            }
        }

        bool open = front.OfType<DotMark>().Any(d => d.More > 0);
        bool held = points.All(p => p.Point.RateHeld);
        ChartScale xs = ChartScale.Of(points.Select(p => p.X), fromZero: false) is { Kind: ScaleKind.Log } ? ChartScale.Log(first, last)
            : ChartScale.Linear(first, last);
        return new PlotChart
        {
            Name = "sweep",
            Caption = Caption(report, dimension) + (open ? " Open triangles: at least this much, too few samples." : "")
                + (held ? "" : " Open circles: the planned rate was not reached."),
            Alternative = $"Latency against {dimension}. {SweepPage.Range(report)}",
            X = new(SweepValues.Axis(report), xs, Format.Compact),
            Y = new(report.Load?.OneWay == true ? "time in the send calls of a request" : "time of a request", ChartScale.Of(values), ChartText.Us),
            Keys = [.. new[] { median, tail, interval, missed, system, knee, worse }.Where(k => k == median || k == tail || IsUsed(k, marks, front))],
            Marks = [.. marks, .. front],
        };
    }

    /// <summary>Window x connections: the mean, the time in send calls, and what limited the sender.</summary>
    internal static HeatChart? Heat(SweepReport report)
    {
        int[] across = [.. report.Points.Select(p => p.Connections ?? 0).Distinct().Order()];
        string[] down = [.. report.Points.Select(p => SweepValues.Of(report, p)).Distinct()];
        if (across.Length == 0 || down.Length == 0)
        {
            return null;
        }

        HeatPanel? Panel(string title, Func<SweepPoint, double?> value, Func<double?, string> text, bool share)
        {
            double[] values = [.. report.Points.Select(value).OfType<double>()];
            return values.Length == 0 ? null : new HeatPanel(
                title,
                share ? ChartScale.Exact(0, 1) : ChartScale.Of(values),
                [
                    .. down.SelectMany(d => across.Select(n => report.Points.FirstOrDefault(p => p.Connections == n && SweepValues.Of(report, p) == d)))
                        .Select(p => p is null ? null
                            : p.N == 0 ? new HeatCell(null, "failed", $"{Place(report, p)}: {p.FailedBecause ?? "nothing was measured"}")
                            : new HeatCell(value(p), text(value(p)), $"{Place(report, p)}: {text(value(p))}; n = {Format.Count(p.N)}")),
                ]);
        }

        HeatPanel[] panels =
        [
            .. new[]
            {
                Panel(report.Load?.OneWay == true ? "Mean time in the send calls of a request" : "Mean time of a request", p => p.MeanUs, Format.Us, false),
                Panel("Share of the time in send calls", p => p.SendWaitShare ?? p.SendBlockedShare, Format.Share, true),
                Panel("Share of the time limited by the receive window", p => p.RwndLimitedShare, Format.Share, true),
                Panel("Share of the time limited by the congestion window", p => p.CwndLimitedShare, Format.Share, true),
            }.OfType<HeatPanel>(),
        ];
        return panels.Length == 0 ? null : new HeatChart
        {
            Name = "heat",
            Caption = "The stronger the shade, the slower, or the longer the wait; look where a row or a column changes.",
            Alternative = $"Shaded tables of {SweepValues.Header(report)} against connections. {SweepPage.Range(report)}",
            RowLabel = SweepValues.Header(report),
            ColumnLabel = "connections",
            Rows = down,
            Columns = [.. across.Select(n => Format.Plain(n))],
            Panels = panels,
        };
    }

    private static bool IsUsed(ChartKey key, List<ChartMark> marks, List<ChartMark> front) =>
        marks.Concat(front).Any(m => m.Key?.Name == key.Name);

    private static string Place(SweepReport report, SweepPoint point) =>
        $"{SweepValues.Of(report, point)} x {Counted.Of(point.Connections ?? 0, "connection")}";

    private static string Caption(SweepReport report, string dimension) =>
        report.Knee is { } knee && knee.Dimension == dimension ? $"The latency bends at {SweepValues.Of(dimension, knee.Value)}."
        : report.GoesBad.FirstOrDefault(o => o.Dimension == dimension) is { } onset
            ? $"The latency degrades at {SweepValues.Of(dimension, onset.Value)} and below (shaded)."
        : $"How the time of a request changes with the {dimension.Replace('-', ' ')}.";
}
