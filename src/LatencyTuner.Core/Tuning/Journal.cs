namespace LatencyTuner.Core.Tuning;

/// <summary>
/// The record of what was changed, and the only source of an undo. It is append-only: the intent is on the disk before the write, the end after
/// the value was read back. A crash at any byte leaves it readable.
/// </summary>
public sealed class Journal : IDisposable
{
    /// <summary>The name of the file in its folder.</summary>
    public const string FileName = "journal.jsonl";

    /// <summary>A batch that would make the journal larger than this is refused, in bytes: 16 MiB.</summary>
    public const int MaxBytes = 16 * 1024 * 1024;

    // A rollback is never refused for size; this is only the limit of a reader.
    private const int MaxReadBytes = 4 * MaxBytes;

    private readonly IJournalFolder _folder;
    private readonly TimeProvider _clock;
    private readonly IDisposable _lock;
    private bool _tailInTheWay;

    private Journal(IJournalFolder folder, TimeProvider clock, IDisposable exclusive, JournalContents contents) =>
        (_folder, _clock, _lock, Contents) = (folder, clock, exclusive, contents);

    /// <summary>The batches and changes that the journal lists.</summary>
    public JournalContents Contents { get; }

    /// <summary>The path of the journal, for messages.</summary>
    public string Path => PathIn(_folder);

    /// <summary>Reads a journal without locking it: an apply at the same time may be seen half-done.</summary>
    /// <param name="folder">Its folder.</param>
    /// <returns>Its contents; empty when there is no journal.</returns>
    /// <exception cref="ExpectedFailureException">A newer version wrote it, or it cannot be read.</exception>
    public static JournalContents Read(IJournalFolder folder)
    {
        ArgumentNullException.ThrowIfNull(folder);
        return JournalFormat.Read(folder.Read(FileName, MaxReadBytes), PathIn(folder));
    }

    /// <summary>Opens a journal to add to it, for this process alone.</summary>
    /// <param name="folder">Its folder; created where it is missing.</param>
    /// <param name="clock">Gives the times of the records.</param>
    /// <returns>The journal; the lock is released when it is disposed of.</returns>
    /// <exception cref="ExpectedFailureException">Another process has it, a newer version wrote it, or it cannot be read.</exception>
    public static Journal Open(IJournalFolder folder, TimeProvider clock)
    {
        ArgumentNullException.ThrowIfNull(folder);
        ArgumentNullException.ThrowIfNull(clock);
        IDisposable exclusive = folder.Lock();
        try
        {
            JournalContents contents = Read(folder);
            return new Journal(folder, clock, exclusive, contents) { _tailInTheWay = contents.Tail != JournalTail.Whole };
        }
        catch
        {
            exclusive.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _lock.Dispose();

    internal static string PathIn(IJournalFolder folder) => System.IO.Path.Combine(folder.Path, FileName);

    internal void Begin(ChangePlan plan, string batch, IReadOnlyList<Change> changes, IReadOnlyList<IReadOnlyList<string>> missing, uint? bootId)
    {
        JournalRecord record = Record(JournalRecord.Begin) with
        {
            Batch = batch,
            Machine = plan.Machine,
            Operator = plan.Operator,
            Ticket = plan.Ticket,
            BootId = bootId,
            Changes = [.. changes.Select(PlannedChange.From)],
            Missing = missing,
        };
        int size = JournalFormat.Line(record, Contents.LastHash, out _).Length;
        if (size > JournalFormat.MaxRecordBytes || Contents.GoodLength + size > MaxBytes)
        {
            throw new ExpectedFailureException(
                ExitCode.Change,
                $"{Path} is full ({Contents.GoodLength} of {MaxBytes} bytes). Roll back the changes that you want to undo, then move the file and the "
                + "backups beside it to another folder. Nothing was changed.");
        }

        Append(record);
    }

    internal void Done(string batch, int index, IReadOnlyList<string> created) =>
        Append(Record(JournalRecord.Done) with { Batch = batch, Index = index, Containers = created.Count == 0 ? null : created });

    internal void Applied(string batch) => Append(Record(JournalRecord.Applied) with { Batch = batch });

    internal void Undo(IReadOnlyList<JournalItem> items, string because, bool forced) =>
        Append(Record(JournalRecord.Undo) with { Items = items, Because = because, Forced = forced ? true : null });

    internal void Undone(IReadOnlyList<JournalItem> items, IReadOnlyList<string> removed) =>
        Append(Record(JournalRecord.Undone) with { Items = items, Containers = removed.Count == 0 ? null : removed });

    private JournalRecord Record(string kind) => new() { Kind = kind, TimeUtc = _clock.GetUtcNow() };

    private void Append(JournalRecord record)
    {
        if (!Contents.HasHeader && record.Kind != JournalRecord.Header)
        {
            Append(Record(JournalRecord.Header) with { Version = JournalFormat.Version });
        }

        ClearTail();
        byte[] line = JournalFormat.Line(record, Contents.LastHash, out byte[]? hash);

        try
        {
            _folder.Append(FileName, line);
        }
        catch
        {
            // Some bytes of the line may be there, even all of them.
            _tailInTheWay = true;
            TryClearTail();
            throw;
        }

        if (Contents.Accept(record) is { } impossible)
        {
            throw new InvalidOperationException($"The journal would hold {impossible}.");
        }

        Contents.LastHash = hash;
        Contents.GoodLength += line.Length;
    }

    private void TryClearTail()
    {
        try
        {
            ClearTail();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ExpectedFailureException)
        {
            // The next append tries again, and a reader leaves it out.
        }
    }

    private void ClearTail()
    {
        if (!_tailInTheWay)
        {
            return;
        }

        // A person may still learn something from damaged bytes; a cut record was never acknowledged.
        if (Contents.Tail == JournalTail.Damaged && _folder.Read(FileName, MaxReadBytes) is { } bytes && bytes.Length > Contents.GoodLength)
        {
            string name = $"journal-damaged-{_clock.GetUtcNow().UtcDateTime:yyyyMMddTHHmmssfff}.bin";
            _folder.Append(name, bytes.AsSpan(Contents.GoodLength));
        }

        if (_folder.Read(FileName, MaxReadBytes) is not null)
        {
            _folder.Truncate(FileName, Contents.GoodLength);
        }

        (Contents.Tail, Contents.TailText, _tailInTheWay) = (JournalTail.Whole, null, false);
    }
}
