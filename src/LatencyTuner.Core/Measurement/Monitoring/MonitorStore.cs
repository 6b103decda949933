using System.Globalization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>
/// Series on disk, append-only: every interval is written and flushed to the disk before the next one begins. An incomplete last record, as a
/// power failure leaves it, is removed when the folder is opened again. A full file is followed by the next; the oldest are deleted.
/// </summary>
public sealed class MonitorStore : IDisposable
{
    internal const string Pattern = "series-*.ltm";
    private const string LockName = "writer.lock";
    private readonly FileStream _lock;
    private readonly string _folder;
    private readonly long _mostBytes;
    private readonly int _mostFiles;
    private readonly MemoryStream _waiting = new();
    private FileStream _file;
    private int _number;

    private MonitorStore(string folder, long mostBytes, int mostFiles, FileStream held, FileStream file, int number, string? told)
    {
        (_folder, _mostBytes, _mostFiles, _lock, _file, _number, Told) = (folder, mostBytes, mostFiles, held, file, number, told);
    }

    /// <summary>The records found when the folder was opened, a sentence; null for a new folder.</summary>
    public string? Told { get; }

    /// <summary>Opens a folder and continues its series.</summary>
    /// <param name="folder">Created when it is not there.</param>
    /// <param name="mostBytes">Size at which a file is followed by the next.</param>
    /// <param name="mostFiles">Files kept, at least 2.</param>
    /// <exception cref="ExpectedFailureException">It cannot be written, another monitor writes to it, or its last file is not a series of monitor.</exception>
    public static MonitorStore Open(string folder, long mostBytes, int mostFiles)
    {
        try
        {
            Directory.CreateDirectory(folder);
            FileStream held = Lock(folder);
            try
            {
                string[] files = Files(folder);
                return files.Length == 0
                    ? new MonitorStore(folder, mostBytes, mostFiles, held, Create(folder, 1), 1, null)
                    : GoOn(folder, mostBytes, mostFiles, held, files[^1]);
            }
            catch
            {
                held.Dispose();
                throw;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"The folder '{folder}' cannot be used for series: {e.Message.TrimEnd('.')}.", e);
        }
    }

    /// <summary>Held by the system for as long as the process lives: a file left by a crash blocks no later process.</summary>
    private static FileStream Lock(string folder)
    {
        string path = Path.Combine(folder, LockName);
        try
        {
            return new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException e) when (e is not (FileNotFoundException or DirectoryNotFoundException or PathTooLongException) && File.Exists(path))
        {
            throw new ExpectedFailureException(
                ExitCode.Platform, $"The folder '{folder}' is in use: another monitor writes its series there; give another folder with --store.", e);
        }
    }

    private static MonitorStore GoOn(string folder, long mostBytes, int mostFiles, FileStream held, string path)
    {
        FileStream file = new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.Read);
        try
        {
            (long good, long records, bool isOurs) = Scan(file);
            if (!isOurs && !IsTornHeader(file))
            {
                throw new ExpectedFailureException(ExitCode.Input, $"{path} is not a series of 'latencytuner monitor'; give another folder.");
            }

            long torn = file.Length - good;
            file.SetLength(good);
            file.Position = good;
            if (good == 0)
            {
                WriteHeader(file);
            }

            string told = $"{folder}: continues after {Counted.Of(records, "record")} of {Path.GetFileName(path)}"
                + (torn > 0 ? $"; {Counted.Of(torn, "byte")} of an unfinished record removed." : ".");
            return new MonitorStore(folder, mostBytes, mostFiles, held, file, NumberOf(path), told);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    private static bool IsTornHeader(FileStream file)
    {
        byte[] header = MonitorRecord.Sealed(MonitorRecord.Magic);
        if (file.Length >= header.Length)
        {
            return false;
        }

        byte[] bytes = new byte[file.Length];
        file.Position = 0;
        file.ReadExactly(bytes);
        return header.AsSpan().StartsWith(bytes);
    }

    /// <summary>Adds the interval of one target to the next write.</summary>
    public void Add(MonitorInterval interval)
    {
        ArgumentNullException.ThrowIfNull(interval);
        _waiting.Write(MonitorRecord.Write(interval));
    }

    /// <summary>Writes the added intervals and flushes them to the disk.</summary>
    /// <exception cref="IOException">The disk is full or gone: the added intervals are lost, and earlier ones stay readable.</exception>
    public void Write()
    {
        long before = _file.Position;
        try
        {
            if (before > _mostBytes)
            {
                Rotate();
            }

            before = _file.Position;
            // One write, so that a crash tears at most the records of this interval.
            _file.Write(_waiting.GetBuffer().AsSpan(0, (int)_waiting.Length));
            _file.Flush(flushToDisk: true);
        }
        catch (IOException)
        {
            TryCut(before);
            throw;
        }
        finally
        {
            _waiting.SetLength(0);
        }
    }

    /// <summary>Closes the file.</summary>
    public void Dispose()
    {
        _file.Dispose();
        _lock.Dispose();
        _waiting.Dispose();
    }

    /// <summary>The files of a folder in the order they were written.</summary>
    internal static string[] Files(string folder) => [.. Directory.GetFiles(folder, Pattern).Where(f => NumberOf(f) > 0).OrderBy(NumberOf)];

    private static int NumberOf(string path) =>
        int.TryParse(Path.GetFileNameWithoutExtension(path).AsSpan("series-".Length), NumberStyles.None, CultureInfo.InvariantCulture, out int number)
            ? number : 0;

    private static string PathOf(string folder, int number) => Path.Combine(folder, $"series-{number:000000}.ltm");

    private static FileStream Create(string folder, int number)
    {
        string path = PathOf(folder, number);
        FileStream file = new(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.Read);
        try
        {
            WriteHeader(file);
            return file;
        }
        catch
        {
            // A full disk may accept a file name but no bytes: repeated in every interval, that would create thousands of empty files.
            file.Dispose();
            TryDelete(path);
            throw;
        }
    }

    private static void WriteHeader(FileStream file)
    {
        file.Write(MonitorRecord.Sealed(MonitorRecord.Magic));
        file.Flush(flushToDisk: true);
    }

    /// <summary>The offset at which the last complete record ends.</summary>
    private static (long Good, long Records, bool IsOurs) Scan(FileStream file)
    {
        MonitorLines lines = new(file);
        bool ours = false;
        long good = 0;
        long records = 0;
        while (lines.TryRead(out ReadOnlySpan<byte> line))
        {
            bool whole = MonitorRecord.TryOpen(line, out string text);
            if (lines.Number == 1)
            {
                ours = whole && text.StartsWith(MonitorRecord.Magic, StringComparison.Ordinal);
            }
            else
            {
                records += whole ? 1 : 0;
            }
            // A damaged record within the file is skipped by the reader; only bytes after the last complete record are removed.
            if (whole)
            {
                good = lines.Position;
            }
        }
        return (good, records, ours);
    }

    private void Rotate()
    {
        int number = _number + 1;
        while (Path.Exists(PathOf(_folder, number)))
        {
            number++;
        }

        FileStream next = Create(_folder, number);
        _number = number;
        _file.Dispose();
        _file = next;
        string[] files = Files(_folder);
        for (int i = 0; i < files.Length - _mostFiles; i++)
        {
            TryDelete(files[i]);
        }
    }

    /// <summary>Deletes a file that is not needed; one that another process holds open is deleted with the next.</summary>
    private static void TryDelete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The file is obsolete; the current interval must not be lost because of it.
        }
    }

    private void TryCut(long length)
    {
        try
        {
            _file.SetLength(length);
            _file.Position = length;
        }
        catch (IOException)
        {
            // The disk that failed the write may fail this too; opening the folder again removes the incomplete record.
        }
    }
}
