using System.Text.Json;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Core.Reporting.Changes;

/// <summary>The page of apply, verify, rollback and history.</summary>
internal static class ChangePage
{
    internal static Page Of(ChangeReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        List<PageSection> sections = new();
        if (report.Changes.Count > 0)
        {
            sections.Add(
                new(
                    report.Operation == "history" ? "What was changed, oldest first" : "Changes", Table(report),
                    ListBlock.Of(report.Changes.Select(c => c.Text))));
        }

        if (report.Effect is { } effect)
        {
            sections.Add(new(
                "Effect",
                [
                    new ParagraphBlock($"{Format.Sentence(effect.Verdict.Replace('-', ' '))}: {effect.Text}"),
                    .. ChartBlock.Of(ComparisonCharts.Curves(effect.Quantiles)), .. ChartBlock.Of(ComparisonCharts.Shift(effect.Quantiles)),
                ]));
        }

        if (report.Restart.Count > 0)
        {
            sections.Add(new("What you must restart", ListBlock.Of(report.Restart)));
        }

        if (report.Notes.Count > 0)
        {
            sections.Add(new("Notes", ListBlock.Of(report.Notes)));
        }

        if (report.PowerShell.Count > 0)
        {
            sections.Add(new("As PowerShell commands", new CodeBlock(report.PowerShell)));
        }

        if (report.Reg is { } reg)
        {
            sections.Add(new("As a .reg file", new CodeBlock([.. reg.Split('\n').Select(l => l.TrimEnd('\r')).Where(l => l.Length > 0)])));
        }

        List<PageFact> records = Records(report).ToList();
        if (records.Count > 0)
        {
            sections.Add(new("Records", new FactsBlock(records)));
        }

        return new Page
        {
            Title = $"{report.Operation} on {report.Machine}",
            Subtitle = PageWords.Made(report.StartedUtc),
            Verdict = report.Judgement,
            Sections = sections,
            Screen =
            [
                .. PageSection.If(
                    report.Changes.Count > 0, report.Operation == "history" ? "What was changed, newest first" : "Changes",
                    () => Table(report.Operation == "history" ? report with { Changes = [.. report.Changes.Reverse()] } : report)),
                .. PageSection.If(
                    report.Effect is not null, "Effect",
                    () => new ParagraphBlock($"{Format.Sentence(report.Effect!.Verdict.Replace('-', ' '))}: {report.Effect.Text}")),
                .. PageSection.Of("What you must restart", report.Restart),
                .. PageSection.If(records.Count > 0, "Records", () => new FactsBlock(records)),
                .. PageSection.Of("What each change is", [.. report.Changes.Select(c => c.Text)]),
                .. PageSection.Of("Notes", report.Notes),
            ],
        };
    }

    /// <summary>A value in a word or two.</summary>
    internal static string Value(StoredValue? value) => value switch
    {
        null => Format.Unknown,
        { Absent: true } => "absent",
        { Value: { ValueKind: JsonValueKind.Array } list } => "[" + string.Join(", ", list.EnumerateArray().Select(e => e.GetRawText())) + "]",
        { Value: { } element } => element.GetRawText(),
        _ => "not valid Unicode",
    };

    private static IEnumerable<PageFact> Records(ChangeReport report)
    {
        if (report.Batch is { } batch)
        {
            yield return new("batch", batch);
        }

        if (report.Journal is { } journal)
        {
            yield return new("journal", journal);
        }

        if (report.Backup is { } backup)
        {
            yield return new("backup", backup);
        }
    }

    private static TableBlock Table(ChangeReport report) => new(
        [.. BatchColumn(report), new("setting"), new("applies to"), new("before"), new("after"), new("now", Optional: true), new("status")],
        [
            .. report.Changes.Select(c => (IReadOnlyList<TableCell>)
            [
                .. BatchColumn(report).Select(_ => new TableCell(c.Batch ?? Format.Unknown)),
                new(c.SettingId),
                new(AliasOf(c.Interface) ?? c.Template ?? c.Scope),
                new(Short(c.Before)),
                new(Short(c.After)),
                new(Short(c.Actual)),
                new(StatusOf(c.Status), Tone: ToneOf(c.Status)),
            ]),
        ]);

    // The batch id, for rollback --batch. The other reports are about one batch, which is named below the table.
    private static IEnumerable<TableColumn> BatchColumn(ChangeReport report) => report.Operation == "history" ? [new("batch")] : [];

    // The GUID is in the sentences below the table.
    private static string? AliasOf(string? name) => name?.LastIndexOf(" {", StringComparison.Ordinal) is > 0 and var end ? name[..end] : name;

    private static string Short(StoredValue? value) => Value(value) is { Length: > 16 } text ? text[..13] + "..." : Value(value);

    private static string StatusOf(ChangeStatus status) => status == ChangeStatus.RolledBack ? "rolled back" : status.ToString().ToLowerInvariant();

    private static Tone ToneOf(ChangeStatus status) => status switch
    {
        ChangeStatus.Done => Tone.Good,
        ChangeStatus.Failed or ChangeStatus.Drifted => Tone.Bad,
        _ => Tone.Neutral,
    };
}
