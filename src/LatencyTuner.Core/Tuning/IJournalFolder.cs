namespace LatencyTuner.Core.Tuning;

/// <summary>
/// The folder of the journal and the backups, as narrow as the journal needs it. Implementations: the disk, and memory in tests, where every
/// step can fail or be the last.
/// </summary>
public interface IJournalFolder
{
    /// <summary>Its path, for sentences.</summary>
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
