namespace LatencyTuner.Core.Reporting.Model;

/// <summary>What <c>check</c> judged against.</summary>
public sealed record CheckThresholds
{
    /// <summary>Highest allowed p99 of a target in microseconds; null when none was given.</summary>
    public double? MaxP99Us { get; init; }

    /// <summary>Highest allowed share (0 to 1) of stalled requests; null when none was given.</summary>
    public double? MaxStallShare { get; init; }

    /// <summary>Severity that fails the check: <c>none</c>, <c>info</c>, <c>warning</c>, <c>error</c>.</summary>
    public required string FailOn { get; init; }
}
