using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Tuning;

/// <summary>Checks whether applied values are there, are in force, and helped. It only reads.</summary>
/// <param name="context">What it works on.</param>
public sealed class Verification(TuningContext context)
{
    /// <summary>Compares the values that the journal lists as in force with those that are there.</summary>
    /// <param name="batch">Id of a batch; null for every batch.</param>
    /// <param name="times">The last starts, which decide what still waits for a restart.</param>
    /// <param name="effect">The comparison of the measurements; null when none was made.</param>
    /// <returns><see cref="TuningOutcome.Done"/> when all is as written, <see cref="TuningOutcome.NoChange"/> when nothing is in force,
    /// else <see cref="TuningOutcome.Incomplete"/>.</returns>
    /// <exception cref="ExpectedFailureException">The journal cannot be read, or (<see cref="ExitCode.Usage"/>) does not know the batch.</exception>
    public TuningResult Verify(string? batch, RestartTimes times, MeasuredEffect? effect = null)
    {
        ArgumentNullException.ThrowIfNull(times);
        JournalContents contents = Journal.Read(context.Folder);
        if (batch is not null && contents.Find(batch) is null)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage, $"{Journal.PathIn(context.Folder)} has no batch {PlannedChange.Quote(batch)}. 'latencytuner history' lists what it has.");
        }

        // Of several changes of one place the newest is what should be there.
        List<JournaledChange> active = contents.Active.GroupBy(c => RegistryPaths.Identity(c.Planned.Location)).Select(g => g.Last())
            .Where(c => batch is null || c.Batch.Id == batch).ToList();
        List<ChangeOutcome> outcomes = active.ConvertAll(c => Outcome(c, times));
        List<string> notes = Notes(contents, outcomes);
        int wrong = outcomes.Count(o => o.Change.Status != ChangeStatus.Done);
        string? damage = batch is null || contents.Tail == JournalTail.Damaged ? JournalDamage.Of(context.Folder, contents) : null;
        return new TuningResult
        {
            Operation = "verify",
            Outcome = damage is not null ? TuningOutcome.Damaged
                : active.Count == 0 ? TuningOutcome.NoChange
                : wrong == 0 ? TuningOutcome.Done
                : TuningOutcome.Incomplete,
            Text = Damaged(damage, active.Count == 0 ? "No change is in force." : wrong == 0
                ? $"{ChangeSentences.Count(active.Count, "value")} as written.{PendingText(outcomes)}"
                : $"{wrong} of {ChangeSentences.Count(active.Count, "value")} not as written.{PendingText(outcomes)}"),
            Batch = batch,
            Changes = outcomes,
            Notes = notes,
            JournalPath = Journal.PathIn(context.Folder),
            Effect = effect,
        };
    }

    /// <summary>Everything that the journal lists, oldest first. The machine itself is not read.</summary>
    /// <exception cref="ExpectedFailureException">The journal cannot be read.</exception>
    public TuningResult History()
    {
        JournalContents contents = Journal.Read(context.Folder);
        List<ChangeOutcome> outcomes = contents.Batches.SelectMany(b => b.Changes)
            .Select(c => new ChangeOutcome(c.Change, c.Batch.Id, null, HistoryText(c), c.UndoneUtc ?? c.DoneUtc ?? c.Batch.BegunUtc)).ToList();
        string? damage = JournalDamage.Of(context.Folder, contents);
        return new TuningResult
        {
            Operation = "history",
            Outcome = damage is null ? TuningOutcome.Done : TuningOutcome.Damaged,
            Text = Damaged(damage, contents.Batches.Count == 0
                ? "Nothing was applied here."
                : $"{Counted.Of(contents.Batches.Count, "batch")}, {ChangeSentences.Count(outcomes.Count, "change")}, "
                    + $"{contents.Active.Count()} in force."),
            Changes = outcomes,
            Notes = Notes(contents, []),
            JournalPath = Journal.PathIn(context.Folder),
        };
    }

    /// <summary>What is known, behind what is not: nobody may take the first for everything.</summary>
    private static string Damaged(string? damage, string known) => damage is null ? known : $"{damage} What can be read: {known}";

    private ChangeOutcome Outcome(JournaledChange change, RestartTimes times)
    {
        Change planned = change.Planned;
        SettingValue actual;
        try
        {
            actual = context.Store.Read(planned.Location);
        }
        catch (ExpectedFailureException failure)
        {
            return new(
                planned with { Status = ChangeStatus.Failed }, change.Batch.Id, null,
                $"{planned.Name}: {planned.Location} cannot be read: {failure.Message}", change.DoneUtc);
        }

        if (!actual.Equals(planned.After))
        {
            string was = actual.Equals(planned.Before) ? "as before the change" : "neither as before nor as written";
            return new(
                planned with { Status = ChangeStatus.Drifted },
                change.Batch.Id,
                actual,
                $"{planned.Name}: {planned.Location} is {ChangeSentences.Show(actual)}, {was}; {ChangeSentences.Show(planned.After)} was written.",
                change.DoneUtc);
        }

        RestartNeed? pending = times.Pending(planned, change.DoneUtc, context.Clock.GetUtcNow(), change.Batch.BootId);
        string inForce = pending switch
        {
            RestartNeed.None => "in force",
            RestartNeed.NewConnections => "in force for connections opened since",
            RestartNeed.Adapter => "not in force until the adapter or Windows is restarted",
            RestartNeed.Windows => "not in force until Windows is restarted",
            _ => "but it is unknown whether it is in force, because the last start of the adapter or Windows is unknown",
        };
        return new(
            planned with { Status = ChangeStatus.Done, CreatedContainers = change.Created }, change.Batch.Id, actual,
            $"{planned.Name}: {ChangeSentences.Show(actual)} as written, {inForce}.", change.DoneUtc, pending);
    }

    private static string HistoryText(JournaledChange change)
    {
        string status = change switch
        {
            { IsActive: false, Batch.UndoneBecause: { } because } when because != JournalRecord.Requested => $"put back ({because})",
            { IsActive: false } => "put back",
            { IsUndoing: true } => "being put back when it was interrupted",
            { DoneUtc: null } => "interrupted, may be in force",
            _ => "in force",
        };
        string ticket = change.Batch.Ticket is { } t ? $", ticket {t}" : "";
        return $"{change.Planned.Name}: {ChangeSentences.Show(change.Planned.Before)} to {ChangeSentences.Show(change.Planned.After)}, {status}; by "
            + $"{change.Batch.Operator}{ticket}.";
    }

    private static List<string> Notes(JournalContents contents, List<ChangeOutcome> outcomes)
    {
        List<string> notes = new();
        if (contents is { TailText: { } tail, Tail: JournalTail.Cut })
        {
            notes.Add(tail);
        }

        foreach (JournaledBatch? batch in contents.Batches.Where(b => b.IsInterrupted))
        {
            notes.Add($"Batch {batch.Id} was interrupted. 'latencytuner rollback --batch {batch.Id} --yes' restores the values before it.");
        }

        if (outcomes.Exists(o => o.Pending is null && o.Change.Status == ChangeStatus.Done))
        {
            notes.Add("Restart the adapter or Windows to be sure that everything is in force.");
        }

        return notes;
    }

    private static string PendingText(List<ChangeOutcome> outcomes)
    {
        int waiting = outcomes.Count(o => o.Pending is RestartNeed.Adapter or RestartNeed.Windows);
        return waiting == 0 ? "" : $" {waiting} of them {(waiting == 1 ? "waits" : "wait")} for a restart.";
    }
}
