namespace LatencyTuner.Core.Measurement.Scheduling;

/// <summary>Processor use and scheduling delays of one end's machine during a time. A value is null where its system does not report it.</summary>
public sealed record HostUse
{
    /// <summary>Length of the time, nanoseconds.</summary>
    public long ElapsedNs { get; init; }

    /// <summary>Processors that the measuring process may use; 0 when unknown.</summary>
    public int Processors { get; init; }

    /// <summary>Share (0 to 1) of the machine's processor time that was used, by any program.</summary>
    public double? MachineBusyShare { get; init; }

    /// <summary>Processors' worth of time that the measuring process used: 1.5 is one and a half processors.</summary>
    public double? ProcessProcessors { get; init; }

    /// <summary>Number of measured scheduling delays; 0 when they were not measured.</summary>
    public long DelayCount { get; init; }

    /// <summary>Median delay of a thread that is ready to run, nanoseconds.</summary>
    public long? DelayP50Ns { get; init; }

    /// <summary>99th percentile of the delay of a thread that is ready to run, nanoseconds.</summary>
    public long? DelayP99Ns { get; init; }

    /// <summary>Largest delay of a thread that is ready to run, nanoseconds; at most 20 % too high.</summary>
    public long? DelayMaxNs { get; init; }

    /// <summary>Time for which garbage collections paused the measuring process, nanoseconds.</summary>
    public long GcPauseNs { get; init; }

    /// <summary>Number of garbage collections.</summary>
    public int GcCount { get; init; }

    internal static HostUse Between(HostSample start, HostSample end, long timestampFrequency, int processors)
    {
        long elapsed = (long)((end.Timestamp - start.Timestamp) * (1e9 / timestampFrequency));
        DelayCounts delays = end.Delays.Since(start.Delays);
        return new HostUse
        {
            ElapsedNs = Math.Max(elapsed, 0),
            Processors = processors,
            MachineBusyShare = end.Processors.MachineTotalNs - start.Processors.MachineTotalNs is > 0 and long total
                && end.Processors.MachineBusyNs - start.Processors.MachineBusyNs is { } busy ? Math.Clamp((double)busy / total, 0, 1) : null,
            ProcessProcessors = elapsed > 0 && end.Processors.ProcessNs - start.Processors.ProcessNs is { } used ? Math.Max((double)used / elapsed, 0) : null,
            DelayCount = delays.Count,
            DelayP50Ns = delays.Quantile(0.5),
            DelayP99Ns = delays.Quantile(0.99),
            DelayMaxNs = delays.Quantile(1),
            GcPauseNs = (long)(end.GcPause - start.GcPause).TotalNanoseconds,
            GcCount = end.GcCount - start.GcCount,
        };
    }
}
