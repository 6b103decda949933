using LatencyTuner.Core.Measurement.Probes;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>The settings of a monitor.</summary>
public sealed record MonitorPlan
{
    /// <summary>Requests per second to each target, 0.01 to 100.</summary>
    public double RatePerSecond { get; init; } = 1;

    /// <summary>Length of the intervals that are stored.</summary>
    public TimeSpan Interval { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long to run; null to run until it is stopped.</summary>
    public TimeSpan? Duration { get; init; }

    /// <summary>Longest wait before a target that failed is tried again.</summary>
    public TimeSpan MostBackOff { get; init; } = TimeSpan.FromSeconds(30);
}

/// <summary>One of the targets of a monitor.</summary>
/// <param name="Name">The target as the user gave it; one line without spaces.</param>
/// <param name="Open">Connects to the target; called again after a failure.</param>
public sealed record MonitorTarget(string Name, Func<CancellationToken, MonitorProbe> Open)
{
    /// <summary>True when its probes never block (responders and TCP connects), so that it needs no thread of its own.</summary>
    public bool Polled { get; init; }
}
