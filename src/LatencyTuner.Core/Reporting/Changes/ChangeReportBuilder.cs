using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Core.Reporting.Changes;

/// <summary>Builds <c>change</c> documents.</summary>
public static class ChangeReportBuilder
{
    /// <summary>Builds the document of a result.</summary>
    /// <param name="result">The result of apply, verify, rollback or history.</param>
    /// <param name="machine">Name of the machine.</param>
    /// <param name="startedUtc">When the operation started.</param>
    public static ChangeReport From(TuningResult result, MachineIdentity machine, DateTimeOffset startedUtc)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(machine);
        return new ChangeReport
        {
            Operation = result.Operation,
            Complete = true,
            Machine = machine.Name,
            StartedUtc = startedUtc.UtcDateTime,
            Batch = result.Batch,
            WhatIf = result.Outcome == TuningOutcome.WhatIf,
            Outcome = result.Outcome,
            Text = result.Text,
            Changes = [.. result.Changes.Select(From)],
            Restart = Restarts(result),
            Journal = result.JournalPath == Journal.FileName ? null : result.JournalPath,
            Backup = result.BackupPath,
            Effect = result.Effect is { } effect ? new() { Verdict = effect.Verdict, Text = effect.Text } : null,
            PowerShell = result.PowerShell,
            Reg = result.Reg,
            Notes = result.Notes,
            Judgement = result.Verdict,
        };
    }

    /// <summary>Adds the verdict to a document.</summary>
    internal static ChangeReport Judge(ChangeReport report) =>
        report with { Judgement = TuningVerdict.From(report.Operation, report.Outcome, report.StatedText, batch: report.Batch) };

    private static ReportedChange From(ChangeOutcome outcome) => new()
    {
        Batch = outcome.Batch,
        SettingId = outcome.Change.SettingId,
        Scope = outcome.Change.Scope,
        Interface = outcome.Change.Interface,
        Template = outcome.Change.Template,
        Filter = outcome.Change.Filter,
        Store = PlannedChange.StoreName(outcome.Change.Location),
        Path = outcome.Change.Location.ToString()!,
        Before = StoredValue.From(outcome.Change.Before),
        After = StoredValue.From(outcome.Change.After),
        Actual = outcome.Actual is { } actual ? StoredValue.From(actual) : null,
        Status = outcome.Change.Status,
        Text = outcome.Text,
        Restart = outcome.Change.Restart,
        Pending = outcome.Pending,
        ChangedUtc = outcome.ChangedUtc,
        CreatedContainers = outcome.Change.CreatedContainers,
    };

    private static List<string> Restarts(TuningResult result)
    {
        if (result.Operation == "history" || result.Outcome is TuningOutcome.NoChange or TuningOutcome.Refused or TuningOutcome.RolledBack)
        {
            return [];
        }

        // Verify knows what still has to happen; apply and rollback know what every change needs.
        List<(RestartNeed Need, string? Interface)> needs = result.Changes
            .Where(c => result.Operation == "verify" ? c.Pending is not null : c.ChangedUtc is not null || c.Change.Status == ChangeStatus.Planned)
            .Select(c => (Need: c.Pending ?? c.Change.Restart, c.Change.Interface)).ToList();
        List<string> sentences = new();
        if (needs.Exists(n => n.Need == RestartNeed.Windows))
        {
            sentences.Add("Restart Windows: some changes take effect only then.");
        }

        foreach (string? name in needs.Where(n => n.Need == RestartNeed.Adapter).Select(n => n.Interface).Distinct())
        {
            sentences.Add($"Restart the adapter {name ?? "concerned"} (disable and enable it; its connections break) or Windows.");
        }

        if (needs.Exists(n => n.Need == RestartNeed.NewConnections))
        {
            sentences.Add("Restart the applications that need the new value: existing connections keep the old one.");
        }

        return sentences;
    }
}
