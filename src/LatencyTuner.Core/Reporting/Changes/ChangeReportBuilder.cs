using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Core.Reporting.Changes;

/// <summary>Builds <c>change</c> documents.</summary>
public static class ChangeReportBuilder
{
    /// <summary>The document of a result.</summary>
    /// <param name="result">What apply, verify, rollback or history gave.</param>
    /// <param name="machine">The machine.</param>
    /// <param name="startedUtc">When it was made.</param>
    public static ChangeReport From(TuningResult result, MachineIdentity machine, DateTimeOffset startedUtc)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(machine);
        return new ChangeReport
        {
            Operation = result.Operation,
            Machine = machine.Name,
            StartedUtc = startedUtc,
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

    /// <summary>The document with its verdict.</summary>
    internal static ChangeReport Judge(ChangeReport report) => report with { Judgement = TuningVerdict.From(report.Operation, report.Outcome, report.Text) };

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
            sentences.Add("Windows, before all of it is in force.");
        }

        foreach (string? name in needs.Where(n => n.Need == RestartNeed.Adapter).Select(n => n.Interface).Distinct())
        {
            sentences.Add($"The adapter {name ?? "concerned"} (disable and enable; connections on it break) or Windows.");
        }

        if (needs.Exists(n => n.Need == RestartNeed.NewConnections))
        {
            sentences.Add("The applications whose connections are to have it: connections that exist keep what they have.");
        }

        return sentences;
    }
}
