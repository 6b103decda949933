using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Settings.Audit;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Settings;

/// <summary>The documents of settings and snapshots.</summary>
internal static class SettingsPage
{
    internal static Page Of(SettingsReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        List<PageSection> sections = new();
        if (report.Explanation is { } explanation)
        {
            sections.AddRange(Explanation(explanation));
        }

        sections.AddRange(FindingBlocks.Section("Findings", report.Findings));
        if (report.Entries.Count > 0)
        {
            sections.Add(new("Values", Table(report)));
            sections.Add(new("Where each value is, and what is known of it", new PageOnlyBlock(Sources(report))) { IsFolded = true });
        }

        if (report.Notes.Count > 0)
        {
            sections.Add(new("Notes", ListBlock.Of(report.Notes)));
        }

        return new Page
        {
            Title = $"settings of {report.Source}",
            Subtitle = string.Join(
                ", ", new[] {
                    report.Machine, Os(report.Os), report.TakenUtc is { } taken ? Format.Utc(taken) : null }.OfType<string>()) is { Length: > 0 } sub ? sub
                    : null,
            Verdict = report.Judgement,
            Sections = sections,
            EverythingBy = report.Explanation is null ? "--all" : "--details",
            Screen =
            [
                .. report.Explanation is { } explained ? Explanation(explained, Here(report, explained)).Take(1) : [],
                .. PageSection.If(report.Explanation is null && report.Entries.Any(e => e.WorthALook), "Worth a look", () => WorthALook(report)),
                .. PageSection.If(
                    report.Findings.Count > 0, "Findings",
                    () => new ListBlock([.. report.Findings.WorstFirst().Select(f => new ListItem(
                        $"{f.Id} {(f.For is [{ } said, ..] ? said : FindingWords.Of(f.Cause))}", f.Recommendation is { } cure ? ["Do: " + cure] : []))])),
                .. PageSection.Of("Notes", report.Notes),
            ],
        };
    }

    internal static Page Of(HostSnapshot snapshot)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        int known = snapshot.Values.Count(v => v.Absent || v.Type is not null);
        List<PageSection> sections = new()
        {
            new(null, new FactsBlock(
            [
                new("Machine", snapshot.Machine ?? "unknown"),
                new("System", Os(snapshot.Os) ?? "unknown"),
                new("Virtual", snapshot.VirtualMachine switch { true => snapshot.Hypervisor ?? "yes", false => "no", _ => "unknown" }),
                new("Elevated", snapshot.Elevated switch { true => "yes", false => "no", _ => "unknown" }),
                new("Last boot", snapshot.BootUtc is { } boot ? Format.Utc(boot) : "unknown"),
                .. snapshot.Sockets is { } sockets ? [new PageFact("Sockets", $"{Format.Count(sockets.Count)} kept")] : Array.Empty<PageFact>(),
            ])),
        };
        if (snapshot.Interfaces.Count > 0)
        {
            sections.Add(new("Interfaces", Items(snapshot.Interfaces.Select(i => new ListItem(
                i.ToString(),
                [.. new[] {
                    i.Description, i.Addresses.Count == 0 ? null : string.Join(", ", i.Addresses),
                    i.DriverVersion is null ? null : $"driver {i.DriverProvider} {i.DriverVersion} {i.DriverDate}".TrimEnd(),
                    i.IsDisabled ? "disabled" : null, i.NotUsedBecause() }.OfType<string>()])))));
        }

        sections.Add(new("Settings that are present", ListBlock.Of(snapshot.Values.Where(v => v is { Absent: false, Type: not null })
            .Select(v => $"{v.Id}: {string.Join(".", new[] { v.Path, v.Template, v.Name }.OfType<string>())} = {string.Join(", ", v.Data)}"))));
        if (snapshot.TemplateUses.Count > 0)
        {
            sections.Add(new("Open connections by TCP template", ListBlock.Of(snapshot.TemplateUses.Select(u => $"{u.Template}: {u.Connections}"))));
        }

        if (snapshot.Components.Count > 0)
        {
            sections.Add(new("Components", ListBlock.Of(snapshot.Components.Select(c => $"{c.Kind}: {c.Name}" + (c.Detail is null ? "" : $", {c.Detail}")))));
        }

        if (snapshot.Notes.Count > 0)
        {
            sections.Add(new("Notes", ListBlock.Of(snapshot.Notes)));
        }

        return new Page
        {
            Title = "snapshot",
            Subtitle = snapshot.TakenUtc is { } taken ? Format.Utc(taken) : null,
            Verdict = new()
            {
                Word = "TAKEN",
                Text =
                    $"{Count(snapshot.Values.Count, "value")}, {snapshot.Values.Count(v => v.Absent)} of them absent, {snapshot.Values.Count - known} "
                    + "not read.",
                Result = VerdictKind.Done,
                Tone = Tone.Neutral,
            },
            Sections = sections,
            Screen = sections,
        };
    }

    /// <summary>What to do with a snapshot.</summary>
    internal static IReadOnlyList<NextStep> AfterSnapshot =>
    [
        new() { Again = true, KeepAs = "host.json", Note = "keeps it" },
        new() { Command = "settings list", Options = ["--snapshot", NextStep.ThisReport], KeepAs = "host.json", Note = "what is worth a look" },
    ];

    internal static Page Of(SnapshotComparisonReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        IReadOnlyList<PageSection> sections =
        [
            new(null, new FactsBlock([new("A, before", report.A), new("B, after", report.B)])),
            .. report.Changes.GroupBy(c => (c.Weight, c.What)).Select(g => new PageSection(Heading(g.Key.Weight, g.Key.What), Table([.. g]))),
            .. PageSection.Of("Notes", report.Notes),
        ];
        return new Page
        {
            Title = "compare",
            Verdict = report.Judgement,
            Sections = sections,
            Screen = [.. sections.Skip(1), sections[0]],
        };
    }

    private static string Heading(SnapshotChangeWeight weight, string what) => weight switch
    {
        SnapshotChangeWeight.Review => "Settings to review",
        SnapshotChangeWeight.InForce => "Settings in force",
        SnapshotChangeWeight.StoredOnly => "Stored differently, the same in force",
        SnapshotChangeWeight.NotRead => "Only one of the two has it",
        SnapshotChangeWeight.Identity => $"Differs between any two hosts or starts ({what})",
        _ => Format.Sentence(what),
    };

    private static TableBlock Table(IReadOnlyList<SnapshotChange> changes) => new(
        [new(changes[0].Id is null ? "what" : "setting", SubHeader: changes.Any(c => c.Interface is not null) ? "adapter" : null), new("A"), new("B")],
        [
            .. changes.Select(c => (IReadOnlyList<TableCell>)
                [new(c.Id is null ? c.Path : Named(c), c.Interface), new(Stored(c.Before)), new(Stored(c.After))]),
        ]);

    /// <summary>The id, with what tells the values of one setting apart.</summary>
    private static string Named(SnapshotChange c) => c.Path.Split('.') is [.., var template, _] && c.Path.StartsWith("MSFT_", StringComparison.Ordinal)
        ? $"{c.Id} of {template}" : c.Id!;

    /// <summary>Nearly every value is a REG_DWORD; only another type needs its name.</summary>
    private static string Stored(string value) => value.Replace("REG_DWORD ", "", StringComparison.Ordinal);

    private static ListBlock Items(IEnumerable<ListItem> items) => new([.. items]);

    /// <summary>What the host has, in one line.</summary>
    private static string Here(SettingsReport report, SettingExplanation e) =>
        report.Entries.Count > 0
            ? string.Join("; ", report.Entries.GroupBy(v => (Value: Value(v), v.State)).OrderByDescending(g => g.First().NeedsReview).Select(g =>
                $"{g.Key.Value}{(Owner([.. g]) is { } owner ? $" ({owner})" : "")}{(g.First().NeedsReview ? $": {StateWord(g.Key.State)}" : "")}"))
        : e.IsOfTheApplication ? "it belongs to the application: the host has no value to read"
        : "not read; run this on the host, or give --snapshot FILE";

    private static string StateWord(AuditState state) => System.Text.Json.JsonNamingPolicy.KebabCaseLower.ConvertName(state.ToString()).Replace('-', ' ');

    private static IEnumerable<PageSection> Explanation(SettingExplanation e, string? here = null)
    {
        List<PageFact> facts =
        [
            .. here is null ? Array.Empty<PageFact>() : [new("Value", here)], new("What", e.What), new("Effect", e.Effect), new("Cost", e.Cost),
            new("Scope", e.Scope), new("Where", e.Where), new("Valid values", e.Range),
        ];
        if (e.AbsentMeans is { } absent)
        {
            facts.Add(new("Absent means", absent));
        }

        IEnumerable<PageFact> defaults = e.Defaults.Values.Distinct().Count() == 1 ? [new PageFact("Default", e.Defaults.Values.First())]
            : e.Defaults.Select(d => new PageFact($"Default {d.Key}", d.Value));
        facts.AddRange(defaults);
        facts.AddRange(e.Recommended.Select(r => new PageFact(Format.Sentence(r.Key), r.Value)));
        facts.AddRange([new("Takes effect", e.TakesEffectText), new("This program", e.Action.Replace('-', ' ')), new("Status", e.Status)]);
        yield return new(null, new FactsBlock(facts));
        yield return new("By hand", new FactsBlock([new("Read", e.Read), new("Set", e.Set), new("Undo", e.Undo)]));
        if (e.Advice.Length + e.Notes.Length > 0)
        {
            yield return new("Advice", ListBlock.Of(new[] { e.Advice, e.Notes }.Where(t => t.Length > 0)));
        }

        yield return new($"Sources (confidence {e.Confidence})", ListBlock.Of(e.Sources));
    }

    private static TableBlock Table(SettingsReport report) => new(
        [
            new("setting", SubHeader: "applies to"), new("value"), new("suits", Optional: true), new("state"), new("takes effect", Optional: true),
            new("default", Optional: true)],
        [
            .. report.Entries.GroupBy(e => (e.Id, e.Scope, Value: Value(e), e.State, e.Recommended)).Select(g => (IReadOnlyList<TableCell>)
            [
                new(g.Key.Id, Owner([.. g])),
                new(Short(g.Key.Value)),
                new(Short(g.Key.Recommended ?? "")),
                new(
                    StateWord(g.Key.State),
                    Tone: g.First().NeedsReview ? Tone.Bad : g.Key.State == AuditState.Unknown ? Tone.Unsure : Tone.Neutral),
                new(g.First().TakesEffect.Replace('-', ' ')),
                new(g.First().Default),
            ]),
        ],
        "suits: the value that suits the profile, where the facts support one. default: the default of this Windows version, for explanation.");

    private static TableBlock Sources(SettingsReport report) => new(
        [new("setting"), new("where"), new("in force"), new("takes effect"), new("why"), new("source"), new("confidence")],
        [
            .. report.Entries.Select(e => (IReadOnlyList<TableCell>)
            [
                new(e.Id), new(e.Path), new(e.Effective ?? "unknown"), new(e.TakesEffect.Replace('-', ' ')), new(e.Because ?? ""), new(e.Source),
                new(e.Confidence),
            ]),
        ],
        "in force: the value that the system uses now. source: where the facts come from. A change that latencytuner makes is undone with "
            + "latencytuner rollback.");

    /// <summary>The values that someone set, what to review first; the others are counted.</summary>
    private static TableBlock WorthALook(SettingsReport report)
    {
        TableBlock table = Table(report with { Entries = [.. report.Entries.Where(e => e.WorthALook).OrderByDescending(e => e.NeedsReview)] });
        return table with { NotListed = Table(report).Rows.Count - table.Rows.Count };
    }

    /// <summary>The interfaces, adapters or templates that the values of a row belong to; null for a single value of the machine.</summary>
    private static string? Owner(List<AuditedSetting> group)
    {
        List<string> owners = group.Select(e => e.Template ?? e.InterfaceAlias ?? e.Interface).OfType<string>().Distinct().ToList();
        string noun = group[0].Template is not null ? "templates" : group[0].Scope == "adapter" ? "adapters" : "interfaces";
        return owners.Count switch
        {
            0 when group.Count == 1 => null,
            0 => $"{group.Count} values",
            <= 2 => string.Join(", ", owners),
            _ => $"{owners.Count} {noun}",
        };
    }

    /// <summary>Long GUIDs and lists would make the table too wide; JSON and CSV have the full values.</summary>
    private static string Short(string value) => value.Length > 20 ? value[..17] + "..." : value;

    private static string Value(AuditedSetting entry) => entry.Absent ? "absent" : entry.Value ?? "?";

    private static string Count(int count, string noun) => $"{count} {noun}{(count == 1 ? "" : "s")}";

    private static string? Os(HostOs os) => os.Product is null && os.Build is null ? null
        : $"{os.Product ?? "Windows"}{(os.Build is { } build ? $" ({build}{(os.Revision is { } revision ? $".{revision}" : "")})" : "")}";
}
