using LatencyTuner.Core.Analysis.Selftest;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Selftest;

/// <summary>The page of a selftest.</summary>
internal static class SelftestPage
{
    internal static Page Of(SelftestReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        List<SelftestProbe> failed = report.Probes.Where(p => p.Result == AssumptionState.DoesNotHold).ToList();
        List<SelftestProbe> unsettled = report.Probes.Where(p => p is { Result: AssumptionState.CannotTell, Run: not null }).ToList();
        List<PageSection> sections = new();
        if (failed.Count > 0)
        {
            sections.Add(new("Not as assumed", Items(failed.Select(p => new ListItem($"{p.Id}: {p.Assumption}", [p.Because, .. p.Evidence])))));
        }

        List<SelftestProbe> missed = report.Probes.Where(p => p is { Result: AssumptionState.CannotTell, Worse: true }).ToList();
        if (missed.Count > 0)
        {
            sections.Add(new(
                $"Expected to hold on build {report.Os.Build}, but not shown", Items(missed.Select(p => new ListItem(p.Id, [p.Because, .. p.Evidence])))));
        }

        List<SelftestStep> left = report.Steps.Where(s => s.ExitCode is null).ToList();
        if (left.Count > 0)
        {
            sections.Add(new($"Steps that were not run, of {report.Steps.Count}", Items(left.Select(s => new ListItem($"{s.Id}: {s.NotRun}")))));
        }

        sections.AddRange(report.Probes.GroupBy(p => p.Group).Select(g => new PageSection(g.Key, Table(g))));
        if (unsettled.Count > 0)
        {
            sections.Add(new("How to test the rest", Items(unsettled.Select(p => new ListItem(p.Id, p.Run!)))));
        }

        if (report.Steps.Count == 0)
        {
            sections.Add(SendBack());
        }

        return new Page
        {
            Title = "selftest",
            Subtitle = string.Join(
                ", ", new[] {
                    report.Os.Product, report.Os.Build is { } build ? $"build {build}" : null, report.Elevated == true ? "elevated" : "not elevated",
                    Format.Utc(report.StartedUtc) }.OfType<string>()),
            Verdict = report.Judgement,
            Sections = sections,
            Screen =
            [
                .. PageSection.Of("Not as assumed", [.. failed.Select(p => $"{p.Id}: {p.Assumption}")]),
                .. PageSection.Of($"Expected to hold on build {report.Os.Build}, but not shown", [.. missed.Select(p => $"{p.Id}: {p.Because}")]),
                .. PageSection.If(report.Probes.Count > 0, "Assumptions", () => Counts(report)),
                .. report.Steps.Count == 0 ? [SendBack()] : Array.Empty<PageSection>(),
                .. PageSection.Of($"Steps that were not run, of {report.Steps.Count}", [.. left.Select(s => $"{s.Id}: {s.NotRun}")]),
            ],
        };
    }

    private static PageSection SendBack() => new("Send the result back", new ParagraphBlock(
        "latencytuner selftest --format json --output selftest.json writes the whole result to a file. The file has the Windows version, but no name, "
        + "addresses or paths of this machine."));

    /// <summary>A row for each group of assumptions, those that do not hold first.</summary>
    private static TableBlock Counts(SelftestReport report) => new(
        [new("about"), new("does not hold", true), new("cannot tell", true), new("holds", true)],
        [
            .. report.Probes.GroupBy(p => p.Group).OrderByDescending(g => g.Count(p => p.Result == AssumptionState.DoesNotHold))
                .Select(g => (IReadOnlyList<TableCell>)
                [
                    new(g.Key),
                    Count(g, AssumptionState.DoesNotHold, Tone.Bad), Count(g, AssumptionState.CannotTell, Tone.Unsure),
                    Count(g, AssumptionState.Holds, Tone.Good),
                ]),
        ]);

    private static TableCell Count(IEnumerable<SelftestProbe> probes, AssumptionState state, Tone tone) =>
        probes.Count(p => p.Result == state) is var n && n == 0 ? new("") : new(Format.Count(n), Tone: tone);

    private static TableBlock Table(IEnumerable<SelftestProbe> probes) => new(
        [new("assumption"), new("result"), new("because", Optional: true)],
        [
            .. probes.Select(p => (IReadOnlyList<TableCell>)
            [
                new(p.Id),
                p.Result switch
                {
                    AssumptionState.Holds => new("holds", Tone: Tone.Good),
                    AssumptionState.DoesNotHold => new("does not hold", Tone: Tone.Bad),
                    _ => new("cannot tell", Tone: Tone.Unsure),
                },
                new(p.Evidence.Count == 1 && p.Evidence[0].Length <= 60 ? p.Evidence[0] : p.Because),
            ]),
        ]);

    private static ListBlock Items(IEnumerable<ListItem> items) => new([.. items]);
}
