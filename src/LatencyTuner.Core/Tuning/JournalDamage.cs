namespace LatencyTuner.Core.Tuning;

/// <summary>What a journal can no longer tell: bytes that are no record, and backups of batches that it does not list.</summary>
internal static class JournalDamage
{
    private const string BackupStart = "before-";
    private const string BackupEnd = ".reg";
    private const int MostNamed = 3;

    /// <summary>Name of the backup of a batch. It is written after the intent of the batch, so one of an unlisted batch shows lost records.</summary>
    /// <param name="batch">Id of the batch.</param>
    internal static string BackupName(string batch) => $"{BackupStart}{batch}{BackupEnd}";

    /// <summary>What is damaged or lost, sentences with what to do about it; null when the journal tells everything.</summary>
    /// <param name="folder">The folder of the journal.</param>
    /// <param name="contents">What can be read of it.</param>
    /// <exception cref="ExpectedFailureException">The folder cannot be read.</exception>
    internal static string? Of(IJournalFolder folder, JournalContents contents)
    {
        List<string> lost = [.. folder.Names().Where(n => IsUnlisted(n, contents)).Select(n => Path.Combine(folder.Path, n))];
        bool damaged = contents.Tail == JournalTail.Damaged;
        if (!damaged && lost.Count == 0)
        {
            return null;
        }

        string files = string.Join(", ", lost.Take(MostNamed)) + (lost.Count > MostNamed ? $" and {lost.Count - MostNamed} more" : "");
        return damaged ? $"{contents.TailText} What came after is unknown."
                + (lost.Count == 0 ? "" : $" The values before batches that it no longer lists: {files}; 'reg import FILE' restores them.")
            : $"{Journal.PathIn(folder)} has lost records: it does not list what {files} {(lost.Count == 1 ? "is the backup" : "are the backups")} of. "
                + "'reg import FILE' restores the values before. Once those of today are right, move the file away.";
    }

    private static bool IsUnlisted(string name, JournalContents contents) =>
        name.StartsWith(BackupStart, StringComparison.Ordinal) && name.EndsWith(BackupEnd, StringComparison.Ordinal)
        && contents.Find(name[BackupStart.Length..^BackupEnd.Length]) is null;
}
