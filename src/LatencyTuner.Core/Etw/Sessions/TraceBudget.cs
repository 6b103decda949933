namespace LatencyTuner.Core.Etw.Sessions;

/// <summary>Limits of a live trace on a machine that has other work. The trace ends when one is exceeded.</summary>
public sealed record TraceBudget
{
    /// <summary>Largest number of events per second, on average over <see cref="TraceBudgetWatch.Window"/>.</summary>
    public double MaxEventsPerSecond { get; init; } = 200_000;

    /// <summary>Largest share of lost events, and of lost buffers, 0 to 1.</summary>
    public double MaxLostShare { get; init; } = 0.05;

    /// <summary>Fewer lost events than this do not end the trace: the rundown of many connections can lose some at once.</summary>
    public long LeastLostEvents { get; init; } = 1_000;

    /// <summary>Fewer lost buffers than this do not end the trace.</summary>
    public long LeastLostBuffers { get; init; } = 10;

    /// <summary>Bytes that must stay free on the volume of the file.</summary>
    public long MinFreeBytes { get; init; } = 1L << 30;
}
