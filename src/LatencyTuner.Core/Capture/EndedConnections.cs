using System.Runtime.ExceptionServices;

namespace LatencyTuner.Core.Capture;

/// <summary>
/// Judges ended connections in order on a second thread while the next packets are followed: judging takes longer than following. The number that may
/// wait is fixed. A thread that has to wait for them judges them itself when the other one has not begun.
/// </summary>
/// <param name="sink">Called for one connection after the other, never for two at once.</param>
internal sealed class EndedConnections(IConnectionSink sink)
{
    // A second thread is worth waking for this many; fewer stay until they are waited for.
    private const int Enough = 16;
    private const int Most = 128;

    // Connections of thousands of packets would be much memory.
    private const int MostRecords = 65_536;

    private readonly object _gate = new();

    // Protected by the lock.
    private readonly Queue<Event> _waiting = [];
    private readonly Stack<TcpConnection> _judged = [];
    private int _records;
    private bool _isAsked;
    private bool _isBusy;
    private ExceptionDispatchInfo? _failure;

    /// <summary>
    /// Adds an ended connection, which must not be used before <see cref="TryTakeBack"/> gives it back. Throws what judging an earlier one threw.
    /// </summary>
    public void Add(TcpConnection connection) => Add(new Event(connection, null));

    /// <summary>Adds a handshake, which counts for the connections that end after it.</summary>
    public void Add(ShownHandshake handshake) => Add(new Event(null, handshake));

    /// <summary>Waits until all have been judged. Throws what judging one threw.</summary>
    public void Wait() => Reduce(0);

    /// <summary>Gives one judged connection back.</summary>
    public bool TryTakeBack(out TcpConnection connection)
    {
        lock (_gate)
        {
            return _judged.TryPop(out connection!);
        }
    }

    private void Add(Event item)
    {
        int most;
        lock (_gate)
        {
            _waiting.Enqueue(item);
            _records += item.Connection?.RecordCount ?? 0;
            if (!_isAsked && _waiting.Count >= Enough)
            {
                _isAsked = true;
                ThreadPool.UnsafeQueueUserWorkItem(_ => Help(), null);
            }

            if (_waiting.Count < Most && _records < MostRecords)
            {
                return;
            }

            most = _waiting.Count / 2;
        }

        Reduce(most);
    }

    private void Help()
    {
        bool mine;
        lock (_gate)
        {
            mine = !_isBusy;
            _isBusy = true;
        }

        if (mine)
        {
            Judge(0);
        }

        lock (_gate)
        {
            _isAsked = false;
        }
    }

    /// <summary>Returns when at most so many wait; with 0, when the last one has been judged as well.</summary>
    private void Reduce(int most)
    {
        lock (_gate)
        {
            while (_isBusy && (_waiting.Count > most || most == 0))
            {
                Monitor.Wait(_gate);
            }

            if (_waiting.Count > most)
            {
                _isBusy = true;
            }
            else
            {
                _failure?.Throw();
                return;
            }
        }

        Judge(most);
        _failure?.Throw();
    }

    private void Judge(int most)
    {
        while (true)
        {
            Event item;
            lock (_gate)
            {
                if (_waiting.Count <= most)
                {
                    _isBusy = false;
                    Monitor.PulseAll(_gate);
                    return;
                }

                item = _waiting.Dequeue();
                _records -= item.Connection?.RecordCount ?? 0;
                if (_waiting.Count == Most / 2)
                {
                    Monitor.PulseAll(_gate);
                }
            }

            Judge(item);
        }
    }

    private void Judge(Event item)
    {
        try
        {
            if (_failure is null && item.Handshake is { } handshake)
            {
                sink.Connected(handshake);
            }
            else if (_failure is null)
            {
                sink.Judge(item.Connection!, last: true);
            }
        }
        catch (Exception failure)
        {
            // Thrown on the thread that adds connections; those on their way here are still given back.
            _failure = ExceptionDispatchInfo.Capture(failure);
        }

        if (item.Connection is { } connection)
        {
            lock (_gate)
            {
                _judged.Push(connection);
            }
        }
    }

    private readonly record struct Event(TcpConnection? Connection, ShownHandshake? Handshake);
}
