using System.Runtime.ExceptionServices;

namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>Threads of one run: when one of them fails, the others are stopped, and the failure is thrown where the run was started.</summary>
/// <param name="name">Their name, for debuggers.</param>
/// <param name="stackBytes">Stack size of each thread in bytes; 0 for the system's default.</param>
/// <param name="failed">Called by the thread that fails, with the reason: stops the others, and must not throw.</param>
internal sealed class MeasuringThreads(string name, int stackBytes, Action<Exception> failed)
{
    private readonly List<Thread> _threads = [];
    private Exception? _bug;
    private int _running;

    internal MeasuringThreads(string name, int stackBytes, CancellationTokenSource stop)
        : this(name, stackBytes, _ => stop.Cancel())
    {
    }

    internal bool AllEnded
    {
        get
        {
            lock (_threads)
            {
                _ = _threads.RemoveAll(t => !t.IsAlive);
                return _threads.Count == 0;
            }
        }
    }

    /// <summary>Starts one more thread.</summary>
    /// <param name="body">The work of the thread.</param>
    /// <param name="own">Name of this thread; null for the common name.</param>
    internal void Start(Action body, string? own = null)
    {
        Thread thread = new(() => Run(body), stackBytes) { IsBackground = true, Name = own ?? name };
        lock (_threads)
        {
            // Threads that ended must not accumulate here over weeks.
            _ = _threads.RemoveAll(t => !t.IsAlive);
            thread.Start();
            _running++;
            _threads.Add(thread);
        }
    }

    /// <summary>Waits until one of them has ended or the time has passed.</summary>
    internal void Wait(TimeSpan most)
    {
        Thread? first;
        lock (_threads)
        {
            first = _threads.Find(t => t.IsAlive);
        }
        _ = first?.Join(most);
    }

    /// <summary>Waits until all of them have ended or the time has passed; throws nothing.</summary>
    /// <returns>Whether all have ended.</returns>
    internal bool WaitAll(TimeSpan most)
    {
        lock (_threads)
        {
            return _running == 0 || Monitor.Wait(_threads, most);
        }
    }

    /// <summary>Waits for all of them, and throws what one of them failed with.</summary>
    internal void Join()
    {
        while (!AllEnded)
        {
            Wait(Timeout.InfiniteTimeSpan);
        }

        if (_bug is not null)
        {
            ExceptionDispatchInfo.Throw(_bug);
        }
    }

    private void Run(Action body)
    {
        try
        {
            body();
        }
        catch (Exception e)
        {
            // Thrown again by the caller's thread: on this one it would end the process without a message.
            _ = Interlocked.CompareExchange(ref _bug, e, null);
            failed(e);
        }
        finally
        {
            lock (_threads)
            {
                if (--_running == 0)
                {
                    Monitor.PulseAll(_threads);
                }
            }
        }
    }
}
