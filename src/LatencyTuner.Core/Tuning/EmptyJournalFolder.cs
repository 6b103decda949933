namespace LatencyTuner.Core.Tuning;

/// <summary>The folder of a machine that is not here: nothing in it, nothing goes into it. For what would be changed according to a snapshot.</summary>
public sealed class EmptyJournalFolder : IJournalFolder
{
    /// <inheritdoc/>
    public string Path => "";

    /// <inheritdoc/>
    public IDisposable Lock() => throw None();

    /// <inheritdoc/>
    public byte[]? Read(string name, int maxBytes) => null;

    /// <inheritdoc/>
    public void Append(string name, ReadOnlySpan<byte> bytes) => throw None();

    /// <inheritdoc/>
    public void Truncate(string name, long length) => throw None();

    private static ExpectedFailureException None() => new(ExitCode.Platform, "A snapshot has no journal, so nothing can be changed there.");
}
