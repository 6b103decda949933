namespace LatencyTuner.Core.Reporting.Model;

/// <summary>One phase of a measurement under load.</summary>
public sealed record UnderLoadPhase
{
    /// <summary><c>idle</c> or <c>loaded</c>.</summary>
    public required string Kind { get; init; }

    /// <summary>Start in milliseconds after the first request.</summary>
    public required double StartMs { get; init; }

    /// <summary>Length in milliseconds.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Response times of the requests planned in it.</summary>
    public required LatencyFigures ResponseTime { get; init; }

    /// <summary>Bytes per second to the responder; null without such load.</summary>
    public double? UpBytesPerSecond { get; init; }

    /// <summary>Bytes per second from the responder; null without such load.</summary>
    public double? DownBytesPerSecond { get; init; }

    /// <summary>What this machine did.</summary>
    public required HostFigures Client { get; init; }

    /// <summary>What the responder's machine did while the load's connections were open; null in idle phases and where it did not tell.</summary>
    public HostFigures? Server { get; init; }
}
