namespace LatencyTuner.Tests.Measurement.Monitoring;

/// <summary>The system's clocks, moved by the test: the wall clock is set, or the machine sleeps and both go on meanwhile.</summary>
internal sealed class ShiftingTime : TimeProvider
{
    private long _steady;
    private long _wall;

    public override long GetTimestamp() => base.GetTimestamp() + Interlocked.Read(ref _steady);

    public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + TimeSpan.FromTicks(Interlocked.Read(ref _wall));

    internal void Set(TimeSpan by) => Interlocked.Add(ref _wall, by.Ticks);

    internal void Sleep(TimeSpan time)
    {
        Interlocked.Add(ref _wall, time.Ticks);
        Interlocked.Add(ref _steady, (long)(time.TotalSeconds * TimestampFrequency));
    }
}
