using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Scheduling;

/// <summary>
/// A thread that repeatedly waits 1 ms and measures how late each wait ends: how long this machine does not run a thread that is ready,
/// whatever the reason (another thread on its processor, a hypervisor, power saving, a garbage collection). Lateness is counted from the
/// earliest end of a wait so far, since no wait ends exactly in time. The delay includes the wait of this thread in its own run queue. A
/// stall does not include it where the kernel reports it: other threads may not have waited then. The rest of a stall stopped every thread.
/// </summary>
internal sealed class StallClock : IDisposable
{
    /// <summary>A delay of at least this many nanoseconds beyond the wait in the run queue is kept as a stall with its times.</summary>
    internal const long StallNs = 200_000;

    private const long PeriodNs = 1_000_000;
    private const int KeptStalls = 8192;
    private readonly object _gate = new();
    private readonly DelayCounts _counts = new();
    private readonly (long Start, long End)[] _stalls = new (long, long)[KeptStalls];
    private readonly TimeProvider _time;
    private readonly ISocketPlatform _platform;
    private readonly Thread _thread;
    private volatile bool _stop;
    private long _stallCount;
    private long _stalledNs;

    internal StallClock(TimeProvider time, ISocketPlatform platform)
    {
        _time = time;
        _platform = platform;
        _thread = new Thread(Run) { IsBackground = true, Name = "stall clock" };
        _thread.Start();
    }

    /// <summary>Sum of all stalls so far, nanoseconds; cheap enough to be read for every request.</summary>
    internal long StalledNs => Interlocked.Read(ref _stalledNs);

    public void Dispose()
    {
        _stop = true;
        _thread.Join();
    }

    /// <summary>Returns the delays counted so far.</summary>
    internal DelayCounts Counts()
    {
        lock (_gate)
        {
            return _counts.Copy();
        }
    }

    /// <summary>The last stalls, oldest first, as timestamps of the clock.</summary>
    internal (long Start, long End)[] Stalls()
    {
        lock (_gate)
        {
            int kept = (int)Math.Min(_stallCount, KeptStalls);
            return [.. Enumerable.Range(0, kept).Select(i => _stalls[(_stallCount - kept + i) % KeptStalls])];
        }
    }

    private void Run()
    {
        using IDisposable slack = _platform.RaiseTimerResolution();
        double nsPerTick = 1e9 / _time.TimestampFrequency;
        long best = long.MaxValue;
        long queued = _platform.ReadRunDelayNs() ?? 0;
        while (!_stop)
        {
            long start = _time.GetTimestamp();
            _platform.Wait([], [], PeriodNs);
            long end = _time.GetTimestamp();
            long lateNs = (long)((end - start) * nsPerTick) - PeriodNs;
            best = Math.Min(best, lateNs);
            long queuedBefore = queued;
            queued = _platform.ReadRunDelayNs() ?? 0;
            Count(Math.Max(lateNs - best, 0), queued - queuedBefore, end, nsPerTick);
        }
    }

    /// <summary>The part of a delay during which the machine ran no thread; null when it was short.</summary>
    /// <param name="delayNs">How late the thread ran, nanoseconds.</param>
    /// <param name="queuedNs">The part of it in the run queue, nanoseconds. It is the last part: a thread enters the queue when its wait is over.</param>
    /// <param name="end">Timestamp at which it ran.</param>
    /// <param name="nsPerTick">Nanoseconds per tick of the clock.</param>
    internal static (long Start, long End)? Stood(long delayNs, long queuedNs, long end, double nsPerTick) =>
        delayNs - queuedNs >= StallNs ? (end - (long)(delayNs / nsPerTick), end - (long)(Math.Max(queuedNs, 0) / nsPerTick)) : null;

    private void Count(long delayNs, long queuedNs, long end, double nsPerTick)
    {
        lock (_gate)
        {
            _counts.Add(delayNs);
            if (Stood(delayNs, queuedNs, end, nsPerTick) is { } stall)
            {
                _stalls[_stallCount++ % KeptStalls] = stall;
                Interlocked.Add(ref _stalledNs, (long)((stall.End - stall.Start) * nsPerTick));
            }
        }
    }
}
