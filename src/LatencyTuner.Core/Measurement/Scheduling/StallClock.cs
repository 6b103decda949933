using LatencyTuner.Core.Measurement.Platform;

namespace LatencyTuner.Core.Measurement.Scheduling;

/// <summary>
/// A thread that waits a millisecond again and again and looks by how much each wait ended late: for how long this machine leaves a thread
/// that could run standing, whatever the reason (another thread on its processor, a hypervisor, power saving, a collection). Lateness is
/// counted from the timer's own best, since no wait ends exactly in time.
/// </summary>
internal sealed class StallClock : IDisposable
{
    /// <summary>A delay of at least this many nanoseconds is kept as a stall with its times.</summary>
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
        while (!_stop)
        {
            long start = _time.GetTimestamp();
            _platform.Wait([], [], PeriodNs);
            long end = _time.GetTimestamp();
            long lateNs = (long)((end - start) * nsPerTick) - PeriodNs;
            best = Math.Min(best, lateNs);
            Count(Math.Max(lateNs - best, 0), end, nsPerTick);
        }
    }

    private void Count(long delayNs, long end, double nsPerTick)
    {
        lock (_gate)
        {
            _counts.Add(delayNs);
            if (delayNs >= StallNs)
            {
                _stalls[_stallCount++ % KeptStalls] = (end - (long)(delayNs / nsPerTick), end);
                Interlocked.Add(ref _stalledNs, delayNs);
            }
        }
    }
}
