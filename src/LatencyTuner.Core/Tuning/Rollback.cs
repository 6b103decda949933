using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>
/// Puts values back exactly: type, data, absence, and the keys that were created, where they are empty. It also completes a batch that an
/// interruption left half-applied or half put back.
/// </summary>
/// <param name="context">What it works on.</param>
public sealed class Rollback(TuningContext context)
{
    private const string Operation = "rollback";

    /// <summary>Rolls back, or shows what that would do.</summary>
    /// <param name="selection">The changes to roll back.</param>
    /// <param name="whatIf">True to write nothing at all.</param>
    /// <param name="force">True to put back also values that someone else changed, and those of later batches at the same place.</param>
    /// <param name="untilDamage">True to put back what a damaged journal lists before the damage.</param>
    /// <returns>
    /// <see cref="TuningOutcome.Done"/>, <see cref="TuningOutcome.NoChange"/>, <see cref="TuningOutcome.WhatIf"/>;
    /// <see cref="TuningOutcome.Refused"/> where a value drifted, nothing was changed then; <see cref="TuningOutcome.Incomplete"/> where some
    /// values could not be put back; <see cref="TuningOutcome.Damaged"/> where the journal cannot tell everything: nothing was changed then, unless
    /// that was asked for.
    /// </returns>
    /// <exception cref="ExpectedFailureException">As <see cref="PlanExecutor.Apply"/>; <see cref="ExitCode.Usage"/> for a batch or setting
    /// the journal does not know.</exception>
    public TuningResult Run(RollbackSelection selection, bool whatIf, bool force, bool untilDamage = false)
    {
        ArgumentNullException.ThrowIfNull(selection);
        if (whatIf)
        {
            return Run(Journal.Read(context.Folder), null, selection, force, untilDamage);
        }

        context.RequireWritable();
        using Journal journal = Journal.Open(context.Folder, context.Clock);
        return Run(journal.Contents, journal, selection, force, untilDamage);
    }

    private TuningResult Run(JournalContents contents, Journal? journal, RollbackSelection selection, bool force, bool untilDamage)
    {
        // Before the rollback: a record that is written sets the damaged bytes aside.
        string? damage = contents.Tail == JournalTail.Damaged ? JournalDamage.Of(context.Folder, contents) : null;
        if (damage is not null && !untilDamage)
        {
            return Result(
                TuningOutcome.Damaged,
                $"{damage} Nothing was changed. 'latencytuner rollback --until-damage --yes' puts back what the records before the damage list.", [], []);
        }

        TuningResult result = Run(contents, journal, selection, force);
        damage ??= selection is RollbackSelection.All && result.Outcome is TuningOutcome.Done or TuningOutcome.NoChange
            ? JournalDamage.Of(context.Folder, contents) : null;
        return damage is null ? result : result with
        {
            Outcome = result.Outcome is TuningOutcome.Done or TuningOutcome.NoChange ? TuningOutcome.Damaged : result.Outcome,
            Text = $"{result.Text} {damage}",
        };
    }

    private TuningResult Run(JournalContents contents, Journal? journal, RollbackSelection selection, bool force)
    {
        List<string> notes = contents is { TailText: { } tail, Tail: JournalTail.Cut } ? [tail] : [];
        List<JournaledChange> selected = Select(contents, selection);
        if (selected.Count == 0)
        {
            return Result(TuningOutcome.NoChange, "Nothing was changed: no matching change is in force.", [], notes);
        }

        Undoing undoing = new(context, contents);
        List<UndoStep> steps = undoing.Plan(selected);
        if (!force && steps.FindAll(s => s.Refusal is null && (s.Drift || s.Extra.Count > 0)) is { Count: > 0 } inTheWay)
        {
            return Refused(steps, inTheWay, notes);
        }

        return journal is null ? WhatIf(steps, force, notes) : Write(journal, undoing, steps, force, notes);
    }

    private List<JournaledChange> Select(JournalContents contents, RollbackSelection selection)
    {
        List<JournaledChange> known = contents.Batches.SelectMany(b => b.Changes).Where(c => selection switch
        {
            RollbackSelection.Batch batch => c.Batch.Id == batch.Id,
            RollbackSelection.Setting setting => c.Planned.SettingId == setting.Id
                && (setting.Interface is null || string.Equals(setting.Interface, c.Planned.Interface, StringComparison.OrdinalIgnoreCase)),
            RollbackSelection.Interrupted => c.Batch.IsInterrupted && (!c.Batch.IsApplied || c.IsUndoing),
            _ => true,
        }).ToList();
        string? unknown = (selection, known.Count) switch
        {
            (RollbackSelection.Batch batch, 0) => $"batch {PlannedChange.Quote(batch.Id)}",
            (RollbackSelection.Setting { Interface: { } name } setting, 0) => $"change of {PlannedChange.Quote(setting.Id)} on {PlannedChange.Quote(name)}",
            (RollbackSelection.Setting setting, 0) => $"change of {PlannedChange.Quote(setting.Id)}",
            _ => null,
        };
        return unknown is null
            ? known.FindAll(c => c.IsActive)
            : throw new ExpectedFailureException(
                ExitCode.Usage, $"{Journal.PathIn(context.Folder)} has no {unknown}. 'latencytuner history' lists what it has.");
    }

    private TuningResult Refused(List<UndoStep> steps, List<UndoStep> inTheWay, List<string> notes)
    {
        UndoStep first = inTheWay[0];
        string why = first.Drift
            ? $"{first.Location} is {ChangeSentences.Show(first.Actual)}, neither as before ({ChangeSentences.Show(first.Target)}) nor as written "
                + $"({ChangeSentences.Show(first.Changes[0].Planned.After)}): someone else changed it"
            : $"{first.Location} was changed again by batch {first.Extra[0].Batch.Id}, which must be rolled back first";
        string more = inTheWay.Count == 1 ? "" : $" (other values with this problem: {inTheWay.Count - 1})";
        return Result(
            TuningOutcome.Refused,
            $"{why}{more}. Nothing was changed. --force puts {ChangeSentences.Show(first.Target)} there anyway.",
            steps.Select(s => Outcome(s, s.Drift ? ChangeStatus.Drifted : s.Changes[0].Change.Status, s.Actual, s.Refusal ?? Sentence(s))),
            notes);
    }

    private TuningResult WhatIf(List<UndoStep> steps, bool force, List<string> notes)
    {
        List<UndoStep> open = steps.FindAll(s => s.Refusal is null && !s.Actual.Equals(s.Target));
        string text =
            $"Nothing was changed: {ChangeSentences.Count(open.Count, "value")} would be put back{(force ? ", drifted ones included" : "")}; --yes does it.";
        return Result(TuningOutcome.WhatIf, text, steps.Select(s => Outcome(s, s.Changes[0].Change.Status, s.Actual, s.Refusal ?? Sentence(s))), notes) with
        {
            PowerShell = [.. open.SelectMany(s => PowerShellText.Lines(s.Location, s.Target)).Distinct()],
            Reg = RegFileText.OfRegistry([.. open.Select(s => (s.Location, s.Target))]),
        };
    }

    private TuningResult Write(Journal journal, Undoing undoing, List<UndoStep> steps, bool force, List<string> notes)
    {
        List<ChangeOutcome> outcomes = new();
        List<string> left = new();
        List<UndoStep> allowed = steps.FindAll(s => s.Refusal is null);
        if (allowed.Count > 0)
        {
            TryJournal(notes, () => journal.Undo([.. allowed.SelectMany(s => s.Items)], JournalRecord.Requested, force));
        }

        foreach (UndoStep step in steps)
        {
            if (step.Refusal is { } refusal)
            {
                left.Add(refusal.TrimEnd('.'));
                outcomes.Add(Outcome(step, ChangeStatus.Failed, null, refusal));
                continue;
            }

            try
            {
                IReadOnlyList<string> removed = undoing.Run(step, force);
                TryJournal(notes, () => journal.Undone(step.Items, removed));
                string text = $"{step.Changes[0].Planned.Name}: {step.Location} is {ChangeSentences.Show(step.Target)} as before.";
                outcomes.Add(Outcome(step, ChangeStatus.RolledBack, step.Target, text) with { ChangedUtc = context.Clock.GetUtcNow() });
            }
            catch (Exception failure) when (failure is ExpectedFailureException or IOException or UnauthorizedAccessException)
            {
                left.Add($"{step.Location}: {ChangeSentences.Reason(failure)}");
                outcomes.Add(Outcome(step, ChangeStatus.Failed, null, left[^1] + "."));
            }
        }

        int back = steps.Count - left.Count;
        return left.Count == 0
            ? Result(TuningOutcome.Done, $"{ChangeSentences.Count(back, "value")} as before.", outcomes, notes)
            : Result(
                TuningOutcome.Incomplete, $"{back} of {ChangeSentences.Count(steps.Count, "value")} as before; not put back: {string.Join("; ", left)}.",
                outcomes, notes);
    }

    // A full disk must not prevent an undo: an undo that was not recorded is recognised by the value that is there.
    private static void TryJournal(List<string> notes, Action write)
    {
        try
        {
            write();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            string note = $"The journal cannot be written: {ChangeSentences.Reason(failure)}. When it can be written again, run the same rollback again "
                + "to record it.";
            if (!notes.Contains(note))
            {
                notes.Add(note);
            }
        }
    }

    private static string Sentence(UndoStep step) => step.Actual.Equals(step.Target)
        ? $"{step.Changes[0].Planned.Name}: {step.Location} is {ChangeSentences.Show(step.Target)} as before already."
        : ChangeSentences.PutBack(step.Changes[0].Planned, step.Actual, step.Target);

    private static ChangeOutcome Outcome(UndoStep step, ChangeStatus status, SettingValue? actual, string text) =>
        new(step.Changes[0].Change with { Before = step.Target, Status = status }, step.Changes[0].Batch.Id, actual, text);

    private TuningResult Result(TuningOutcome outcome, string text, IEnumerable<ChangeOutcome> outcomes, IReadOnlyList<string> notes)
    {
        List<ChangeOutcome> all = outcomes.ToList();
        List<string?> batches = all.Select(o => o.Batch).Distinct().ToList();
        return new()
        {
            Operation = Operation,
            Outcome = outcome,
            Text = text,
            Batch = batches.Count == 1 ? batches[0] : null,
            Changes = all,
            Notes = notes,
            JournalPath = Journal.PathIn(context.Folder),
        };
    }
}
