using LatencyTuner.Core;

namespace LatencyTuner.Hosting;

/// <summary>
/// A file that is written whole or not at all: opened under another name before the work starts, so that a path that cannot be written
/// fails at once, and renamed when it is complete.
/// </summary>
internal sealed class OutputFile : IDisposable
{
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
                using FileStream existing = new(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
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

    /// <summary>Renames the file to its final name.</summary>
    public void Commit()
    {
        try
        {
            Writer.Flush();
            Writer.Dispose();
            if (_temporary is not null)
            {
                File.Move(_temporary, _path, overwrite: true);
            }

            _done = true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"'{_path}' could not be written: {Reason(e)}.", e);
        }
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
