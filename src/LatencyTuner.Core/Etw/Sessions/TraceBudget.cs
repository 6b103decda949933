namespace LatencyTuner.Core.Etw.Sessions;

/// <summary>How far a live trace may go on a machine that has other work.</summary>
public sealed record TraceBudget
{
    /// <summary>Events a second, on average over <see cref="TraceBudgetWatch.Window"/>.</summary>
    public double MaxEventsPerSecond { get; init; } = 200_000;

    /// <summary>Share of events, and of buffers, that may be lost, 0 to 1.</summary>
    public double MaxLostShare { get; init; } = 0.05;

    /// <summary>Fewer lost events than this end no trace: the rundown of many connections may lose some at once.</summary>
    public long LeastLostEvents { get; init; } = 1_000;

    /// <summary>Fewer lost buffers than this end no trace.</summary>
    public long LeastLostBuffers { get; init; } = 10;

    /// <summary>Bytes that must stay free on the volume of the file.</summary>
    public long MinFreeBytes { get; init; } = 1L << 30;
}
