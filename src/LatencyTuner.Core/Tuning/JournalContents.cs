namespace LatencyTuner.Core.Tuning;

/// <summary>What a journal lists, up to the first byte that is not part of a record.</summary>
public sealed class JournalContents
{
    internal JournalContents()
    {
    }

    /// <summary>Every batch, oldest first.</summary>
    public IReadOnlyList<JournaledBatch> Batches => BatchList;

    /// <summary>How the file ends: whole, cut or damaged.</summary>
    public JournalTail Tail { get; internal set; }

    /// <summary>What is wrong at the end, a sentence with the offset; null when nothing is.</summary>
    public string? TailText { get; internal set; }

    /// <summary>Number of bytes in whole records; what follows them is the tail.</summary>
    public int GoodLength { get; internal set; }

    /// <summary>The first batch that was interrupted; null when none was.</summary>
    public JournaledBatch? Interrupted => BatchList.Find(b => b.IsInterrupted);

    internal List<JournaledBatch> BatchList { get; } = [];

    internal bool HasHeader { get; set; }

    internal byte[] LastHash { get; set; } = new byte[JournalFormat.HashBytes];

    /// <summary>Containers that this program created and that changes in force still rely on.</summary>
    internal HashSet<string> OwnedContainers { get; } = new(RegistryPaths.Comparer);

    /// <summary>Every change that may be in force, in the order of writing.</summary>
    internal IEnumerable<JournaledChange> Active => BatchList.SelectMany(b => b.Changes).Where(c => c.IsActive);

    internal JournaledBatch? Find(string? batch) => BatchList.Find(b => b.Id == batch);

    internal JournaledChange? Find(JournalItem? item) =>
        item is not null && Find(item.Batch) is { } batch && item.Index >= 0 && item.Index < batch.Changes.Count ? batch.Changes[item.Index] : null;

    /// <summary>Adds a record to the contents.</summary>
    /// <returns>Null, or what makes it impossible after the records before it; nothing has changed then.</returns>
    internal string? Accept(JournalRecord record)
    {
        if (record.Kind == JournalRecord.Header)
        {
            return AcceptHeader(record);
        }

        if (!HasHeader)
        {
            return "a record before the header of the journal";
        }

        return record.Kind switch
        {
            JournalRecord.Begin => AcceptBegin(record),
            JournalRecord.Done => AcceptDone(record),
            JournalRecord.Applied => AcceptApplied(record),
            JournalRecord.Undo => AcceptUndo(record),
            JournalRecord.Undone => AcceptUndone(record),
            _ => $"a record of the unknown kind {PlannedChange.Quote(record.Kind)}",
        };
    }

    private string? AcceptHeader(JournalRecord record)
    {
        if (HasHeader || record.Version is not 1)
        {
            return "a header of a journal in the wrong place or of an unknown version";
        }

        HasHeader = true;
        return null;
    }

    private string? AcceptBegin(JournalRecord record)
    {
        if (!PlanChecks.IsBatchId(record.Batch) || Find(record.Batch) is not null)
        {
            return "a batch with an id that is not valid or was used before";
        }

        if (record.Machine?.Id is null || record.Machine.Name is null || record.Operator is null
            || record.Changes is not { Count: > 0 and <= PlanChecks.MaxChanges })
        {
            return "a batch without machine, operator or changes";
        }

        if (record.Missing is null || record.Missing.Count != record.Changes.Count)
        {
            return "a batch without the list of what it creates";
        }

        JournaledBatch batch = new(record);
        List<JournaledChange> changes = new();
        foreach (PlannedChange form in record.Changes)
        {
            if (PlannedChange.Read(form, out string? expected) is not { } change)
            {
                return $"a batch in which change {changes.Count + 1} is not valid: expected {expected}";
            }

            if (!AreOwn(record.Missing[changes.Count], change))
            {
                return $"a batch in which change {changes.Count + 1} creates keys that do not belong to it";
            }

            changes.Add(new(batch, changes.Count, change) { Created = record.Missing[changes.Count] });
        }

        batch.Changes = changes;
        BatchList.Add(batch);
        OwnedContainers.UnionWith(changes.SelectMany(c => c.Created));
        return null;
    }

    private string? AcceptDone(JournalRecord record)
    {
        if (record.Batch is null || Find(new JournalItem(record.Batch, record.Index ?? -1)) is not { IsActive: true, IsUndoing: false } change)
        {
            return "the end of a change that was not begun";
        }

        if (!AreOwn(record.Containers ?? [], change.Planned))
        {
            return "the end of a change that created keys that do not belong to it";
        }

        change.DoneUtc = record.TimeUtc;
        change.Created = [.. change.Created.Union(record.Containers ?? [], RegistryPaths.Comparer).OrderBy(c => c.Length)];
        OwnedContainers.UnionWith(change.Created);
        return null;
    }

    private string? AcceptApplied(JournalRecord record)
    {
        if (Find(record.Batch) is not { IsApplied: false } batch || batch.Changes.Any(c => c.DoneUtc is null || !c.IsActive))
        {
            return "the end of a batch whose changes are not all done";
        }

        batch.IsApplied = true;
        return null;
    }

    private string? AcceptUndo(JournalRecord record)
    {
        if (ItemsOf(record) is not { } changes)
        {
            return "a rollback of changes that are not in force";
        }

        foreach (JournaledChange change in changes)
        {
            change.IsUndoing = true;
            change.Batch.UndoneBecause = record.Because ?? change.Batch.UndoneBecause;
        }

        return null;
    }

    private string? AcceptUndone(JournalRecord record)
    {
        if (ItemsOf(record) is not { } changes)
        {
            return "the end of a rollback of changes that are not in force";
        }

        foreach (JournaledChange change in changes)
        {
            (change.UndoneUtc, change.IsUndoing) = (record.TimeUtc, false);
        }

        // A key without values of ours belongs to the machine from now on, whoever fills it.
        OwnedContainers.ExceptWith(record.Containers ?? []);
        OwnedContainers.RemoveWhere(o => !Active.Any(c => RegistryPaths.Holds(o, c.Planned.Location)));
        return null;
    }

    private List<JournaledChange>? ItemsOf(JournalRecord record)
    {
        List<JournaledChange> changes = (record.Items ?? []).Select(Find).OfType<JournaledChange>().Where(c => c.IsActive).Distinct().ToList();
        return changes.Count > 0 && changes.Count == record.Items!.Count ? changes : null;
    }

    private static bool AreOwn(IReadOnlyList<string>? containers, Change change) =>
        containers is not null && containers.All(c => c is not null && RegistryPaths.IsUsable(c) && RegistryPaths.Holds(c, change.Location));
}
