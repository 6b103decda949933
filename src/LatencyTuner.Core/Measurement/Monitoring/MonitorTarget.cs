namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>One of the targets of a monitor.</summary>
/// <param name="Name">As the user gave it; one line without blanks.</param>
/// <param name="Open">Connects; called again after a failure.</param>
public sealed record MonitorTarget(string Name, Func<CancellationToken, MonitorProbe> Open)
{
    /// <summary>True when its probes never wait themselves (responders and TCP connects), so that it needs no thread of its own.</summary>
    public bool Polled { get; init; }
}
