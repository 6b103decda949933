using LatencyTuner.Core;

namespace LatencyTuner.Hosting;

/// <summary>
/// Ends a command when a file appears, as Ctrl-C does: another program can ask for it without a console, and on Windows without a signal that reaches
/// processes of the same console as well.
/// </summary>
internal sealed class StopFile : IDisposable
{
    // A look costs some microseconds; four in a second disturb no measurement.
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);
    private readonly string _path;
    private readonly CancellationTokenSource _cancel = new();
    private readonly ITimer _timer;

    private StopFile(string path, TimeProvider time)
    {
        _path = path;
        _timer = time.CreateTimer(_ => Look(), null, Pause, Pause);
    }

    /// <summary>Cancelled once the file is there.</summary>
    public CancellationToken Cancellation => _cancel.Token;

    /// <summary>Watches for a file.</summary>
    /// <param name="path">The path of the file; its folder exists.</param>
    /// <param name="time">The clock.</param>
    /// <exception cref="ExpectedFailureException">
    /// The folder is missing (<see cref="ExitCode.Usage"/>), or the file is there already (<see cref="ExitCode.Cancelled"/>).
    /// </exception>
    public static StopFile Watch(string path, TimeProvider time)
    {
        string full;
        try
        {
            full = Path.GetFullPath(path);
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException or IOException)
        {
            throw new ExpectedFailureException(ExitCode.Usage, $"--stop-with '{path}' is not valid: {e.Message.TrimEnd('.')}.", e);
        }

        if (Path.GetDirectoryName(full) is not { } folder || !Directory.Exists(folder))
        {
            throw new ExpectedFailureException(
                ExitCode.Usage, $"--stop-with '{path}' is not valid: the name of a file in an existing folder is expected.");
        }

        return Path.Exists(full)
            ? throw new ExpectedFailureException(ExitCode.Cancelled, $"--stop-with '{path}' is there already, so nothing was done: remove it first.")
            : new StopFile(full, time);
    }

    private void Look()
    {
        if (!_cancel.IsCancellationRequested && Path.Exists(_path))
        {
            _cancel.Cancel();
        }
    }

    public void Dispose()
    {
        using (ManualResetEvent ended = new(false))
        {
            // A look that is under way ends before the source is disposed of.
            if (_timer is Timer timer && timer.Dispose(ended))
            {
                _ = ended.WaitOne();
            }
            else
            {
                _timer.Dispose();
            }
        }

        _cancel.Dispose();
    }
}
