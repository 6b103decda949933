using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>Puts values back: what a failed apply and a rollback share.</summary>
internal sealed class Undoing(TuningContext context, JournalContents contents)
{
    // A change that was put back here counts as put back, even if the journal could not be written.
    private readonly HashSet<JournaledChange> _undone = [];

    /// <summary>Counts changes as put back that were never written.</summary>
    internal void Skip(IEnumerable<JournaledChange> unwritten) => _undone.UnionWith(unwritten);

    /// <summary>Groups changes by place, newest place first, and compares each with what is there.</summary>
    internal List<UndoStep> Plan(IReadOnlyCollection<JournaledChange> selected)
    {
        List<UndoStep> steps = new();
        foreach (IGrouping<string, JournaledChange> place in contents.Active.GroupBy(c => RegistryPaths.Identity(c.Planned.Location)))
        {
            // From the oldest selected change on: what was written on top of it goes with it.
            List<JournaledChange> affected = place.SkipWhile(c => !selected.Contains(c)).Reverse().ToList();
            if (affected.Count > 0)
            {
                steps.Add(Step(affected, [.. affected.Where(c => !selected.Contains(c))]));
            }
        }

        List<JournaledChange> order = contents.Active.ToList();
        return [.. steps.OrderByDescending(s => order.IndexOf(s.Changes[0]))];
    }

    /// <summary>Puts one place back, reads it back, and removes the keys that were created for it where they are empty.</summary>
    /// <returns>The containers removed.</returns>
    /// <exception cref="ExpectedFailureException">It could not be put back.</exception>
    internal IReadOnlyList<string> Run(UndoStep step, bool force)
    {
        SettingValue actual = context.Store.Read(step.Location);
        if (!force && !actual.Equals(step.Actual))
        {
            throw new ExpectedFailureException(ExitCode.Change, $"{step.Location} was changed to {ChangeSentences.Show(actual)} in the meantime");
        }

        if (!actual.Equals(step.Target))
        {
            context.Store.Write(step.Location, step.Target);
            SettingValue readBack = context.Store.Read(step.Location);
            if (!readBack.Equals(step.Target))
            {
                throw new ExpectedFailureException(
                    ExitCode.Change, $"{step.Location} reads {ChangeSentences.Show(readBack)} after {ChangeSentences.Show(step.Target)} was written");
            }
        }

        _undone.UnionWith(step.Changes);
        return step.Target.IsAbsent ? RemoveOwned(step.Location) : [];
    }

    private List<string> RemoveOwned(SettingLocation location)
    {
        List<string> removed = new();
        if (location is not SettingLocation.Registry registry)
        {
            return removed;
        }

        foreach (string? container in Enumerable.Reverse(RegistryPaths.SelfAndAncestors(registry.Key)))
        {
            // A key may be empty for now because a change in force deleted its last value: it goes with the last change in it, not before.
            bool isNeeded = contents.Active.Any(c => !_undone.Contains(c) && RegistryPaths.Holds(container, c.Planned.Location));
            if (isNeeded || !contents.OwnedContainers.Contains(container) || !context.Store.RemoveEmptyContainer(container))
            {
                break;
            }

            removed.Add(container);
        }

        return removed;
    }

    private UndoStep Step(List<JournaledChange> changes, IReadOnlyList<JournaledChange> extra)
    {
        SettingLocation location = changes[0].Planned.Location;
        SettingValue target = changes[^1].Planned.Before;
        JournaledChange? stranger = changes.Find(c => !c.Batch.Machine.IsSame(context.Machine));
        if (stranger is not null)
        {
            return Refused($"batch {stranger.Batch.Id} was applied on {stranger.Batch.Machine.Name}, but this machine is {context.Machine.Name}.");
        }

        if (!context.Rules.IsAllowed(location, target.Kind))
        {
            return Refused(
                $"the catalogue has no setting at {location} that may hold {StoredValue.TypeName(target)}. This program writes nothing else, "
                + "whatever the journal says.");
        }

        SettingValue actual = context.Store.Read(location);
        return new(changes, actual, IsDrift(changes, actual), null, extra);

        UndoStep Refused(string because) => new(changes, SettingValue.Absent, false, $"{changes[0].Planned.Name}: {because}", extra);
    }

    private static bool IsDrift(List<JournaledChange> newestFirst, SettingValue actual)
    {
        if (actual.Equals(newestFirst[^1].Planned.Before))
        {
            return false;
        }

        foreach (JournaledChange change in newestFirst)
        {
            if (!actual.Equals(change.Planned.After) && !actual.Equals(change.Planned.Before))
            {
                return true;
            }

            actual = change.Planned.Before;
        }

        return false;
    }
}

/// <summary>One place to put back: the changes there, newest first, and the value before the oldest of them.</summary>
/// <param name="Changes">The changes in force at this place that are undone.</param>
/// <param name="Actual">The value that is there.</param>
/// <param name="Drift">True when it is neither what the changes wrote nor what was before them.</param>
/// <param name="Refusal">Why it is not put back even by force, a sentence; null when it may be.</param>
/// <param name="Extra">Changes of other batches in it that were not asked for, but were made later at this place.</param>
internal sealed record UndoStep(
    IReadOnlyList<JournaledChange> Changes, SettingValue Actual, bool Drift, string? Refusal, IReadOnlyList<JournaledChange> Extra)
{
    internal SettingLocation Location => Changes[0].Planned.Location;

    internal SettingValue Target => Changes[^1].Planned.Before;

    internal IReadOnlyList<JournalItem> Items => [.. Changes.Select(c => c.Item)];
}
