using System.Runtime.ExceptionServices;

namespace LatencyTuner.Core.Measurement;

/// <summary>Threads of one run: when one of them fails, the others are stopped, and the failure is thrown where the run was started.</summary>
/// <param name="name">Their name, for debuggers.</param>
/// <param name="stackBytes">Their stacks.</param>
/// <param name="stop">Cancelled when one fails.</param>
internal sealed class MeasuringThreads(string name, int stackBytes, CancellationTokenSource stop)
{
    private readonly List<Thread> _threads = [];
    private Exception? _bug;

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

    /// <summary>Starts one more.</summary>
    internal void Start(Action body)
    {
        Thread thread = new(
            () =>
            {
                try
                {
                    body();
                }
                catch (Exception e)
                {
                    // Thrown again by the caller's thread: on this one it would end the process without a word.
                    _ = Interlocked.CompareExchange(ref _bug, e, null);
                    stop.Cancel();
                }
            },
            stackBytes)
        { IsBackground = true, Name = name };
        lock (_threads)
        {
            // What comes and goes over weeks leaves nothing behind.
            _ = _threads.RemoveAll(t => !t.IsAlive);
            thread.Start();
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

    /// <summary>Waits for all of them, and throws what one of them failed with.</summary>
    internal void Join()
    {
        while (!AllEnded)
            Wait(Timeout.InfiniteTimeSpan);
        if (_bug is not null)
            ExceptionDispatchInfo.Throw(_bug);
    }
}
