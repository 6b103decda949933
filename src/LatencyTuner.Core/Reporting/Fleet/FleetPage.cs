using LatencyTuner.Core.Analysis.Fleets;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Fleet;

/// <summary>The page of a fleet: one row a host, those that need a look first, and what they have in common.</summary>
internal static class FleetPage
{
    private const int MostBars = 20;
    private const int MostPairs = 2000;
    private const int FewNames = 6;
    private const int ManyNames = 100;
    private const int HostsToFilter = 20;

    internal static Page Of(FleetReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        FleetAnchors anchors = new(report.Hosts);
        FleetPair[] outliers = [.. report.Pairs.Where(p => p.Outlier != FleetOutlier.None).OrderByDescending(p => Math.Abs(p.Z ?? 0))];
        return new Page
        {
            Title = $"report of {Counted.Of(report.Hosts.Count, "host")}",
            Subtitle = $"{Counted.Of(report.Files, "file")}, {Counted.Of(report.Hosts.Sum(h => h.Documents), "document")}",
            Verdict = report.Judgement,
            Sections =
            [
                .. NotRead(report.Unreadable),
                .. HostTables(report, anchors),
                .. Pairs(report, anchors),
                .. FleetMatrix.Of(report.Pairs, anchors),
                .. PageSection.If(outliers.Length > 0, "Outliers", () => Outliers(outliers, anchors)),
                .. Shared(report.Shared),
                .. PageSection.If(report.Findings.Count > 0, "Findings", () => Findings(report.Findings, ManyNames)),
                .. PageSection.If(report.Recommendations.Count > 0, "Who needs which recommendation", () => Advice(report.Recommendations, ManyNames)),
                .. PageSection.If(report.Drift.Count > 0, "Settings that differ", () => Drift(report.Drift, ManyNames)),
                .. PageSection.If(report.Processes.Count > 0, "Sockets by process", () => Processes(report.Processes)),
                .. PageSection.Of("Notes", report.Notes),
            ],
            Screen =
            [
                .. PageSection.If(report.Hosts.Count > 0, "Hosts", () => Hosts(report.Hosts, null)),
                .. NotRead(report.Unreadable),
                .. PageSection.If(outliers.Length > 0, "Outliers", () => Outliers(outliers, null)),
                .. Shared(report.Shared),
                .. PageSection.If(report.Recommendations.Count > 0, "Who needs which recommendation", () => Advice(report.Recommendations, FewNames)),
                .. PageSection.If(report.Drift.Any(d => d.InForce), "Settings that differ", () => Drift([.. report.Drift.Where(d => d.InForce)], FewNames)),
                .. PageSection.If(report.Processes.Count > 0, "Sockets by process", () => Processes(report.Processes)),
            ],
        };
    }

    private static IEnumerable<PageSection> NotRead(IReadOnlyList<FleetUnreadable> files) =>
        PageSection.If(files.Count > 0, "Not read", () => ListBlock.Of(files.Select(
            f => f.Because.Contains(f.File, StringComparison.Ordinal) ? f.Because : $"{f.File}: {f.Because}")));

    private static IEnumerable<PageSection> HostTables(FleetReport report, FleetAnchors anchors)
    {
        if (report.Hosts.Count == 0)
        {
            yield break;
        }

        FleetPair[] slowest = [.. report.Pairs.Where(p => p.P99Us is not null || p.AtLeastUs is not null).Take(MostBars)];
        yield return new("Hosts",
        [
            .. ChartBlock.Of(FigureRows.Of(
                slowest.Select(p => ($"{p.Client} to {p.Server}", Figures(p))),
                slowest.Length < report.Pairs.Count ? $"The slowest {slowest.Length} of {report.Pairs.Count:N0} pairs."
                    : "The usual and the slow requests of each pair.")),
        ]);
        yield return new(null, new TextOnlyBlock(Hosts(report.Hosts, null)), new PageOnlyBlock(Hosts(report.Hosts, anchors)));
        if (report.Hosts.Count > HostsToFilter)
        {
            yield return new("Hosts by name", new PageOnlyBlock(ByName(report.Hosts, anchors))) { IsFolded = true };
        }
    }

    private static LatencyFigures Figures(FleetPair pair)
    {
        Dictionary<string, IntervalFigures> intervals = [];
        if (pair.P99LowUs is { } low)
        {
            intervals["p99Us"] = new() { LowUs = low, HighUs = pair.P99HighUs };
        }
        else if (pair.AtLeastUs is { } least)
        {
            intervals["p99Us"] = new() { LowUs = least, AtLeastUs = least };
        }

        return new() { Count = pair.Count, P50Us = pair.P50Us, P99Us = pair.P99Us, Intervals = intervals };
    }

    /// <summary>One row a host, under the verdict that it has; a page has anchors to every verdict and every host.</summary>
    private static TableBlock Hosts(IReadOnlyList<FleetHost> hosts, FleetAnchors? anchors)
    {
        List<IReadOnlyList<TableCell>> rows = [];
        foreach (FleetHost h in hosts)
        {
            if (anchors is not null && (rows.Count == 0 || anchors.IsFirst(h)))
            {
                rows.Add([new($"{Word(h.Verdict)}: {hosts.Count(o => o.Verdict == h.Verdict):N0}") { Anchor = FleetAnchors.OfVerdict(h.Verdict) }]);
            }

            rows.Add(
            [
                new(h.Name) { Anchor = anchors?.Of(h.Name) },
                new(Word(h.Verdict), Tone: ToneOf(h.Verdict)),
                new(P99(h.P99Us, h.AtLeastUs), Tone: h.Outliers > 0 ? Tone.Bad : Tone.Neutral),
                new(h.Server ?? ""),
                new(string.Join(' ', h.Findings.Take(2)) + (h.Findings.Count > 2 ? $" +{h.Findings.Count - 2}" : "")),
                new(h.Drift == 0 ? "" : Format.Count(h.Drift)),
                new(h.Recommendations == 0 ? "" : Format.Count(h.Recommendations)),
                new(h.StartedUtc is { } at ? Format.Utc(new DateTimeOffset(at, TimeSpan.Zero)) : ""),
                .. anchors is null ? Array.Empty<TableCell>() : [new(h.Text)],
            ]);
        }

        return new TableBlock(
            [
                new("host"), new("verdict"), new("99th", true, Legend: "99th: the slowest pair of the host."), new("to"), new("findings"),
                new("drift", true, Optional: true, Legend: "drift: settings that are not as on most hosts."),
                new("to do", true, Optional: true, Legend: "to do: recommendations."), new("newest", Optional: true),
                .. anchors is null ? Array.Empty<TableColumn>() : [new("says")],
            ],
            rows);
    }

    private static TableBlock ByName(IReadOnlyList<FleetHost> hosts, FleetAnchors anchors) => new(
        [new("host"), new("verdict"), new("99th", true), new("documents"), new("system")],
        [
            .. hosts.OrderBy(h => h.Name, StringComparer.OrdinalIgnoreCase).Select(h => (IReadOnlyList<TableCell>)
            [
                new(h.Name) { Link = anchors.Of(h.Name) }, new(Word(h.Verdict), Tone: ToneOf(h.Verdict)), new(P99(h.P99Us, h.AtLeastUs)),
                new(string.Join(", ", h.Kinds)), new(h.Os ?? ""),
            ]),
        ]);

    private static IEnumerable<PageSection> Pairs(FleetReport report, FleetAnchors anchors)
    {
        if (report.Pairs.Count == 0)
        {
            yield break;
        }

        bool several = report.Pairs.Select(p => p.Workload).Distinct().Skip(1).Any();
        TableBlock table = new(
            [
                new("client"), new("server"), new("n", true), new("median", true), new("99th", true, "95 % interval"), new("z", true, Optional: true),
                new("verdict"),
                .. several ? new TableColumn[] { new("workload", Optional: true) } : [],
            ],
            [
                .. report.Pairs.Take(MostPairs).Select(p => (IReadOnlyList<TableCell>)
                [
                    new(p.Client) { Link = anchors.Of(p.Client) }, new(p.Server), new(Format.Count(p.Count)),
                    new(p.P50Us is null ? "" : Format.Us(p.P50Us)),
                    new(
                        P99(p.P99Us, p.AtLeastUs),
                        p is { P99Us: { } us, P99LowUs: { } low, P99HighUs: { } high } ? Format.RangeBelow(us, low, high) : null,
                        p.Outlier == FleetOutlier.Slower ? Tone.Bad : Tone.Neutral),
                    new(Z(p)), new(Word(p.Verdict), Tone: ToneOf(p.Verdict)), .. several ? new TableCell[] { new(p.Workload) } : [],
                ]),
            ],
            "z: robust distance of the 99th percentile from the pairs of the same workload; 3.5 or more is an outlier."
                + (several ? "" : $" Workload: {report.Pairs[0].Workload}.")
                + (report.Pairs.Count > MostPairs ? $" The slowest {MostPairs:N0} of {report.Pairs.Count:N0} pairs; --format json has all." : ""));
        yield return new("Pairs, the slowest first", table);
    }

    private static TableBlock Outliers(FleetPair[] outliers, FleetAnchors? anchors) => new(
        [new("client"), new("server"), new("99th", true), new("usual", true), new("z", true), new("")],
        [
            .. outliers.Select(p => (IReadOnlyList<TableCell>)
            [
                new(p.Client) { Link = anchors?.Of(p.Client) }, new(p.Server),
                new(P99(p.P99Us, p.AtLeastUs), Tone: p.Outlier == FleetOutlier.Slower ? Tone.Bad : Tone.Neutral),
                new(Format.Us(p.UsualUs)), new(Z(p)), new(Format.Kebab(p.Outlier)),
            ]),
        ],
        "usual: the median of the 99th percentiles of the same workload.");

    private static IEnumerable<PageSection> Shared(IReadOnlyList<FleetShared> shared) => PageSection.Of("Together",
        [
            .. shared.Select(s => s.PeriodS is { } period
                ? $"The {s.Metric} of {Format.Count(s.Members.Count)} series swings every {Format.Plain(Math.Round(period, 2))} s"
                    + (s.InStep switch { true => ", in step", false => ", not in step", _ => "; whether in step cannot be said" })
                    + $": {Names(s.Members, FewNames)}."
                : $"The {s.Metric} of {Format.Count(s.Members.Count)} series shifted at {Format.Utc(s.AtUtc!.Value)}: {Names(s.Members, FewNames)}."),
        ]);

    private static TableBlock Findings(IReadOnlyList<FleetFinding> findings, int most) => new(
        [new("finding"), new("severity"), new("hosts", true), new("which"), new("the worst", Optional: true)],
        [
            .. findings.Select(f => (IReadOnlyList<TableCell>)
            [
                new($"{f.Worst.Id} {FindingWords.Of(f.Worst.Cause)}"),
                new(
                    FindingWords.Of(f.Worst.Severity),
                    Tone: f.Worst.Severity switch { Severity.Error => Tone.Bad, Severity.Warning => Tone.Unsure, _ => Tone.Neutral }),
                new(Format.Count(f.Hosts.Count)), new(Names(f.Hosts, most)), new(f.Worst.For.Count > 0 ? f.Worst.For[0] : ""),
            ]),
        ]);

    private static TableBlock Advice(IReadOnlyList<FleetRecommendation> recommendations, int most) => new(
        [new("recommendation"), new("hosts", true), new("which"), new("effect", Optional: true), new("id", Optional: true)],
        [
            .. recommendations.Select(r => (IReadOnlyList<TableCell>)
                [new(r.Title), new(Format.Count(r.Hosts.Count)), new(Names(r.Hosts, most)), new(r.Effect), new(r.Id)]),
        ]);

    private static TableBlock Drift(IReadOnlyList<FleetDrift> drift, int most) => new(
        [new("setting"), new("most hosts"), new("others"), new("stored at", Optional: true)],
        [
            .. drift.Select(d => (IReadOnlyList<TableCell>)
            [
                new($"{(d.Id is null ? d.Path : d.Interface is null ? d.Id : $"{d.Id} of {d.Interface}")}{(d.InForce ? "" : " (only stored)")}"),
                new($"{d.Values[0].Value} ({d.Values[0].Count:N0})"),
                new(string.Join("; ", d.Values.Skip(1).Select(v => $"{v.Value} ({Names(v.Hosts, most)})"))), new(d.Id is null ? "" : d.Path),
            ]),
        ]);

    private static TableBlock Processes(IReadOnlyList<FleetProcess> processes) => new(
        [
            new("process"), new("hosts", true), new("connections", true), new("Nagle on", true), new("Nagle off", true),
            new("fixed buffers", true, Optional: true),
            new("retransmitted", true, Optional: true), new("longest round trip", true, Optional: true),
        ],
        [
            .. processes.Select(p => (IReadOnlyList<TableCell>)
            [
                new(p.Process ?? "(unknown)"), new(Format.Count(p.Hosts.Count)), new(Format.Count(p.Connections)),
                new(Format.Count(p.NagleConnections), Tone: p.NagleConnections > 0 ? Tone.Unsure : Tone.Neutral), new(Format.Count(p.NoDelayConnections)),
                new(Format.Count(p.FixedBufferConnections)), new(p.Retransmitted is { } n ? Format.Count(n) : ""),
                new(p.LongestRttUs is { } us ? Format.Us(us) : "", p.LongestRttHost),
            ]),
        ]);

    /// <summary>A 99th percentile, or what it is at least; empty when nothing is known.</summary>
    internal static string P99(double? us, double? atLeastUs) => us is { } known ? Format.Us(known) : atLeastUs is { } least ? ">= " + Format.Us(least) : "";

    private static string Z(FleetPair p) => p.Z is { } z ? Math.Round(z, 1).ToString("0.0", System.Globalization.CultureInfo.InvariantCulture) : "";

    internal static string Names(IReadOnlyList<string> names, int most) => names.Count <= most ? string.Join(", ", names)
        : $"{string.Join(", ", names.Take(most))} and {names.Count - most:N0} more";

    internal static string Word(VerdictKind verdict) => Format.Kebab(verdict).Replace('-', ' ');

    internal static Tone ToneOf(VerdictKind verdict) => verdict switch
    {
        VerdictKind.Fail or VerdictKind.Failed => Tone.Bad,
        VerdictKind.Stall or VerdictKind.CannotTell or VerdictKind.Drift => Tone.Unsure,
        VerdictKind.Pass or VerdictKind.NoStall => Tone.Good,
        _ => Tone.Neutral,
    };
}
