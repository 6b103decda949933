using System.Collections.Concurrent;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>
/// Asks many targets with one thread: sends due requests one at a time, with a check for answers in between, and waits for answers
/// and for the next planned time together. Only connects have threads, for as long as they take.
/// </summary>
internal sealed class PollLoop
{
    // Poll of Windows counts whole milliseconds; a shorter wait there would be a spin.
    private static readonly long LeastWaitNs = OperatingSystem.IsWindows() ? 1_000_000 : 0;

    // A wait shorter than this did not sleep: the answer was there before it.
    private const long SleptNs = 3_000;
    private const long MostWaitNs = 100_000_000;
    private const long MostWaitOpeningNs = 10_000_000;
    private readonly PriorityQueue<PolledLine, long> _due = new();
    private readonly List<PolledLine> _waiting = [];
    private readonly ConcurrentQueue<(PolledLine Line, MonitorProbe? Probe, Exception? Error)> _opened = new();
    private readonly MonitorTiming _timing;
    private readonly MeasuringThreads _threads;
    private readonly ISocketPlatform _platform;
    private readonly TimeProvider _time;
    private readonly CancellationToken _stop;
    private readonly double _nsPerTick;
    private readonly PollEntry[] _entries;
    private readonly bool[] _ready;
    private long _lastLook;
    private int _opening;

    internal PollLoop(IEnumerable<PolledLine> lines, MonitorTiming timing, MeasuringThreads threads, MeasuringContext context, CancellationToken stop)
    {
        foreach (PolledLine line in lines)
        {
            _due.Enqueue(line, line.Schedule.Next);
        }

        _entries = new PollEntry[_due.Count];
        _ready = new bool[_due.Count];
        (_timing, _threads, _platform, _time, _stop) = (timing, threads, context.Platform, context.Time, stop);
        _nsPerTick = 1e9 / _time.TimestampFrequency;
    }

    /// <summary>Runs until it is cancelled.</summary>
    internal void Run()
    {
        using IDisposable resolution = _platform.RaiseTimerResolution();
        _lastLook = _time.GetTimestamp();
        while (!_stop.IsCancellationRequested)
        {
            Turn();
        }
        // A connect in progress sees the cancellation and hands over its probe or its failure.
        while (_opening > 0)
        {
            Opened();
            _threads.Wait(TimeSpan.FromMilliseconds(1));
        }
        _waiting.ForEach(l => l.Probe?.Dispose());
        while (_due.TryDequeue(out PolledLine? line, out _))
        {
            line.Probe?.Dispose();
        }
    }

    // A separate method: the runtime recompiles often-called methods, but the loop around them only once.
    private void Turn()
    {
        Opened();
        long now = _time.GetTimestamp();
        if (_due.TryPeek(out PolledLine? line, out long next) && next <= now)
        {
            _due.Dequeue();
            Ask(line, now);
        }
        Receive(Wait());
    }

    /// <summary>Sleeps until a socket is ready or a request is due.</summary>
    /// <returns>Timestamp of the end of the sleep.</returns>
    private long Wait()
    {
        long now = _time.GetTimestamp();
        long left = _opening > 0 ? MostWaitOpeningNs : MostWaitNs;
        if (_due.TryPeek(out _, out long next))
        {
            // Of numbers with a fraction: the time after the last request fits no other.
            left = (long)Math.Min(left, (next - now) * _nsPerTick);
        }

        // From the end, since the last entry replaces each one that failed.
        for (int i = _waiting.Count - 1; i >= 0; i--)
        {
            PolledLine waiting = _waiting[i];
            try
            {
                _entries[i] = waiting.Polled.Entry;
                left = Math.Min(left, (long)((waiting.Deadline - now) * _nsPerTick));
            }
            catch (Exception e)
            {
                _entries[i] = _entries[_waiting.Count - 1];
                Done(i);
                Fail(waiting, now, e);
            }
        }

        left = left <= 0 ? 0 : Math.Max(left, LeastWaitNs);
        _ = _platform.Wait(_entries.AsSpan(0, _waiting.Count), _ready, left);
        long woke = _time.GetTimestamp();
        long before = (woke - now) * _nsPerTick < SleptNs ? _lastLook : woke;
        _lastLook = woke;
        return before;
    }

    /// <summary>Takes the answers that have arrived.</summary>
    /// <param name="before">Timestamp at which none of them had arrived yet.</param>
    private void Receive(long before)
    {
        long now = _lastLook;
        // From the end, since the last entry replaces each finished one.
        for (int i = _waiting.Count - 1; i >= 0; i--)
        {
            PolledLine line = _waiting[i];
            try
            {
                if (_ready[i] && line.Polled.Advance())
                {
                    Done(i);
                    _timing.Received((long)((now - Math.Max(before, line.Began)) * _nsPerTick));
                    line.Schedule.Answered(now);
                    _due.Enqueue(line, line.Schedule.Next);
                }
                else if (now >= line.Deadline)
                {
                    throw line.Polled.Overdue();
                }
            }
            catch (Exception e)
            {
                Done(i);
                Fail(line, now, e);
            }
        }
    }

    private void Done(int index)
    {
        _waiting[index] = _waiting[^1];
        _waiting.RemoveAt(_waiting.Count - 1);
    }

    /// <summary>Whatever happens to one target, the others are asked for weeks to come.</summary>
    private void Fail(PolledLine line, long now, Exception error)
    {
        line.Probe?.Dispose();
        line.Probe = null;
        line.Schedule.Failed(line.Began, now, ProbeErrors.Told(line.Target.Name, error));
        _due.Enqueue(line, line.Schedule.Next);
    }

    private void Ask(PolledLine line, long now)
    {
        line.Schedule.Take(now);
        line.Began = now;
        if (line.Probe is not null)
        {
            Send(line);
        }
        else if (now < line.Schedule.RetryAt)
        {
            line.Schedule.Miss();
            _due.Enqueue(line, line.Schedule.Next);
        }
        else
        {
            _opening++;
            _threads.Start(() => Open(line));
        }
    }

    private void Send(PolledLine line)
    {
        try
        {
            line.Began = _time.GetTimestamp();
            line.Deadline = line.Began + (long)(line.Polled.ReplyTimeout.TotalSeconds * _time.TimestampFrequency);
            line.Polled.Begin();
            line.Schedule.Sent(line.Began);
            _waiting.Add(line);
        }
        catch (Exception e)
        {
            Fail(line, _time.GetTimestamp(), e);
        }
    }

    private void Open(PolledLine line)
    {
        MonitorProbe? probe = null;
        Exception? error = null;
        try
        {
            probe = line.Target.Open(_stop);
        }
        catch (Exception e)
        {
            error = e;
        }

        _opened.Enqueue((line, probe, error));
    }

    /// <summary>Takes over the probes opened since the last call.</summary>
    private void Opened()
    {
        if (_opening == 0)
        {
            return;
        }

        while (_opened.TryDequeue(out (PolledLine Line, MonitorProbe? Probe, Exception? Error) opened))
        {
            _opening--;
            if (_stop.IsCancellationRequested)
            {
                opened.Probe?.Dispose();
            }
            else if (opened.Error is { } error)
            {
                Fail(opened.Line, _time.GetTimestamp(), error);
            }
            else
            {
                opened.Line.Probe = opened.Probe;
                long now = _time.GetTimestamp();
                opened.Line.Schedule.Skip(now);
                opened.Line.Schedule.Connected(now);
                Send(opened.Line);
            }
        }
    }
}
