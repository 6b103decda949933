using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The load of one end's machine during the measurement. The figures of a server are those that the server reported.</summary>
public sealed record HostFigures
{
    /// <summary>Processors that this program may use on that machine; null when unknown.</summary>
    public int? Processors { get; init; }

    /// <summary>Share (0 to 1) of the machine's processor time that all programs used together.</summary>
    public double? MachineBusyShare { get; init; }

    /// <summary>Mean number of processors that this program used on that machine; 1 is one processor all the time.</summary>
    public double? ProcessProcessors { get; init; }

    /// <summary>Samples of the scheduling delay: how late a thread that was ready to run got a processor; 0 when it was not sampled.</summary>
    [Range(0, double.MaxValue)]
    public long DelayCount { get; init; }

    /// <summary>Median scheduling delay in microseconds.</summary>
    public double? DelayP50Us { get; init; }

    /// <summary>99th percentile of the scheduling delay in microseconds.</summary>
    public double? DelayP99Us { get; init; }

    /// <summary>Longest scheduling delay in microseconds, rounded up by 20 % at most.</summary>
    public double? DelayMaxUs { get; init; }

    /// <summary>Garbage collections of this program on that machine.</summary>
    public int GcCount { get; init; }

    /// <summary>Time that garbage collections paused this program, in milliseconds.</summary>
    public double GcPauseMs { get; init; }
}

/// <summary>The measuring machine, and what happened on it during the run.</summary>
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

    internal const string HighResolution = "high-resolution";
    internal const string Tick = "tick";

    /// <summary>
    /// The timer that this program's waits ended by: <c>high-resolution</c>, or <c>tick</c> where each lasts until a tick of the system. Null when unknown.
    /// </summary>
    public string? Timer { get; init; }

    /// <summary>The system's tick while it measured (on Linux, by how much the end of a wait may be deferred), in microseconds; null when unknown.</summary>
    public double? TimerStepUs { get; init; }

    /// <summary>Garbage collections of this program during the run.</summary>
    public int GcCount { get; init; }

    /// <summary>Time that garbage collections paused this program during the run, in milliseconds.</summary>
    public double GcPauseMs { get; init; }

    /// <summary>Number of times the clock went backwards; each latency measured across a step back counts as 0.</summary>
    [Range(0, double.MaxValue)]
    public long ClockStepsBack { get; init; }
}

/// <summary>The target of a measurement.</summary>
public sealed record TargetDescription
{
    /// <summary>The target as the user gave it; <c>loopback</c> for the responder inside this process.</summary>
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

    /// <summary>How the responder was started for this run; absent where it ran already.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ViaDescription? Via { get; init; }
}

/// <summary>A responder that was started for one run, and ended with it.</summary>
public sealed record ViaDescription
{
    /// <summary>The command of --via, as the user gave it. It only starts the responder: what is measured is the direct path.</summary>
    public required string Command { get; init; }

    /// <summary>True when the responder listened on all addresses of its host, with a token of this run.</summary>
    public bool AllAddresses { get; init; }

    /// <summary>SHA-256 of the copy of this program that ran there and was removed, in hexadecimal digits; null when it was installed there.</summary>
    public string? CopySha256 { get; init; }
}
