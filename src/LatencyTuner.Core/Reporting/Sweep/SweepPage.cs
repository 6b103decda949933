using LatencyTuner.Core.Analysis.Sweeps;
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
        List<PageSection> screen = [.. FindingBlocks.Screen("Findings", report.Findings, report.Judgement)];
        if (report.Points.Count > 0 && report.Dimensions.Count > 1)
        {
            sections.AddRange(SweepMatrices.Of(report));
            screen.AddRange(SweepMatrices.OnScreen(report));
        }
        else
        {
            List<CurvePoint> points = report.Points.Where(p => SweepValues.Number(report, p) is > 0)
                .Select(p => new CurvePoint(SweepValues.Number(report, p)!.Value, p.P50Us, p.P99Us)).ToList();
            if (points.Count > 1)
            {
                const int ScreenRows = 6;
                CurveBlock curve = new(SweepValues.Axis(report), points);
                sections.Add(new($"Latency against {dimension}, both logarithmic", curve));
                screen.Add(new($"Latency against {dimension}, both logarithmic", curve with { Rows = ScreenRows }));
            }

            if (report.Points.Count > 0)
            {
                sections.Add(new("Points", SweepTables.Points(report)));
                screen.Add(new("Points", SweepTables.OnScreen(report)));
            }

            if (SweepTables.Limits(report) is { } limits)
            {
                sections.Add(new("What limited the sender", limits));
            }
        }

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
            Screen = [.. screen, new(null, new FactsBlock([.. Facts(report)])), .. PageSection.Of("Notes", notes)],
        };
    }

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
            : $"Median {Format.Us(measured[0].P50Us)} at {Point(report, measured[0])}, {Format.Us(measured[^1].P50Us)} at {Point(report, measured[^1])}.";
    }

    private static string Point(SweepReport report, SweepPoint point) => report.Dimensions.Count > 1
        ? $"{SweepValues.Of(report, point)} x {point.Connections}"
        : SweepValues.Main(report) switch
        {
            "connections" => point.Connections == 1 ? "1 connection" : $"{point.Connections} connections",
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

        string connections = swept.Contains("connections") ? "" : report.Options.Requested.Connections == 1 ? ", 1 connection"
            : $", {report.Options.Requested.Connections} connections";
        if (report.Protocol == "http2")
        {
            string streams = load.OneConnection == true ? connections.Replace("connection", "stream", StringComparison.Ordinal) + ", all on one connection"
                : connections;
            string flushed = swept.Contains("batch") ? "flushed after the swept number of them" : load.MessagesPerWrite == 1 ? "each flushed"
                : $"flushed every {load.MessagesPerWrite}";
            return $"HTTP/2: a request asks for {(load.Messages == 1 ? "1 message" : $"{Format.Count(load.Messages)} messages")} of "
                + $"{Format.Bytes(load.MessageBytes)} in one response stream, {flushed}, made "
                + $"{(load.FetchedAhead == true ? "while earlier ones are sent" : "one after the other")}; closed loop{streams}";
        }

        return load.OneWay
            ? $"one way, {request}, as fast as possible{connections}"
            : $"a request is {request}, its reply {Format.Bytes(report.Options.Requested.ReplySizeBytes)}; closed loop{connections}";
    }

    internal static string Onset(SweepReport report, SweepOnset onset)
    {
        string best = onset.Best is { } b ? SweepValues.Of(onset.Dimension, b) : report.Protocol == "http2" ? "a dynamic one" : "the system's own";
        string value = SweepValues.Of(onset.Dimension, onset.Value);
        double? at = report.Points.Where(p => SweepValues.Of(report, p) == value).Select(p => SweepValues.Number(report, p)).FirstOrDefault();
        bool smaller = report.Points.Any(p => SweepValues.Number(report, p) < at);
        return $"{At(onset.Connections)}a {Name(report, onset.Dimension)} of {value} takes {Format.Number(onset.Ratio)} times as long as {best}, the "
            + $"best{(smaller ? "; every smaller one degrades too," : ",")} in every round";
    }

    private static string Knee(SweepReport report, SweepKnee knee)
    {
        string interval = knee is { Low: { } low, High: { } high } ? $", 95 % interval {Number(knee, low)} to {Number(knee, high)}" : "";
        return $"{Name(report, knee.Dimension)} "
            + $"{Number(knee, knee.Value)}{(knee.Connections is null ? "" : " " + At(knee.Connections).TrimEnd())}{interval}, found between "
            + $"{Number(knee, knee.From)} and {Number(knee, knee.To)}; another range may give another knee";
    }

    private static string At(int? connections) => connections switch { null => "", 1 => "at 1 connection ", { } n => $"at {n} connections " };

    private static string Name(SweepReport report, string dimension) =>
        dimension == "window" && report.Protocol == "http2" ? "stream window" : dimension.Replace('-', ' ');

    private static string Number(SweepKnee knee, double value) => knee.Dimension == "rate" ? SweepValues.Number(value) : SweepValues.Of(knee.Dimension, value);
}
