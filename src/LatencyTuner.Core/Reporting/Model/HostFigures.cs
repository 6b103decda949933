namespace LatencyTuner.Core.Reporting.Model;

/// <summary>What one end's machine did meanwhile. A server's figures are its own word.</summary>
public sealed record HostFigures
{
    /// <summary>Processors that the process may use; null when unknown.</summary>
    public int? Processors { get; init; }

    /// <summary>Share (0 to 1) of the machine's processor time that was used, by whatever program.</summary>
    public double? MachineBusyShare { get; init; }

    /// <summary>Processors' worth of time that this program used there.</summary>
    public double? ProcessProcessors { get; init; }

    /// <summary>Looks at how late a thread that could run got to run; 0 when nobody looked.</summary>
    public long DelayCount { get; init; }

    /// <summary>Median of that delay in microseconds.</summary>
    public double? DelayP50Us { get; init; }

    /// <summary>99th percentile of that delay in microseconds.</summary>
    public double? DelayP99Us { get; init; }

    /// <summary>Longest delay in microseconds, rounded up by a fifth at most.</summary>
    public double? DelayMaxUs { get; init; }

    /// <summary>Garbage collections of this program there.</summary>
    public int GcCount { get; init; }

    /// <summary>Time for which they paused it, in milliseconds.</summary>
    public double GcPauseMs { get; init; }
}
