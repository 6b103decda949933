using System.ComponentModel.DataAnnotations;

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
    [Range(0, double.MaxValue)]
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
    [Range(0, double.MaxValue)]
    public long ClockStepsBack { get; init; }
}

/// <summary>What was measured.</summary>
public sealed record TargetDescription
{
    /// <summary>As the user gave it, <c>loopback</c> for the responder inside this process.</summary>
    public required string Name { get; init; }

    /// <summary>The address that was connected to.</summary>
    public string? Address { get; init; }

    /// <summary>The TCP port.</summary>
    public int? Port { get; init; }

    /// <summary><c>IPv4</c> or <c>IPv6</c>.</summary>
    public string? Family { get; init; }

    /// <summary>Version of the responder that answered.</summary>
    public string? ResponderVersion { get; init; }

    /// <summary>Operating system of the responder that answered.</summary>
    public string? ResponderOs { get; init; }
}
