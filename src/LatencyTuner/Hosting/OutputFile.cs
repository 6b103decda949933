using LatencyTuner.Core;

namespace LatencyTuner.Hosting;

/// <summary>
/// A file that is written whole or not at all: opened under another name before the work starts, so that a path that cannot be written
/// fails at once, and renamed when it is complete.
/// </summary>
internal sealed class OutputFile : IDisposable
{
    /// <summary>Virus scanners, indexers and viewers let go of a file within this time, as a rule.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    private readonly string _path;
    private readonly string? _temporary;
    private bool _done;

    private OutputFile(string path, string? temporary, StreamWriter writer)
    {
        _path = path;
        _temporary = temporary;
        Writer = writer;
    }

    public StreamWriter Writer { get; }

    /// <summary>Where the file was written because its place was taken; null when it stands where it was asked for.</summary>
    public string? Beside { get; private set; }

    public static OutputFile Open(string path, string option)
    {
        try
        {
            Refuse(path);
            if (IsDevice(path))
            {
                // A device cannot be replaced by a finished file, and must not be.
                return new OutputFile(path, null, new StreamWriter(new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite)));
            }

            if (File.Exists(path))
            {
                // Whether it may be replaced is tested now, not after an hour of measuring.
                using FileStream existing = new(path, FileMode.Open, Waitless(path), FileShare.ReadWrite);
                if (!existing.CanSeek)
                {
                    throw new IOException("it is a pipe; without this option the report goes to standard output, which can be one");
                }
            }

            string temporary = $"{path}.{Environment.ProcessId}.partial";
            return new OutputFile(path, temporary, new StreamWriter(temporary, append: false));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            ExitCode code = e is UnauthorizedAccessException ? ExitCode.Platform : ExitCode.Usage;
            throw new ExpectedFailureException(code, $"{option} '{path}' cannot be written: {e.Message.TrimEnd('.')}.", e);
        }
    }

    /// <summary>Renames the file to its final name. A place that another program holds is tried again for a while; then the file stands beside it.</summary>
    /// <exception cref="ExpectedFailureException">It was not written, or not there (<see cref="ExitCode.Platform"/>; see <see cref="Beside"/>).</exception>
    public void Commit()
    {
        try
        {
            Writer.Flush();
            Writer.Dispose();
            if (_temporary is not null)
            {
                Place(_temporary);
            }

            _done = true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"'{_path}' could not be written: {Reason(e)}.", e);
        }
    }

    private void Place(string temporary)
    {
        long until = Environment.TickCount64 + (long)Patience.TotalMilliseconds;
        while (true)
        {
            try
            {
                File.Move(temporary, _path, overwrite: true);
                return;
            }
            catch (Exception e) when ((e is IOException or UnauthorizedAccessException) && File.Exists(temporary))
            {
                if (Environment.TickCount64 >= until)
                {
                    PlaceBeside(temporary, e);
                    return;
                }
            }

            Thread.Sleep(Pause);
        }
    }

    /// <summary>A rename may be refused where a replacement is not (the target's rights and streams are kept); what fails then goes beside it.</summary>
    private void PlaceBeside(string temporary, Exception refused)
    {
        try
        {
            File.Replace(temporary, _path, null);
            return;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The first failure says why.
        }

        string beside = Enumerable.Range(1, int.MaxValue)
            .Select(n => Path.Combine(
                Path.GetDirectoryName(_path) ?? "", $"{Path.GetFileNameWithoutExtension(_path)}.{n}{Path.GetExtension(_path)}"))
            .First(name => !Path.Exists(name));
        File.Move(temporary, beside);
        (Beside, _done) = (beside, true);
        throw new ExpectedFailureException(
            ExitCode.Platform,
            $"'{_path}' could not be replaced, perhaps because another program has it open: {Reason(refused)}. It was written as '{beside}' instead.", refused);
    }

    /// <summary>Why a write failed, without the temporary name of the file, which means nothing to the user.</summary>
    internal static string Reason(Exception e)
    {
        int name = e.Message.IndexOf(" : '", StringComparison.Ordinal);
        return (name > 0 ? e.Message[..name] : e.Message).TrimEnd('.');
    }

    public void Dispose()
    {
        if (_done)
        {
            return;
        }

        _done = true;
        Try(Writer.Dispose);
        Try(() =>
        {
            if (_temporary is not null)
            {
                File.Delete(_temporary);
            }
        });
    }

    private static void Refuse(string path)
    {
        if (path.Length == 0)
        {
            throw new IOException("a file name is expected");
        }

        if (Directory.Exists(path) || Path.EndsInDirectorySeparator(path))
        {
            throw new IOException("it is a folder");
        }

        if (Path.GetDirectoryName(Path.GetFullPath(path)) is { } folder && !Directory.Exists(folder))
        {
            throw new IOException($"the folder '{folder}' does not exist");
        }
    }

    /// <summary>A named pipe that is opened for writing alone waits for a reader, for ever; for both it does not (fifo(7)).</summary>
    private static FileAccess Waitless(string path) =>
        !OperatingSystem.IsWindows() && File.GetUnixFileMode(path).HasFlag(UnixFileMode.UserRead) ? FileAccess.ReadWrite : FileAccess.Write;

    private static bool IsDevice(string path) => OperatingSystem.IsWindows()
        ? Path.GetFullPath(path).StartsWith(@"\\.\", StringComparison.Ordinal)
        : Path.GetFullPath(path).StartsWith("/dev/", StringComparison.Ordinal) && File.Exists(path);

    private static void Try(Action cleanUp)
    {
        try
        {
            cleanUp();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A disk that failed the write may also fail the clean-up; the first failure has been reported.
        }
    }
}
