namespace LatencyTuner.Core.Tuning;

/// <summary>Whether a journal can be removed with its backups: only when nothing that it alone can put back is left.</summary>
public static class JournalRemoval
{
    /// <summary>Judges a journal; changes nothing.</summary>
    /// <param name="folder">The folder of the journal; it may be missing.</param>
    /// <returns>Why it must stay, sentences with what to do; null when it can be removed.</returns>
    /// <exception cref="ExpectedFailureException">It cannot be read, or a newer version wrote it.</exception>
    public static string? Refusal(IJournalFolder folder)
    {
        ArgumentNullException.ThrowIfNull(folder);
        JournalContents contents = Journal.Read(folder);
        if (JournalDamage.Of(folder, contents) is { } damage)
        {
            return $"{damage} Nothing was removed.";
        }

        int active = contents.Batches.SelectMany(b => b.Changes).Count(c => c.IsActive);
        return active == 0 ? null
            : $"{Journal.PathIn(folder)} lists {ChangeSentences.Count(active, "change")} in force, and nothing else can put the values before back. "
                + "'latencytuner rollback --all --yes' does. Nothing was removed.";
    }
}
