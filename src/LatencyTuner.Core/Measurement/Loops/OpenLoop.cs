using System.Net.Sockets;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>
/// Requests at planned times, independent of the replies, pipelined on one or many connections. One thread sends and receives: with two
/// processors, the other end needs the second one. It sleeps while the next event is far and spins the last stretch.
/// </summary>
internal sealed unsafe class OpenLoop
{
    /// <summary>Up to this many connections are read in turn; with more, one poll shows which connections have data.</summary>
    private const int AskInTurn = 4;

    private readonly OpenConnection[] _connections;
    private readonly MeasurementPlan _plan;
    private readonly SendSchedule _schedule;
    private readonly string _target;
    private readonly RunControl _control;
    private readonly LatencyRecorder _recorder;
    private readonly TimeProvider _time;
    private readonly ISocketPlatform _platform;
    private readonly int[] _writes;
    private readonly int _replySize;
    private readonly long _gapTicks;
    private readonly double _nsPerTick;
    private readonly PollEntry[] _entries;
    private readonly bool[] _ready;
    private long _start;
    private long _warmup;
    private int _turn;

    internal OpenLoop(
        IReadOnlyList<MeasuredConnection> connections, MeasurementPlan plan, SendSchedule schedule, string target, RunControl control,
        LatencyRecorder recorder, TimeProvider time, ISocketPlatform platform)
    {
        _connections = [.. connections.Select(c => new OpenConnection(c, plan.InFlight))];
        _plan = plan;
        _schedule = schedule;
        _target = target;
        _control = control;
        _recorder = recorder;
        _time = time;
        _platform = platform;
        _writes = [.. plan.Workload.Writes];
        _replySize = plan.Workload.ReplySize;
        _warmup = plan.WarmupRequests;
        _gapTicks = (long)(plan.Workload.Gap.TotalSeconds * time.TimestampFrequency);
        _nsPerTick = 1e9 / time.TimestampFrequency;
        _entries = new PollEntry[connections.Count];
        _ready = new bool[connections.Count];
    }

    /// <summary>Requests that were due when the run ended and had not been sent.</summary>
    internal long Unsent => _schedule.Left;

    /// <summary>Runs until every planned request is answered, a reply is overdue, or the run is stopped.</summary>
    internal void Run()
    {
        _start = _time.GetTimestamp();
        while (!_control.Stopped && Turn())
        {
        }
    }

    // A separate method: the runtime recompiles often-called methods during the warm-up, but never the loop around them.
    private bool Turn()
    {
        long now = _time.GetTimestamp();
        bool due = _schedule.Left > 0 && now >= NextPlanned();
        if (due && FindFree() is { } free)
        {
            // One at a time, with a check for replies in between: even when late, requests are sent one by one.
            Begin(free, now);
            due = false;
        }

        bool idle = true;
        foreach (OpenConnection connection in _connections)
        {
            if (connection.Writing && !connection.Blocked && connection.NotBefore <= now)
            {
                Write(connection);
                idle = false;
            }
        }

        idle &= !Receive();
        if (_schedule.Left == 0 && AllAnswered())
        {
            return false;
        }

        if (idle && !CheckOverdue(now))
        {
            return false;
        }

        if (idle)
        {
            Wait(due);
        }

        return true;
    }

    private long NextPlanned() => _start + (long)(_schedule.NextNs / _nsPerTick);

    private bool AllAnswered()
    {
        foreach (OpenConnection connection in _connections)
        {
            if (connection.InFlight > 0)
            {
                return false;
            }
        }

        return true;
    }

    private OpenConnection? FindFree()
    {
        for (int i = 0; i < _connections.Length; i++)
        {
            OpenConnection candidate = _connections[_turn];
            _turn = _turn + 1 == _connections.Length ? 0 : _turn + 1;
            if (candidate.Free)
            {
                return candidate;
            }
        }

        return null;
    }

    private void Begin(OpenConnection connection, long now)
    {
        long planned = NextPlanned();
        _schedule.Advance();
        _recorder.Exchanges++;
        bool counts = _warmup <= 0;
        _warmup--;
        _recorder.Sent += counts ? 1 : 0;
        connection.Begin(planned, now, counts);
    }

    private void Write(OpenConnection connection)
    {
        fixed (byte* buffer = connection.Connection.SendBuffer)
        {
            while (connection.WriteIndex < _writes.Length)
            {
                int left = _writes[connection.WriteIndex] - connection.WriteOffset;
                int sent =
                    _platform.Send(connection.Connection.Handle, buffer, Math.Min(left, connection.Connection.SendBuffer.Length), out SocketError failure);
                if (sent < 0)
                {
                    if (failure == SocketError.WouldBlock)
                    {
                        connection.Blocked = true;
                        return;
                    }

                    _control.Fail(FailureText.Send(_target, failure, _recorder.Exchanges, _plan.ReplyTimeout));
                    return;
                }

                connection.WriteOffset += sent;
                if (connection.WriteOffset < _writes[connection.WriteIndex])
                {
                    continue;
                }

                connection.WriteOffset = 0;
                connection.WriteIndex++;
                if (_gapTicks > 0 && connection.WriteIndex < _writes.Length)
                {
                    Account(connection);
                    connection.NotBefore = _time.GetTimestamp() + _gapTicks;
                    connection.WriteStarted = connection.NotBefore;
                    return;
                }
            }
        }

        Account(connection);
        connection.Writing = false;
    }

    private void Account(OpenConnection connection)
    {
        long ticks = _time.GetTimestamp() - connection.WriteStarted;
        if (_recorder.Sent > 0 && ticks > 0)
        {
            _recorder.SendTicks += ticks;
            _recorder.LongestSendTicks = Math.Max(_recorder.LongestSendTicks, ticks);
        }
    }

    private bool Receive()
    {
        bool any = false;
        if (_connections.Length > AskInTurn)
        {
            for (int i = 0; i < _connections.Length; i++)
            {
                _entries[i] = new PollEntry(_connections[i].Connection.Handle, true, false);
            }

            if (_platform.Wait(_entries, _ready, 0) == 0)
            {
                return false;
            }
        }

        for (int i = 0; i < _connections.Length; i++)
        {
            if (_connections[i].InFlight > 0 && (_connections.Length <= AskInTurn || _ready[i]))
            {
                any |= Receive(_connections[i]);
            }
        }

        return any;
    }

    private bool Receive(OpenConnection connection)
    {
        fixed (byte* buffer = connection.Connection.ReceiveBuffer)
        {
            int count = _platform.Receive(connection.Connection.Handle, buffer, MeasuredConnection.ChunkBytes, out SocketError failure);
            if (count <= 0)
            {
                if (count == 0 || failure != SocketError.WouldBlock)
                {
                    _control.Fail(FailureText.Receive(_target, count, failure, _recorder.Exchanges, _plan.ReplyTimeout));
                }

                return false;
            }

            long now = _time.GetTimestamp();
            if (connection.Connection.Rearm)
            {
                _platform.RearmImmediateAck(connection.Connection.Handle);
            }

            Take(connection, new ReadOnlySpan<byte>(buffer, count), now);
            return true;
        }
    }

    private void Take(OpenConnection connection, ReadOnlySpan<byte> bytes, long now)
    {
        while (!bytes.IsEmpty)
        {
            int stampLength = Math.Min(_replySize, connection.Stamp.Length);
            int missing = Math.Clamp(stampLength - connection.ReplyGot, 0, bytes.Length);
            bytes[..missing].CopyTo(connection.Stamp.AsSpan(Math.Min(connection.ReplyGot, connection.Stamp.Length - missing)));
            int taken = Math.Min(_replySize - connection.ReplyGot, bytes.Length);
            connection.ReplyGot += taken;
            bytes = bytes[taken..];
            if (connection.ReplyGot < _replySize)
            {
                return;
            }

            if (connection.InFlight == 0
                || !MeasuredConnection.ReadStamp(connection.Stamp.AsSpan(0, stampLength), connection.OldestSequence, out long residence))
            {
                _control.Fail(FailureText.Stamp(_target, _recorder.Exchanges));
                return;
            }

            if (connection.OldestCounts)
            {
                residence = _recorder.Record(connection.OldestPlanned, connection.OldestSent, now, residence, connection.OldestWasFirst);
                connection.Connection.Log?.Add(connection.OldestPlanned, connection.OldestSent, now, residence, connection.Stamp.AsSpan(0, stampLength));
            }

            connection.Answered();
        }
    }

    /// <summary>Ends the run when the oldest request has waited too long; a request that could not even be sent counts as well.</summary>
    private bool CheckOverdue(long now)
    {
        foreach (OpenConnection connection in _connections)
        {
            if (connection.InFlight > 0 && _time.GetElapsedTime(connection.OldestSent, now) > _plan.ReplyTimeout)
            {
                _control.Fail(FailureText.Receive(_target, -1, SocketError.WouldBlock, connection.OldestSequence + 1L, _plan.ReplyTimeout));
                return false;
            }
        }

        return true;
    }

    private void Wait(bool due)
    {
        long now = _time.GetTimestamp();
        long until = now + (_time.TimestampFrequency / 20);
        if (_schedule.Left > 0 && !due)
        {
            until = Math.Min(until, NextPlanned());
        }

        bool blocked = false;
        for (int i = 0; i < _connections.Length; i++)
        {
            OpenConnection connection = _connections[i];
            blocked |= connection.Blocked;
            if (connection.Writing && !connection.Blocked)
            {
                until = Math.Min(until, connection.NotBefore);
            }

            _entries[i] = new PollEntry(connection.Connection.Handle, true, connection.Blocked);
        }

        long leftNs = (long)((until - now) * _nsPerTick) - Pacing.SpinNs;
        if (leftNs <= 0 && !blocked)
        {
            return;
        }

        // Spinning keeps the processor and finds the reply sooner; a blocked connection is polled without waiting either way.
        int ready = _platform.Wait(_entries, _ready, _plan.Workload.Spin ? 0 : Math.Max(leftNs, 0));
        for (int i = 0; ready > 0 && i < _connections.Length; i++)
        {
            _connections[i].Blocked &= !_ready[i];
        }
    }
}
