using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>Puts back a batch that failed on the way, as far as it can, and says what state the machine is in.</summary>
internal sealed class FailedBatch(TuningContext context, Journal journal, string batch)
{
    private readonly List<string> _problems = [];
    private readonly Undoing _undoing = new(context, journal.Contents);

    /// <summary>Puts back what was written.</summary>
    /// <param name="failed">Index of the change that failed; the number of changes when all were written.</param>
    /// <param name="attempted">True when its write was begun.</param>
    /// <param name="failure">Why it failed.</param>
    internal TuningResult PutBack(int failed, bool attempted, Exception failure)
    {
        IReadOnlyList<JournaledChange> changes = journal.Contents.Find(batch)!.Changes;
        string reason = ChangeSentences.Reason(failure);
        TryJournal(() => journal.Undo([.. changes.Select(c => c.Item)], reason, forced: false));

        List<JournaledChange> untouched = changes.Where(c => c.Index > failed || (c.Index == failed && !attempted)).ToList();
        _undoing.Skip(untouched);
        if (untouched.Count > 0)
        {
            TryJournal(() => journal.Undone([.. untouched.Select(c => c.Item)], []));
        }

        List<ChangeOutcome> outcomes = new();
        List<string> left = new();
        foreach (JournaledChange? change in changes.Except(untouched).Reverse())
        {
            outcomes.Add(PutBackOne(change, isFailed: change.Index == failed, left));
        }

        outcomes.AddRange(untouched.Select(c => new ChangeOutcome(
            c.Planned with { Status = c.Index == failed ? ChangeStatus.Failed : ChangeStatus.Planned }, batch, null, $"{c.Planned.Name}: was not written.")));
        string state = left.Count == 0
            ? "Everything was put back: the machine is as it was."
            : $"NOT everything could be put back: {string.Join("; ", left)}. When that is solved, run 'latencytuner rollback --batch {batch} --yes' to "
                + "restore the rest.";
        return new TuningResult
        {
            Operation = "apply",
            Outcome = left.Count == 0 ? TuningOutcome.RolledBack : TuningOutcome.Incomplete,
            Batch = batch,
            Text = $"Change {Math.Min(failed + 1, changes.Count)} of {changes.Count} failed: {reason}. {state}",
            Changes = [.. outcomes.OrderBy(o => changes.ToList().FindIndex(c => c.Planned.Location == o.Change.Location))],
            Notes = _problems,
            PowerShell = ByHand(changes, outcomes, attempted ? failed : -1),
            JournalPath = journal.Path,
        };
    }

    /// <summary>
    /// What an admin can still do where Windows refused this program's own call for a template or filter: the cmdlets go another way. First what
    /// could not be put back, then the change that was wanted.
    /// </summary>
    private static IReadOnlyList<string> ByHand(IReadOnlyList<JournaledChange> changes, List<ChangeOutcome> outcomes, int refused) =>
    [
        .. outcomes.Where(o => o.Change.Status == ChangeStatus.Failed && o.Actual?.Equals(o.Change.Before) == false && IsOfCim(o.Change))
            .SelectMany(o => PowerShellText.Lines(o.Change.Location, o.Change.Before)),
        .. changes.Where(c => c.Index == refused && IsOfCim(c.Planned)).SelectMany(c => PowerShellText.Lines(c.Planned.Location, c.Planned.After)),
    ];

    private static bool IsOfCim(Change change) => change.Location is SettingLocation.Template or SettingLocation.Filter;

    private ChangeOutcome PutBackOne(JournaledChange change, bool isFailed, List<string> left)
    {
        Change planned = change.Planned;
        SettingValue? actual = null;
        try
        {
            actual = context.Store.Read(planned.Location);

            // What the failed write left there is ours; anywhere else another value is someone else's.
            if (!isFailed && !actual.Equals(planned.After) && !actual.Equals(planned.Before))
            {
                left.Add($"{planned.Location} was changed to {ChangeSentences.Show(actual)} in the meantime");
                return new(planned with { Status = ChangeStatus.Drifted }, batch, actual, $"{planned.Name}: {left[^1]}.");
            }

            IReadOnlyList<string> removed = _undoing.Run(new([change], actual, false, null, []), force: isFailed);
            TryJournal(() => journal.Undone([change.Item], removed));
            return new(
                planned with { Status = isFailed ? ChangeStatus.Failed : ChangeStatus.RolledBack },
                batch,
                planned.Before,
                $"{planned.Name}: {planned.Location} is {ChangeSentences.Show(planned.Before)} as before.");
        }
        catch (Exception failure) when (failure is ExpectedFailureException or IOException or UnauthorizedAccessException)
        {
            left.Add($"{planned.Location} is {(actual is null ? "unknown" : ChangeSentences.Show(actual))} ({ChangeSentences.Reason(failure)})");
            return new(planned with { Status = ChangeStatus.Failed }, batch, actual, $"{planned.Name}: {left[^1]}.");
        }
    }

    private void TryJournal(Action write)
    {
        // The values matter more than the record: an undo that was not recorded is recognised by the value that is there.
        try
        {
            write();
        }
        catch (Exception failure) when (failure is ExpectedFailureException or IOException or UnauthorizedAccessException)
        {
            if (_problems.Count == 0)
            {
                _problems.Add(
                    $"The journal cannot be written: {ChangeSentences.Reason(failure)}. When it can be written again, run 'latencytuner rollback --batch "
                    + $"{batch} --yes' to record the rollback.");
            }
        }
    }
}
