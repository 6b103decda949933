namespace LatencyTuner.Core.Tuning;

/// <summary>
/// The folder of the journal and the backups, as narrow as the journal needs it. Implementations: the disk, and memory in tests, where every
/// step can fail or be the last.
/// </summary>
public interface IJournalFolder
{
    /// <summary>The path of the folder, for messages.</summary>
    string Path { get; }

    /// <summary>Creates the folder where it is missing and takes the exclusive lock.</summary>
    /// <returns>Releases the lock when disposed of.</returns>
    /// <exception cref="ExpectedFailureException">Another process has it (<see cref="ExitCode.Change"/>).</exception>
    IDisposable Lock();

    /// <summary>Reads a whole file.</summary>
    /// <param name="name">Name in this folder.</param>
    /// <param name="maxBytes">The largest size accepted.</param>
    /// <returns>Its bytes; null when it is not there.</returns>
    /// <exception cref="ExpectedFailureException">It is larger (<see cref="ExitCode.Input"/>).</exception>
    byte[]? Read(string name, int maxBytes);

    /// <summary>The names of its files; none where the folder is missing.</summary>
    /// <exception cref="ExpectedFailureException">It cannot be read.</exception>
    IReadOnlyList<string> Names();

    /// <summary>Appends to a file, creating it where it is missing, and flushes it to the disk before it returns.</summary>
    /// <param name="name">Name in this folder.</param>
    /// <param name="bytes">What to append.</param>
    /// <exception cref="IOException">Not all was written; some bytes of it may be.</exception>
    void Append(string name, ReadOnlySpan<byte> bytes);

    /// <summary>Cuts a file and flushes it to the disk before it returns.</summary>
    /// <param name="name">Name in this folder.</param>
    /// <param name="length">The bytes to keep.</param>
    void Truncate(string name, long length);
}

/// <summary>The empty, read-only folder of a machine that is known by a snapshot only, for showing what would be changed there.</summary>
public sealed class EmptyJournalFolder : IJournalFolder
{
    /// <inheritdoc/>
    public string Path => "";

    /// <inheritdoc/>
    public IDisposable Lock() => throw None();

    /// <inheritdoc/>
    public byte[]? Read(string name, int maxBytes) => null;

    /// <inheritdoc/>
    public IReadOnlyList<string> Names() => [];

    /// <inheritdoc/>
    public void Append(string name, ReadOnlySpan<byte> bytes) => throw None();

    /// <inheritdoc/>
    public void Truncate(string name, long length) => throw None();

    private static ExpectedFailureException None() => new(ExitCode.Platform, "A snapshot has no journal, so nothing can be changed there.");
}

/// <summary>An entry of the access list of a folder.</summary>
/// <param name="Sid">The SID of the account or group that the entry is for.</param>
/// <param name="Rights">The rights as Windows numbers them (winnt.h, ACCESS_MASK).</param>
/// <param name="Allows">True when it grants them, false when it denies them.</param>
/// <param name="IsInheritOnly">True when it holds for what is in the folder only.</param>
public sealed record FolderAccess(string Sid, int Rights, bool Allows, bool IsInheritOnly);
