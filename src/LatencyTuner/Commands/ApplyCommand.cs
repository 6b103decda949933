using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>apply</c>: shows a change, or makes it.</summary>
internal static class ApplyCommand
{
    private const string Elsewhere = ". To see what would change, give --snapshot FILE with a snapshot or a .reg export";

    public static Command Create(CliHost host)
    {
        ApplyOptions options = new();
        CommonOptions common = new();
        Command command = new(
            "apply",
            "Shows the values before and after a change of settings. --yes makes the change, with journal, backup and read-back. Restarts nothing.");
        options.AddTo(command);
        common.AddTo(command);
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            ApplyValues values = options.Values(parse);
            using ReportOutput output = new(host, common.Values(parse));
            return Run(host, values, output);
        }));
        return command;
    }

    private static ExitCode Run(CliHost host, ApplyValues values, ReportOutput output)
    {
        ChangePlan? agreed = values.Plan is { } planPath ? PlanFile.Read(SnapshotFiles.Bytes(host, planPath), planPath) : null;
        StoredMeasurement? measured = values.Measured is { } path ? StoredMeasurement.Read(SnapshotFiles.Bytes(host, path), path) : null;
        using OutputFile? planFile = values.SavePlan is { } savePath ? OutputFile.Open(savePath, "--save-plan") : null;
        using OutputFile? scriptFile = values.Script is { } scriptPath ? OutputFile.Open(scriptPath, "--script") : null;
        LiveTuning? live = values.Snapshot is null ? TuningRuns.Require(host, "Settings can be changed", Elsewhere) : null;
        HostSnapshot snapshot = live?.Snapshot() ?? SnapshotFiles.Read(host, values.Snapshot!);
        ChangeRules rules = CatalogueRules.Of(SettingsCatalogue.Current, snapshot.Interfaces, values.Force);
        TuningContext context = live?.Context(rules, host.Time) ?? TuningRuns.OfSnapshot(host, snapshot, values.Snapshot!, rules, agreed);
        BuiltPlan built = agreed is not null ? new(agreed, [])
            : PlanBuilding.From(Request(host, values, live, context.Machine), SettingsCatalogue.Current, snapshot, context.Store);
        ChangePlan plan = built.Plan;
        TuningResult result = new PlanExecutor(context).Apply(plan, whatIf: !values.Yes);
        IReadOnlyList<string> notes = result.Outcome is TuningOutcome.WhatIf or TuningOutcome.Done
            ? [.. built.Notes, .. PlanNotes.Of(plan, SettingsCatalogue.Current, snapshot)] : [];
        result = result with { Notes = [.. result.Notes, .. notes] };
        if (planFile is not null)
        {
            planFile.Writer.Write(PlanFile.Write(plan));
            planFile.Commit();
            result = result with
            {
                Notes = [
                    .. result.Notes,
                    $"The plan is in {values.SavePlan}. 'latencytuner apply --plan {values.SavePlan} --yes' makes these changes, on this machine only."],
            };
        }

        if (scriptFile is not null)
        {
            result = Script(host, scriptFile, values.Script!, plan, snapshot, result);
        }

        if (result.Outcome == TuningOutcome.Done && measured is not null)
        {
            result = Keep(context.Folder, measured, result);
        }

        return TuningRuns.Finish(host, output, live, context.Machine, result, plan.Ticket);
    }

    /// <summary>Writes the changes that would be made as a script; what is already as wanted needs none.</summary>
    private static TuningResult Script(CliHost host, OutputFile file, string path, ChangePlan plan, HostSnapshot snapshot, TuningResult result)
    {
        if (result.Outcome != TuningOutcome.WhatIf)
        {
            return result with { Text = $"{result.Text} No script was written." };
        }

        string[] about =
        [
            .. plan.Ticket is { } ticket ? [$"Ticket: {ticket}"] : Array.Empty<string>(),
            .. result.Changes.Select(c => c.Text),
        ];
        IReadOnlyList<Change> planned = [.. result.Changes.Where(c => c.Change.Status == ChangeStatus.Planned).Select(c => c.Change)];
        file.Writer.Write(PowerShellScript.Write(planned, snapshot.Machine, CliHost.Software, host.Time.GetUtcNow(), about));
        file.Commit();
        return result with
        {
            Text = $"{result.Text} The script {path} makes them too, and with -Undo puts back what was there.",
        };
    }

    private static PlanRequest Request(CliHost host, ApplyValues values, LiveTuning? live, MachineIdentity machine) =>
        TuningRuns.Request(host, live, machine) with
        {
            Settings = values.Settings,
            Interface = values.Interface,
            Template = values.Template,
            Filter = values.Filter,
            Force = values.Force,
            Ticket = values.Ticket,
            NotAfterUtc = values.NotAfterUtc,
        };

    /// <summary>Stores the measurement beside the journal, so that verify can repeat it without the admin's file.</summary>
    private static TuningResult Keep(IJournalFolder folder, StoredMeasurement measured, TuningResult result)
    {
        try
        {
            folder.Append(StoredMeasurement.NameOf(result.Batch!), measured.Bytes);
            return result with
            {
                Notes = [.. result.Notes, $"'latencytuner verify --batch {result.Batch}' repeats the measurement of {measured.Path} and compares the two."],
            };
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return result with
            {
                Notes = [
                    .. result.Notes,
                    $"The measurement could not be stored beside the journal: {e.Message.TrimEnd('.')}. "
                    + $"Keep {measured.Path} and measure again later: 'latencytuner verify --against {measured.Path} AFTER.json' compares the two."],
            };
        }
    }
}
