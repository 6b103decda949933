using LatencyTuner.Core.Analysis.Sweeps;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Sweep;

/// <summary>The page of a sweep.</summary>
internal static class SweepPage
{
    internal static Page Of(SweepReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        string dimension = SweepValues.Main(report);
        List<PageSection> sections = new();
        List<PageSection> screen = [];
        if (report.Points.Count > 0 && report.Dimensions.Count > 1)
        {
            sections.AddRange(PageSection.If(SweepCharts.Heat(report) is not null, null, () => new ChartBlock(SweepCharts.Heat(report)!)));
            sections.AddRange(SweepMatrices.Of(report).Select(s => s with { IsFolded = true }));
            screen.AddRange(SweepMatrices.OnScreen(report));
        }
        else
        {
            List<CurvePoint> points =
            [
                .. report.Points.Where(p => p.N > 0 && SweepValues.Number(report, p) is null or > 0).Select(p => CurvePointOf(report, p)),
            ];
            if (points.Count > 1)
            {
                const int ScreenRows = 6;
                CurveBlock curve = new(SweepValues.Axis(report), points);
                string heading = $"Latency against {dimension.Replace('-', ' ')}, both axes logarithmic";
                sections.Add(new(
                    heading, SweepCharts.Curve(report) is { } chart ? new ChartBlock(chart, curve, $"Latency against {dimension}") : new TextOnlyBlock(curve)));
                screen.Add(new(heading, curve with { Rows = ScreenRows }));
            }

            if (report.Points.Count > 0)
            {
                sections.Add(new("Points", SweepTables.Points(report)) { IsFolded = true });
                screen.Add(new("Points", SweepTables.OnScreen(report)));
            }

            if (SweepTables.Limits(report) is { } limits)
            {
                sections.Add(new("What limited the sender", limits) { IsFolded = true });
            }
        }

        // What the verdict speaks of comes first.
        screen.InsertRange(
            report.Judgement.Result == VerdictKind.Stall ? 0 : screen.Count, FindingBlocks.Screen("Findings", report.Findings, report.Judgement));
        sections.AddRange(FindingBlocks.Section("Findings", report.Findings));
        sections.Add(new("What was swept", new FactsBlock([.. Facts(report)])));
        IReadOnlyList<string> notes = PageWords.Notes(report.Target, report.Notes);
        if (notes.Count > 0)
        {
            sections.Add(new("Notes", ListBlock.Of(notes)));
        }

        return new Page
        {
            Title = $"sweep {string.Join(" x ", report.Dimensions)} {PageWords.Of(report.Target)}",
            Subtitle = PageWords.Made(report.StartedUtc),
            Verdict = report.Judgement,
            Sections = sections,
            Screen =
            [
                .. screen,
                new(null, new FactsBlock([.. Facts(report).Where(f => f.Name != "Degrades" || report.GoesBad.Count > 1)])),
                .. PageSection.Of("Notes", notes),
            ],
        };
    }

    private static CurvePoint CurvePointOf(SweepReport report, SweepPoint point) => new(SweepValues.Number(report, point), point.P50Us, point.P99Us)
    {
        AtLeastUs = point.P99Us is not null ? null : point.Intervals.GetValueOrDefault("p99Us")?.AtLeastUs ?? point.MaxUs,
        Label = SweepValues.Of(report, point),
    };

    private static IEnumerable<PageFact> Facts(SweepReport report)
    {
        if (!report.Complete)
        {
            yield return new("Ended early", report.EndedBecause ?? "not every point was measured");
        }

        foreach (SweepKnee knee in report.Knees.Count > 0 ? report.Knees : report.Knee is { } only ? [only] : [])
        {
            yield return new("Knee", Knee(report, knee));
        }

        foreach (SweepOnset onset in report.GoesBad)
        {
            yield return new("Degrades", Onset(report, onset));
        }

        yield return new("Workload", report.Load is { } load ? Workload(report, load) : $"{report.Pattern}: {PageWords.Workload(report.Options.Requested)}");
        foreach (PageFact fact in OptionFacts.Of(report.Options))
        {
            yield return fact;
        }
    }

    /// <summary>The medians of the first and the last point, a sentence; null when nothing was measured.</summary>
    internal static string? Range(SweepReport report)
    {
        SweepPoint[] measured = [.. report.Points.Where(p => p.P50Us is not null)];
        return measured.Length == 0 ? null
            : measured.Length == 1 ? $"Median {Format.Us(measured[0].P50Us)} at {Point(report, measured[0])}."
            : $"Median {Format.Us(measured[0].P50Us)} at {Point(report, measured[0])}, {Format.Us(measured[^1].P50Us)} at {Point(report, measured[^1])}.";
    }

    private static string Point(SweepReport report, SweepPoint point) => report.Dimensions.Count > 1
        ? $"{SweepValues.Of(report, point)} with {Counted.Of(point.Connections ?? 0, "connection")}"
        : SweepValues.Main(report) switch
        {
            "connections" => Counted.Of(point.Connections ?? 0, "connection"),
            "batch" => $"{point.MessagesPerWrite} per write",
            _ => SweepValues.Of(report, point),
        };

    private static string Workload(SweepReport report, SweepLoadFigures load)
    {
        IReadOnlyList<string> swept = report.Dimensions;
        string size = swept.Contains("size") ? "messages of the swept size" : $"messages of {Format.Bytes(load.MessageBytes)}";
        string request = load.Messages == 1 ? size.Replace("messages", "1 message", StringComparison.Ordinal) : $"{load.Messages} {size}";
        if (swept.Contains("batch"))
        {
            request += ", the swept number of them in each write";
        }
        else if (load.Messages > 1)
        {
            request += load.MessagesPerWrite == 1 ? ", each in a write of its own" : $", {load.MessagesPerWrite} in each write";
        }

        string connections = swept.Contains("connections") ? "" : $", {Counted.Of(report.Options.Requested.Connections, "connection")}";
        if (report.Protocol == "http2")
        {
            string streams = load.OneConnection == true ? connections.Replace("connection", "stream", StringComparison.Ordinal) + ", all on one connection"
                : connections;
            string flushed = swept.Contains("batch") ? "flushed after the swept number of them" : load.MessagesPerWrite == 1 ? "each flushed"
                : $"flushed every {load.MessagesPerWrite}";
            return $"HTTP/2: a request asks for {Counted.Of(load.Messages, "message")} of "
                + $"{Format.Bytes(load.MessageBytes)} in one response stream, {flushed}, made "
                + $"{(load.FetchedAhead == true ? "while earlier ones are sent" : "one after the other")}; closed loop{streams}";
        }

        return load.OneWay
            ? $"one way, {request}, as fast as possible{connections}"
            : $"a request is {request}, its reply {Format.Bytes(report.Options.Requested.ReplySizeBytes)}; closed loop{connections}";
    }

    internal static string Onset(SweepReport report, SweepOnset onset)
    {
        string value = SweepValues.Of(onset.Dimension, onset.Value);
        SweepPoint? bad = At(report, onset, value);
        SweepPoint? best = At(report, onset, onset.Best is { } b ? SweepValues.Of(onset.Dimension, b) : null);
        string than = onset.Best is { } size ? SweepValues.Of(onset.Dimension, size) : report.Protocol == "http2" ? "a dynamic one" : "the system's own";
        bool smaller = bad is not null && report.Points.Any(p => SweepValues.Number(report, p) < SweepValues.Number(report, bad));
        string rest = smaller ? "; every smaller one degrades too, in every round" : ", in every round";
        string name = $"{At(onset.Connections)}a {Name(report, onset.Dimension)} of {value}";
        return report.Load?.OneWay == true
            ? $"{name} carries {Format.BytesPerSecond(bad?.ThroughputBytesPerSecond)}; {than}, the best, carries "
                + $"{Format.BytesPerSecond(best?.ThroughputBytesPerSecond)}: {Format.Number(onset.Ratio)} times as much{rest}"
            : $"{name} has a median of {Format.Us(bad?.P50Us)}: {Format.Number(onset.Ratio)} times as long as {than}, the best "
                + $"({Format.Us(best?.P50Us)}){rest}";
    }

    /// <summary>The point of a value, or that of the system's own choice for null, at the number of connections of an onset.</summary>
    private static SweepPoint? At(SweepReport report, SweepOnset onset, string? value) => report.Points.FirstOrDefault(
        p => (value is null ? SweepValues.Number(report, p) is null : SweepValues.Of(report, p) == value)
            && (onset.Connections is not { } n || p.Connections == n));

    private static string Knee(SweepReport report, SweepKnee knee)
    {
        string interval = knee is { Low: { } low, High: { } high } ? low < high ? $", 95 % interval {Number(knee, low)} to {Number(knee, high)}"
            : ", the same in every round" : "";
        return $"{Name(report, knee.Dimension)} "
            + $"{Number(knee, knee.Value)}{(knee.Connections is null ? "" : " " + At(knee.Connections).TrimEnd())}{interval}, found between "
            + $"{Number(knee, knee.From)} and {Number(knee, knee.To)}; another range may give another knee";
    }

    private static string At(int? connections) => connections is { } n ? $"at {Counted.Of(n, "connection")} " : "";

    private static string Name(SweepReport report, string dimension) =>
        dimension == "window" && report.Protocol == "http2" ? "stream window" : dimension.Replace('-', ' ');

    private static string Number(SweepKnee knee, double value) => knee.Dimension == "rate" ? Format.Plain(value) : SweepValues.Of(knee.Dimension, value);
}
