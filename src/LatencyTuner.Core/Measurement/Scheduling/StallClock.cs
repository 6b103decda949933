using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Scheduling;

/// <summary>
/// A thread that waits a millisecond again and again and looks by how much each wait ended late: for how long this machine leaves a thread
/// that could run standing, whatever the reason (another thread on its processor, a hypervisor, power saving, a collection). Lateness is
/// counted from the timer's own best, since no wait ends exactly in time. What the kernel says that this thread waited in its own run queue is
/// part of that delay, but of no stall where it is told: another thread need not have waited with it. The rest of a stall stopped whatever
/// there was to run.
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

    /// <summary>What was counted so far.</summary>
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

    /// <summary>The part of a delay for which the machine stood; null when that was short.</summary>
    /// <param name="delayNs">How late the thread ran.</param>
    /// <param name="queuedNs">How long of that it was in the run queue, which is the end of it: a thread comes there when its time is up.</param>
    /// <param name="end">When it ran.</param>
    /// <param name="nsPerTick">Nanoseconds of a tick of the clock.</param>
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
