using System.Globalization;
using LatencyTuner.Core.Analysis.Loads;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.UnderLoad;

/// <summary>The page of a measurement under load: the grade, idle beside loaded latency, the load and what limited it.</summary>
internal static class UnderLoadPage
{
    private static readonly (string Label, string Name, Func<LatencyFigures, double?> Value, Func<AddedFigures, double?>? Added)[] Rows =
    [
        ("min", "minUs", f => f.MinUs, null),
        ("median", "p50Us", f => f.P50Us, a => a.P50Us),
        ("mean", "meanUs", f => f.MeanUs, a => a.MeanUs),
        ("90th", "p90Us", f => f.P90Us, a => a.P90Us),
        ("99th", "p99Us", f => f.P99Us, null),
        ("99.9th", "p99_9Us", f => f.P999Us, null),
        ("max", "maxUs", f => f.MaxUs, null),
    ];

    internal static Page Of(UnderLoadReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        List<PageSection> sections = new() { new(null, new FactsBlock([.. Facts(report)])) };
        if (report.Idle.Count + report.Loaded.Count > 0)
        {
            sections.Add(new("Latency", Latency(report)));
        }

        if (report.Load.Count > 0)
        {
            sections.Add(new("The load", Load(report)));
        }

        if (report.Phases.Count > 0)
        {
            sections.Add(new("Phases", Phases(report)));
        }

        sections.AddRange(FindingBlocks.Section("Findings", report.Findings));
        IReadOnlyList<string> notes = PageWords.Notes(report.Target, report.Notes);
        if (notes.Count > 0)
        {
            sections.Add(new("Notes", ListBlock.Of(notes)));
        }

        return new Page
        {
            Title = $"measure {PageWords.Of(report.Target)} --under-load {report.Direction}",
            Subtitle = PageWords.Made(report.StartedUtc),
            Verdict = report.Judgement,
            Sections = sections,
            Screen =
            [
                .. FindingBlocks.Screen("Findings", report.Findings, report.Judgement),
                .. PageSection.If(report.Idle.Count + report.Loaded.Count > 0, "Latency", () => LatencyOnScreen(report)),
                .. PageSection.If(report.Load.Count > 0, "The load", () => Load(report)),
                new(null, new FactsBlock([.. Facts(report)])),
                .. PageSection.Of("Notes", notes),
            ],
        };
    }

    private static string Rpm(double rpm) => Format.Count((long)Math.Round(rpm));

    private static IEnumerable<PageFact> Facts(UnderLoadReport report)
    {
        yield return new(
            "Requests",
            $"{PageWords.Workload(report.Options, false)}; {Format.Count(report.Idle.Count)} idle and {Format.Count(report.Loaded.Count)} loaded ones "
            + "answered");
        yield return new("Scale", report.Bufferbloat.Scale);
        if (report.Responsiveness is { LoadedRpm: { } rpm } trips)
        {
            yield return new(
                "Round trips",
                $"{Rpm(rpm)} a minute under load ({Rpm(trips.LoadedLowRpm ?? rpm)} to {Rpm(trips.LoadedHighRpm ?? rpm)}, 95 %), "
                + $"{(trips.IdleRpm is { } idle ? Rpm(idle) : Format.Unknown)} idle");
            yield return new("Method", trips.Method);
        }

        if (!report.Complete && report.EndedBecause is { } because)
        {
            yield return new("Ended early", because);
        }
    }

    private static TableBlock Latency(UnderLoadReport report) => new(
        [new(""), new("idle", true), new("95 % interval"), new("loaded", true), new("95 % interval"), new("added", true)],
        [
            .. Rows.Select(r => (IReadOnlyList<TableCell>)
            [
                new(r.Label),
                .. Cells(report.Idle, r.Name, r.Value),
                .. Cells(report.Loaded, r.Name, r.Value),
                new(r.Added?.Invoke(report.Added) is { } us ? Format.Difference(us) : ""),
            ]),
            [
                new("n"), new(Format.Count(report.Idle.Count)), new(Effective(report.Idle)), new(Format.Count(report.Loaded.Count)),
                new(Effective(report.Loaded)), new("")],
        ],
        "From the planned send time to the last byte of the reply. Idle and loaded phases alternate.");

    /// <summary>The rows that the verdict compares, without intervals.</summary>
    private static TableBlock LatencyOnScreen(UnderLoadReport report) => new(
        [new(""), new("idle", true), new("loaded", true), new("added", true)],
        [
            .. Rows.Where(r => r.Label is "median" or "90th" or "99th").Select(r => (IReadOnlyList<TableCell>)
            [
                new(r.Label), Cells(report.Idle, r.Name, r.Value).First(), Cells(report.Loaded, r.Name, r.Value).First(),
                new(r.Added?.Invoke(report.Added) is { } us ? Format.Difference(us) : ""),
            ]),
        ]);

    private static IEnumerable<TableCell> Cells(LatencyFigures figures, string name, Func<LatencyFigures, double?> value)
    {
        IntervalFigures? interval = figures.Intervals.GetValueOrDefault(name);
        yield return new(IntervalText.FigureOrBound(value(figures), interval));
        yield return new(interval is null && figures.Count > 0 && value(figures) is null ? "too few samples" : IntervalText.Alone(interval));
    }

    private static string Effective(LatencyFigures figures) =>
        figures.EffectiveCount is { } n && n < figures.Count ? $"effective {Format.Count((long)n)}" : "";

    private static TableBlock Load(UnderLoadReport report)
    {
        List<IReadOnlyList<TableCell>> rows = new();
        void Add(string label, Func<LoadFigures, string?> value)
        {
            if (report.Load.Any(l => value(l) is not null))
            {
                rows.Add([new(label), .. report.Load.Select(l => new TableCell(value(l) ?? Format.Unknown))]);
            }
        }

        Add("path full", l => l.Saturated switch { true => "yes", false => "no", null => "cannot tell" });
        Add("limited by", l => LimitedBy(l.LimitedBy));
        Add("throughput", l => $"{Format.Number(l.ThroughputBytesPerSecond * 8 / 1e6)} Mbit/s");
        Add("moved", l => $"{Format.Number(l.Bytes / 1e6)} MB in {Format.Ms(l.DurationMs)}");
        Add("connections", l => l.Connections.ToString(CultureInfo.InvariantCulture));
        Add("data outstanding", l => l.BusyShare is { } share ? $"{Format.Share(share)} of the time" : null);
        Add("limited by congestion window", l => l.CwndLimitedShare is { } share ? $"{Format.Share(share)} at most" : null);
        Add("limited by receive window", l => l.RwndLimitedShare is { } share ? Format.Share(share) : null);
        Add("limited by send buffer", l => l.SndbufLimitedShare is { } share ? Format.Share(share) : null);
        Add(
            "retransmitted",
            l => l.RetransmittedSegments is { } segments ? $"{Format.Count(segments)} segments" : l.RetransmittedBytes is { } bytes ? Format.Bytes(bytes)
                : null);
        Add("own round trip", l => l.RttUs is { } rtt ? $"{Format.Us(rtt)}, minimum {Format.Us(l.MinRttUs)}" : null);
        return new TableBlock(
            [new(""), .. report.Load.Select(l => new TableColumn(l.Direction == "up" ? "to the responder" : "from the responder", Right: true))],
            rows,
            report.Load.Select(l => l.Because).Distinct().Count() == 1 ? report.Load[0].Because
                : string.Join(" ", report.Load.Select(l => $"{(l.Direction == "up" ? "Up" : "Down")}: {l.Because}")));
    }

    private static TableBlock Phases(UnderLoadReport report)
    {
        string Busy(HostFigures? host) => host?.MachineBusyShare is { } share ? share.ToString("0 %", CultureInfo.InvariantCulture) : Format.Unknown;
        string Late(HostFigures? host) => host?.DelayP99Us is { } us ? Format.Us(us) : Format.Unknown;
        string Both(Func<HostFigures?, string> figure, UnderLoadPhase phase) =>
            phase.Server is null ? figure(phase.Client) : $"{figure(phase.Client)}, {figure(phase.Server)}";
        (TableColumn Column, Func<UnderLoadPhase, string> Text)[] columns =
        [
            (new("phase"), p => p.Kind),
            (new("length", Right: true, Optional: true), p => Format.Ms(p.DurationMs)),
            (new("n", Right: true, Optional: true), p => Format.Count(p.ResponseTime.Count)),
            (new("median", Right: true), p => Format.Us(p.ResponseTime.P50Us)),
            (new("90th", Right: true), p => Format.Us(p.ResponseTime.P90Us)),
            .. Speeds("Mbit/s up", p => p.UpBytesPerSecond, report),
            .. Speeds("Mbit/s down", p => p.DownBytesPerSecond, report),
            (new("busy", Right: true, Legend: "busy: processor use by all programs, of this machine and of the server (reported by the server)."),
                p => Both(Busy, p)),
            (new("late", Right: true, Optional: true, Legend: "late: scheduling delay of a thread that is ready to run, 99th percentile."),
                p => Both(Late, p)),
        ];
        return new TableBlock(
            [.. columns.Select(c => c.Column)], [.. report.Phases.Select(p => (IReadOnlyList<TableCell>)[.. columns.Select(c => new TableCell(c.Text(p)))])]);
    }

    private static IEnumerable<(TableColumn Column, Func<UnderLoadPhase, string> Text)> Speeds(
        string header, Func<UnderLoadPhase, double?> value, UnderLoadReport report)
    {
        if (report.Phases.Any(p => value(p) is not null))
        {
            yield return (new(header, Right: true), p => value(p) is { } speed ? Format.Number(speed * 8 / 1e6) : "");
        }
    }

    private static string LimitedBy(LoadLimit limit) => limit switch
    {
        LoadLimit.Path => "the path",
        LoadLimit.NoPath => "this machine",
        LoadLimit.ClientProcessors => "this end's processors",
        LoadLimit.ServerProcessors => "the server's processors",
        LoadLimit.ReceiveWindow => "the receive window",
        LoadLimit.SendBuffer => "the send buffer",
        LoadLimit.Time => "the time of the measurement",
        LoadLimit.Bytes => "--load-limit",
        LoadLimit.Failures => "broken connections",
        _ => "cannot tell",
    };
}
