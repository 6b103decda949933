using System.Globalization;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Protocols;

/// <summary>The page of several protocols side by side: one table.</summary>
internal static class ProtocolsPage
{
    private static readonly (string Label, string Name, Func<LatencyFigures, double?> Value, bool Optional)[] Columns =
    [
        ("min", "minUs", f => f.MinUs, false),
        ("10th", "p10Us", f => f.P10Us, true),
        ("median", "p50Us", f => f.P50Us, false),
        ("mean", "meanUs", f => f.MeanUs, true),
        ("90th", "p90Us", f => f.P90Us, false),
        ("99th", "p99Us", f => f.P99Us, false),
        ("99.9th", "p99_9Us", f => f.P999Us, true),
        ("max", "maxUs", f => f.MaxUs, false),
    ];

    internal static Page Of(ProtocolsReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        List<PageSection> sections = new();
        if (report.Targets.Any(t => t.Phases.Count > 0))
        {
            sections.Add(new("Latency from the start of each request, in ms", Table(report)));
        }

        if (report.Hedge is { } hedge)
        {
            sections.InsertRange(0, HedgeSection.Of(hedge));
        }

        List<string> failures = report.Targets
            .SelectMany(t => t.Failures.Select(f => $"{f.Count} of {Counted.Of(t.Sent, "request")} ({Kind(t)}): {f.Example}")).ToList();
        if (failures.Count > 0)
        {
            sections.Add(new("Failed", ListBlock.Of(failures)));
        }

        string[] notes = [.. report.Targets.Select(t => PageWords.Started(t.Target)).OfType<string>().Distinct(), .. report.Notes];
        if (notes.Length > 0)
        {
            sections.Add(new("Notes", ListBlock.Of(notes)));
        }

        return new Page
        {
            Title = $"measure {string.Join(", ", report.Targets.Select(t => t.Target.Name).Distinct())}",
            Subtitle = PageWords.Made(report.StartedUtc),
            Verdict = report.Judgement,
            Sections = sections,
            Screen =
            [
                .. report.Hedge is { } pair ? HedgeSection.OnScreen(pair) : [],
                .. PageSection.If(
                    report.Targets.Any(t => t.Phases.Count > 0), "Latency from the start of each request, in ms", () => Table(report).InOneLine()),
                .. PageSection.Of("Failed", failures),
                .. PageSection.Of("Notes", notes),
            ],
        };
    }

    /// <summary>Protocol and kind of connection, for example <c>http/1.1, new connections</c>.</summary>
    internal static string Kind(ProtocolTarget target) => target.Protocol + target.Connection switch
    {
        "kept" => ", kept connection",
        "new" => ", new connections",
        _ => "",
    };

    private static TableBlock Table(ProtocolsReport report)
    {
        List<IReadOnlyList<TableCell>> rows = new();
        foreach (ProtocolTarget target in report.Targets)
        {
            rows.Add([new($"{target.Target.Name} ({Kind(target)})" + (target.Phases.Count > 0 ? "" : target.Reconnected > 0 ? ": not kept" : ": no answer"))]);
            rows.AddRange(target.Phases.Select(p => (IReadOnlyList<TableCell>)
            [
                new("  " + p.Name),
                new(Format.Count(p.Latency.Count)),
                .. Columns.Select(
                    c => new TableCell(Value(p.Latency, c.Name, c.Value), c.Name == "p50Us" ? Interval(p.Latency.Intervals.GetValueOrDefault("p50Us")) : null)),
            ]));
        }

        string bound = report.Targets.SelectMany(t => t.Phases).Any(p => p.Latency.Intervals.Values.Any(i => i.AtLeastUs is not null))
            ? ">: too few samples for this percentile; the largest value seen. "
            : "";
        return new TableBlock(
            [new(""), new("n", Right: true), .. Columns.Select(c => new TableColumn(c.Label, Right: true, Optional: c.Optional))],
            rows,
            $"{bound}Below the median: its 95 % interval.");
    }

    private static string Value(LatencyFigures figures, string name, Func<LatencyFigures, double?> value) =>
        value(figures) is { } us ? Ms(us)
        : figures.Intervals.GetValueOrDefault(name)?.AtLeastUs is { } bound ? ">" + Ms(bound)
        : Format.Unknown;

    private static string? Interval(IntervalFigures? interval) =>
        interval is null || interval.AtLeastUs is not null ? null
        : interval.HighUs is { } high ? $"{Ms(interval.LowUs)}-{Ms(high)}"
        : interval.LowUs > 0 ? $"from {Ms(interval.LowUs)}" : "too few";

    /// <summary>Milliseconds with three significant digits: with one unit for all cells, protocols are easy to compare.</summary>
    private static string Ms(double us)
    {
        double ms = us / 1000;
        return ms.ToString(ms switch { < 0.1 => "0.0000", < 1 => "0.000", < 10 => "0.00", < 100 => "0.0", _ => "#,0" }, CultureInfo.InvariantCulture);
    }
}
