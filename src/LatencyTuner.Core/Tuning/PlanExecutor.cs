using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>
/// Applies plans: a whole batch or nothing of it. The order is fixed: check everything, check the privilege, compare with what is there, record the
/// intent on the disk, make the backup, write, read back, record the end on the disk.
/// </summary>
/// <param name="context">What it works on.</param>
public sealed class PlanExecutor(TuningContext context)
{
    private const string Operation = "apply";

    /// <summary>Applies a plan, or shows what that would do.</summary>
    /// <param name="plan">The plan.</param>
    /// <param name="whatIf">True to write nothing at all, no journal either; every check but the privilege is the same.</param>
    /// <returns>
    /// <see cref="TuningOutcome.Done"/>, <see cref="TuningOutcome.NoChange"/>, <see cref="TuningOutcome.WhatIf"/>; or, after a failure on the
    /// way, <see cref="TuningOutcome.RolledBack"/> or <see cref="TuningOutcome.Incomplete"/>.
    /// </returns>
    /// <exception cref="ExpectedFailureException">
    /// Refused before anything was changed: <see cref="ExitCode.Platform"/> without privilege or where nothing can be written,
    /// <see cref="ExitCode.Input"/> for a journal of a newer version, <see cref="ExitCode.Change"/> for everything else (plan of another
    /// machine, drift, interrupted batch, damaged journal, another apply at work).
    /// </exception>
    public TuningResult Apply(ChangePlan plan, bool whatIf)
    {
        ArgumentNullException.ThrowIfNull(plan);
        PlanChecks.Check(plan, context.Machine, context.Clock.GetUtcNow(), context.Rules);
        if (whatIf)
        {
            // A user who may not change anything may not read the journal either, but should still see what would be done.
            if (!context.Store.IsReadOnly && context.MissingPrivilege() is null)
            {
                RequireUsable(Journal.Read(context.Folder));
            }

            return WhatIf(plan, Snapshot(plan));
        }

        context.RequireWritable();
        using Journal journal = Journal.Open(context.Folder, context.Clock);
        RequireUsable(journal.Contents);
        List<ChangeOutcome> outcomes = Snapshot(plan);
        return outcomes.TrueForAll(o => o.Change.Status == ChangeStatus.Done) ? NoChange(outcomes) : Write(plan, journal, outcomes);
    }

    private static void RequireUsable(JournalContents contents)
    {
        if (contents.Tail == JournalTail.Damaged)
        {
            throw Refuse($"{contents.TailText} Run 'latencytuner rollback --until-damage --yes' to undo what it still lists, or move the journal and its "
                + "backups away.");
        }

        if (contents.Interrupted is { } batch)
        {
            throw Refuse($"Batch {batch.Id} was interrupted and may be half in force. Roll it back first: 'latencytuner rollback --batch {batch.Id} --yes'.");
        }
    }

    /// <summary>The values that are there, compared with those in the plan; <see cref="ChangeStatus.Done"/> for values that are already as wanted.</summary>
    private List<ChangeOutcome> Snapshot(ChangePlan plan)
    {
        List<ChangeOutcome> outcomes = new();
        foreach (Change change in plan.Changes)
        {
            SettingValue actual = context.Store.Read(change.Location);
            if (actual.Equals(change.After))
            {
                outcomes.Add(
                    new(
                        change with { Status = ChangeStatus.Done }, null, actual,
                        $"{change.Name}: {change.Location} is {ChangeSentences.Show(actual)} already."));
            }
            else if (actual.Equals(change.Before))
            {
                outcomes.Add(new(change with { Status = ChangeStatus.Planned }, null, actual, ChangeSentences.Planned(change)));
            }
            else
            {
                throw Refuse(
                    $"{change.Name}: {change.Location} is {ChangeSentences.Show(actual)}, but when the plan was made it was "
                    + $"{ChangeSentences.Show(change.Before)}. Make a new plan.");
            }
        }

        return outcomes;
    }

    private TuningResult WhatIf(ChangePlan plan, List<ChangeOutcome> outcomes)
    {
        List<Change> open = outcomes.Where(o => o.Change.Status == ChangeStatus.Planned).Select(o => o.Change).ToList();
        if (open.Count == 0)
        {
            return NoChange(outcomes);
        }

        List<string> notes = new();
        if (context.Store.IsReadOnly)
        {
            notes.Add($"The values come from {context.Store.Source}, which is read-only. --yes works only on the machine itself.");
        }
        else if (context.MissingPrivilege() is { } missing)
        {
            notes.Add(missing);
        }

        // No batch: the id that a later --yes gets is another one.
        return Result(
            TuningOutcome.WhatIf, $"Nothing was changed: {ChangeSentences.Count(open.Count, "change")} would be made; --yes makes them.", batch: null,
            outcomes) with
        {
            Notes = notes,
            PowerShell = [.. open.SelectMany(c => PowerShellText.Lines(c.Location, c.After)).Distinct()],
            Reg = RegFileText.OfRegistry([.. open.Select(c => (c.Location, c.After))]),
        };
    }

    private TuningResult NoChange(List<ChangeOutcome> outcomes) =>
        Result(TuningOutcome.NoChange, "Nothing was changed: every value is as wanted already.", null, outcomes);

    private TuningResult Write(ChangePlan plan, Journal journal, List<ChangeOutcome> outcomes)
    {
        List<Change> open = outcomes.Where(o => o.Change.Status == ChangeStatus.Planned).Select(o => o.Change).ToList();
        string batch = FreeId(plan.Batch, journal.Contents);
        List<IReadOnlyList<string>> missing = open.ConvertAll(Missing);
        string backup = Path.Combine(context.Folder.Path, JournalDamage.BackupName(batch));
        Begin(journal, plan, batch, open, missing);
        int written = 0;
        bool attempted = false;
        try
        {
            BackUp(JournalDamage.BackupName(batch), open, missing);
            for (; written < open.Count; written++)
            {
                attempted = false;
                RequireUnchanged(open[written]);
                attempted = true;
                WriteOne(journal, batch, written, open[written]);
            }

            journal.Applied(batch);
        }
        catch (Exception failure)
        {
            TuningResult result = new FailedBatch(context, journal, batch).PutBack(written, attempted, failure) with { BackupPath = backup };
            if (failure is ExpectedFailureException or IOException or UnauthorizedAccessException)
            {
                return result;
            }

            throw;
        }

        DateTimeOffset now = context.Clock.GetUtcNow();
        JournaledBatch applied = journal.Contents.Find(batch)!;
        IEnumerable<ChangeOutcome> done = applied.Changes.Select(c => new ChangeOutcome(
            c.Change, batch, c.Change.After,
            $"{c.Change.Name}: {c.Change.Location} is {ChangeSentences.Show(c.Change.After)}, was {ChangeSentences.Show(c.Change.Before)}.", now));
        return Result(
            TuningOutcome.Done,
            $"{ChangeSentences.Count(open.Count, "change")} made and read back. 'latencytuner rollback --batch {batch} --yes' restores the previous values.",
            batch,
            [.. done, .. outcomes.Where(o => o.Change.Status == ChangeStatus.Done)]) with
        { BackupPath = backup };
    }

    private void Begin(Journal journal, ChangePlan plan, string batch, List<Change> open, IReadOnlyList<IReadOnlyList<string>> missing)
    {
        try
        {
            journal.Begin(plan, batch, open, missing, context.BootId);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new ExpectedFailureException(
                ExitCode.Change, $"The journal in {context.Folder.Path} cannot be written: {ChangeSentences.Reason(failure)}. Nothing was changed.", failure);
        }
    }

    private void BackUp(string name, List<Change> open, IReadOnlyList<IReadOnlyList<string>> missing)
    {
        try
        {
            context.Folder.Append(name, RegFileText.ToFile(RegFileText.Write(open.Select(c => (c.Location, c.Before)), [.. missing.SelectMany(m => m)])));
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new ExpectedFailureException(
                ExitCode.Change, $"the backup {Path.Combine(context.Folder.Path, name)} cannot be written: {ChangeSentences.Reason(failure)}", failure);
        }
    }

    private void RequireUnchanged(Change change)
    {
        SettingValue actual = context.Store.Read(change.Location);
        if (!actual.Equals(change.Before))
        {
            throw new ExpectedFailureException(ExitCode.Change, $"{change.Location} was changed to {ChangeSentences.Show(actual)} in the meantime.");
        }
    }

    private void WriteOne(Journal journal, string batch, int index, Change change)
    {
        IReadOnlyList<string> created = context.Store.Write(change.Location, change.After);
        SettingValue actual = context.Store.Read(change.Location);
        if (!actual.Equals(change.After))
        {
            throw new ExpectedFailureException(
                ExitCode.Change, $"{change.Location} reads {ChangeSentences.Show(actual)} after {ChangeSentences.Show(change.After)} was written.");
        }

        journal.Done(batch, index, [.. created.Where(c => RegistryPaths.IsUsable(c) && RegistryPaths.Holds(c, change.Location))]);
    }

    private IReadOnlyList<string> Missing(Change change) =>
        change.Location is SettingLocation.Registry registry && !change.After.IsAbsent
            ? RegistryPaths.SelfAndAncestors(registry.Key).FindAll(c => !context.Store.ContainerExists(c))
            : [];

    private string FreeId(string wanted, JournalContents contents)
    {
        // A backup that the journal does not list may be all that is left of a batch.
        IReadOnlyList<string> names = context.Folder.Names();
        string stem = wanted.Length > 56 ? wanted[..56] : wanted;
        string id = wanted;
        for (int n = 2; contents.Find(id) is not null || names.Contains(JournalDamage.BackupName(id)); n++)
        {
            id = $"{stem}-{n}";
        }

        return id;
    }

    private TuningResult Result(TuningOutcome outcome, string text, string? batch, IReadOnlyList<ChangeOutcome> outcomes) => new()
    {
        Operation = Operation,
        Outcome = outcome,
        Text = text,
        Batch = batch,
        Changes = outcomes,
        JournalPath = Journal.PathIn(context.Folder),
    };

    private static ExpectedFailureException Refuse(string sentence) => new(ExitCode.Change, $"{sentence} Nothing was changed.");
}
