using System.ComponentModel;
using System.Diagnostics;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement.FarEnds;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Hosting;

/// <summary>
/// The local process that runs a program at the far end, such as ssh. Its streams are read on threads of their own and never waited for: a shared connection
/// of ssh (ControlPersist) keeps them open after the process has ended.
/// </summary>
internal sealed class FarProcess : IDisposable
{
    private const int MostErrorLines = 20;
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan Drain = TimeSpan.FromMilliseconds(300);

    // They tell a program where a remote shell came from: those of this session say nothing about the far end.
    private static readonly string[] OfThisSession = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"];
    private readonly Process _process;
    private readonly StartLineReader _reader = new();
    private readonly Queue<string> _errors = [];
    private readonly AutoResetEvent _changed = new(false);
    private readonly Thread[] _threads;
    private readonly object _gate = new();

    private FarProcess(Process process, Action<Stream>? feed)
    {
        _process = process;
        _threads =
        [
            Begin("far end output", () => ReadOutput(process.StandardOutput.BaseStream)),
            Begin("far end errors", () => ReadErrors(process.StandardError)),
        ];
        _ = Begin("far end input", () => Feed(process.StandardInput.BaseStream, feed));
    }

    /// <summary>What came before the start line.</summary>
    public IReadOnlyList<string> Banner
    {
        get
        {
            lock (_gate)
            {
                return [.. _reader.Banner];
            }
        }
    }

    /// <summary>Why no start line will come, a clause; null as long as one may.</summary>
    public string? Problem
    {
        get
        {
            lock (_gate)
            {
                return _reader.Problem;
            }
        }
    }

    /// <summary>The last lines of stderr.</summary>
    public IReadOnlyList<string> Errors
    {
        get
        {
            lock (_gate)
            {
                return [.. _errors];
            }
        }
    }

    /// <summary>Starts a process.</summary>
    /// <param name="words">Its program and arguments.</param>
    /// <param name="feed">Writes its standard input, which is closed afterwards; null closes it at once.</param>
    /// <exception cref="ExpectedFailureException">There is no such program here (<see cref="ExitCode.Usage"/>).</exception>
    public static FarProcess Start(IReadOnlyList<string> words, Action<Stream>? feed)
    {
        ProcessStartInfo start = new(words[0], words.Skip(1))
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (string name in OfThisSession)
        {
            _ = start.Environment.Remove(name);
        }

        try
        {
            return new FarProcess(Process.Start(start)!, feed);
        }
        catch (Win32Exception e)
        {
            string why = new Win32Exception(e.NativeErrorCode).Message.TrimEnd('.');
            throw new ExpectedFailureException(ExitCode.Usage, $"--via: the program '{Quoting.Plain(words[0])}' cannot be started on this machine: {why}.", e);
        }
    }

    /// <summary>Waits for the start line.</summary>
    /// <returns>Null when it did not come: the process ended, <see cref="Problem"/> says what came instead, or the time is over.</returns>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public StartLine? WaitForLine(TimeSpan patience, CancellationToken cancellation)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (waited.Elapsed < patience)
        {
            bool ended = _process.HasExited;
            if (ended)
            {
                // What it wrote last may still be on its way.
                Array.ForEach(_threads, t => t.Join(Drain));
            }

            lock (_gate)
            {
                if (_reader.Found is not null || _reader.Problem is not null || ended)
                {
                    return _reader.Found;
                }
            }

            _ = WaitHandle.WaitAny([cancellation.WaitHandle, _changed], TimeSpan.FromMilliseconds(50));
            cancellation.ThrowIfCancellationRequested();
        }

        return null;
    }

    /// <summary>How long <see cref="Dispose"/> waits for the process to end by itself.</summary>
    public TimeSpan EndPatience { get; set; } = Grace;

    /// <summary>The exit code; null when the process still runs after the time.</summary>
    public int? ExitCodeWithin(TimeSpan patience) => _process.WaitForExit(patience) ? _process.ExitCode : null;

    /// <summary>Waits a moment for the process to end by itself, then ends it.</summary>
    public void Dispose()
    {
        if (!_process.WaitForExit(EndPatience))
        {
            Kill();
        }

        _process.Dispose();
    }

    /// <summary>Ends the process and those it started.</summary>
    public void Kill()
    {
        try
        {
            _process.Kill(entireProcessTree: true);
            _ = _process.WaitForExit(Grace);
        }
        catch (Exception e) when (e is InvalidOperationException or Win32Exception or AggregateException)
        {
            // It has just ended, or a process of the tree is another user's.
        }
    }

    private static Thread Begin(string name, Action work)
    {
        Thread thread = new(() =>
        {
            try
            {
                work();
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException)
            {
                // The process ended while it was read or fed; its exit code says why.
            }
        })
        { IsBackground = true, Name = name };
        thread.Start();
        return thread;
    }

    private static void Feed(Stream input, Action<Stream>? feed)
    {
        using (input)
        {
            feed?.Invoke(input);
        }
    }

    private void ReadOutput(Stream output)
    {
        byte[] buffer = new byte[4096];
        // What follows the start line is read as well, so that nobody there waits for this end.
        while (output.Read(buffer) is > 0 and int count)
        {
            lock (_gate)
            {
                _reader.Take(buffer.AsSpan(0, count));
            }

            _ = _changed.Set();
        }

        lock (_gate)
        {
            _reader.Close();
        }

        _ = _changed.Set();
    }

    private void ReadErrors(StreamReader errors)
    {
        char[] buffer = new char[1024];
        string line = "";
        while (errors.Read(buffer) is > 0 and int count)
        {
            // A line without an end is cut: nobody reads more than the first hundred characters of it.
            string[] parts = (line + new string(buffer, 0, count)).Split('\n');
            line = Quoting.Plain(parts[^1], 500);
            Array.ForEach(parts[..^1], AddError);
        }

        AddError(line);
    }

    private void AddError(string line)
    {
        string shown = Quoting.Plain(line.Trim(), 200);
        if (shown.Length == 0)
        {
            return;
        }

        lock (_gate)
        {
            _errors.Enqueue(shown);
            if (_errors.Count > MostErrorLines)
            {
                _ = _errors.Dequeue();
            }
        }
    }
}
