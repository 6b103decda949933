namespace LatencyTuner.Tests.Measurement.FarEnds;

/// <summary>A clock that stands still until the test moves it; its timers fire on the way.</summary>
internal sealed class ManualTime : TimeProvider
{
    private readonly object _gate = new();
    private readonly List<ManualTimer> _timers = [];
    private long _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Read(ref _now);

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch + TimeSpan.FromTicks(GetTimestamp());

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ManualTimer timer = new(this, callback, state);
        timer.Change(dueTime, period);
        lock (_gate)
        {
            _timers.Add(timer);
        }

        return timer;
    }

    internal void Advance(TimeSpan by)
    {
        long end = _now + by.Ticks;
        while (Next(end) is { } timer)
        {
            Interlocked.Exchange(ref _now, Math.Max(_now, timer.Due));
            timer.Fire();
        }

        Interlocked.Exchange(ref _now, end);
    }

    private ManualTimer? Next(long end)
    {
        lock (_gate)
        {
            return _timers.Where(t => t.Due <= end).MinBy(t => t.Due);
        }
    }

    private sealed class ManualTimer(ManualTime time, TimerCallback callback, object? state) : ITimer
    {
        internal long Due { get; private set; } = long.MaxValue;

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            Due = dueTime == Timeout.InfiniteTimeSpan ? long.MaxValue : time.GetTimestamp() + dueTime.Ticks;
            return true;
        }

        public void Dispose() => Due = long.MaxValue;

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }

        internal void Fire()
        {
            Due = long.MaxValue;
            callback(state);
        }
    }
}
