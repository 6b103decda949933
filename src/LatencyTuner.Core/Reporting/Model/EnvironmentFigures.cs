namespace LatencyTuner.Core.Reporting.Model;

/// <summary>What else happened on the measuring machine.</summary>
public sealed record EnvironmentFigures
{
    /// <summary>Version of this program.</summary>
    public required string ToolVersion { get; init; }

    /// <summary>Operating system of this end.</summary>
    public required string Os { get; init; }

    /// <summary>.NET runtime of this end.</summary>
    public required string Runtime { get; init; }

    /// <summary>Processors this process may use.</summary>
    public required int Processors { get; init; }

    /// <summary>Garbage collections during the run.</summary>
    public int GcCount { get; init; }

    /// <summary>Time the process was paused by them in milliseconds.</summary>
    public double GcPauseMs { get; init; }

    /// <summary>Times the clock went backwards; each such latency was counted as 0.</summary>
    public long ClockStepsBack { get; init; }
}
