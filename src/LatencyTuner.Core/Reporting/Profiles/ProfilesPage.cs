using System.Globalization;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Profiles;

/// <summary>The page of the ETW profiles: a table of several, or one profile with everything that it enables.</summary>
internal static class ProfilesPage
{
    internal static Page Of(ProfilesReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        List<PageSection> sections = new();
        if (report.Profiles is [var one])
        {
            sections.Add(new("Providers", new ListBlock([.. one.Providers.Select(p => new ListItem(
                $"{p.Name} {{{p.Id}}}, keywords {p.Keywords}, level {p.Level}",
                p.EventIds.Count == 0 ? [] : [$"{Counted.Of(p.EventIds.Count, "event")}: {string.Join(", ", p.EventIds)}"]))])));
            sections.Add(new(null, new FactsBlock(
            [
                new(
                    "Estimate",
                    one.EventsPerRequest == 0 ? "almost no events for a request without problems"
                        : $"{Number(one.EventsPerRequest)} events per request, {Number(one.EventsPerSecond)}/s and {Number(one.BytesPerSecond / 1e6)} "
                            + $"MB/s at {Number(report.RatePerSecond)} requests/s"),
                new("Unfiltered", $"{Number(one.UnfilteredEventsPerSecond)} events/s (logman, netsh trace and pktmon cannot filter by event id)"),
            ])));
            sections.AddRange(one.Commands.Select(c => new PageSection($"With {c.Key}, elevated", ListBlock.Of(c.Value))));
        }
        else
        {
            sections.Add(new("Profiles", new TableBlock(
                [new("profile"), new("events/s", Right: true), new("MB/s", Right: true), new("without event id filter", Right: true)],
                [
                    .. report.Profiles.Select(p => (IReadOnlyList<TableCell>)
                    [
                        new(p.Name), new(p.EventsPerSecond == 0 ? "about 0" : Number(p.EventsPerSecond)), new(Number(p.BytesPerSecond / 1e6)),
                        new($"{Number(p.UnfilteredEventsPerSecond)}/s"),
                    ]),
                ],
                $"Estimated at {Number(report.RatePerSecond)} requests/s.")));
            sections.Add(new("What they show", ListBlock.Of(report.Profiles.Select(p => $"{p.Name}: {p.Description}"))));
        }

        sections.Add(new("Notes", ListBlock.Of(report.Notes)));
        return new Page
        {
            Title = "ETW profiles",
            Verdict = report.Judgement,
            Sections = sections,

            // The commands to capture a profile are what it is looked up for.
            Screen = report.Profiles is [_] ? [.. sections.Skip(2).SkipLast(1), .. sections.Take(2)] : sections,
        };
    }

    private static string Number(double value) => value.ToString(value is > 0 and < 10 ? "0.##" : "#,0", CultureInfo.InvariantCulture);
}
