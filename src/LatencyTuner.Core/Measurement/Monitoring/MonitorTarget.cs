namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>One of the targets of a monitor.</summary>
/// <param name="Name">As the user gave it; one line without blanks.</param>
/// <param name="Open">Connects; called again after a failure.</param>
public sealed record MonitorTarget(string Name, Func<CancellationToken, MonitorProbe> Open);
