namespace LatencyTuner.Core.Tuning;

/// <summary>
/// The journal's folder on a disk. The caller decides who may write to it: on Windows it checks owner, ACL and reparse points before it hands
/// the path over.
/// </summary>
/// <param name="path">Full path of the folder; created where it is missing.</param>
public sealed class DiskJournalFolder(string path) : IJournalFolder
{
    /// <summary>The name of the file whose exclusive use is the lock.</summary>
    public const string LockName = "journal.lock";

    /// <inheritdoc/>
    public string Path { get; } = path;

    /// <inheritdoc/>
    public IDisposable Lock()
    {
        try
        {
            Directory.CreateDirectory(Path);
            return new FileStream(Full(LockName), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (UnauthorizedAccessException failure)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{Path} cannot be written by this user. Run latencytuner as administrator.", failure);
        }
        catch (IOException failure) when (File.Exists(Full(LockName)))
        {
            throw new ExpectedFailureException(
                ExitCode.Change, $"Another latencytuner is changing settings (it holds {Full(LockName)}). Wait until it has ended. Nothing was changed.",
                failure);
        }
        catch (IOException failure)
        {
            throw new ExpectedFailureException(ExitCode.Change, $"{Path} cannot be created: {failure.Message} Nothing was changed.", failure);
        }
    }

    /// <inheritdoc/>
    public byte[]? Read(string name, int maxBytes)
    {
        try
        {
            using FileStream file = new(Full(name), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            if (file.Length > maxBytes)
            {
                throw new ExpectedFailureException(
                    ExitCode.Input, $"{Full(name)}: {file.Length} bytes are too many for a journal; at most {maxBytes} bytes are read.");
            }

            byte[] bytes = new byte[file.Length];
            file.ReadExactly(bytes);
            return bytes;
        }
        catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
        catch (UnauthorizedAccessException failure)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{Full(name)} cannot be read by this user. Run latencytuner as administrator.", failure);
        }
        catch (IOException failure)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{Full(name)} cannot be read: {failure.Message}", failure);
        }
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Names()
    {
        try
        {
            return [.. Directory.EnumerateFiles(Path).Select(f => System.IO.Path.GetFileName(f)).Order(StringComparer.Ordinal)];
        }
        catch (DirectoryNotFoundException)
        {
            return [];
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{Path} cannot be read: {failure.Message}", failure);
        }
    }

    /// <inheritdoc/>
    public void Append(string name, ReadOnlySpan<byte> bytes)
    {
        // No flush of the directory: NTFS keeps its log in order, so a file that was flushed is also in its directory.
        using FileStream file = new(Full(name), FileMode.Append, FileAccess.Write, FileShare.Read, bufferSize: 0);
        file.Write(bytes);
        file.Flush(flushToDisk: true);
    }

    /// <inheritdoc/>
    public void Truncate(string name, long length)
    {
        using FileStream file = new(Full(name), FileMode.Open, FileAccess.Write, FileShare.Read);
        file.SetLength(length);
        file.Flush(flushToDisk: true);
    }

    private string Full(string name) => System.IO.Path.Combine(Path, name);
}
