using LatencyTuner.Core.Measurement.Probes;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>The state of one target of a <see cref="PollLoop"/>.</summary>
internal sealed class PolledLine(MonitorTarget target, MonitorSchedule schedule)
{
    private MonitorProbe? _probe;
    private IPolledProbe? _polled;

    internal MonitorTarget Target { get; } = target;

    internal MonitorSchedule Schedule { get; } = schedule;

    /// <summary>The open connection; null before the connect and after a failure.</summary>
    internal MonitorProbe? Probe
    {
        get => _probe;
        set => (_probe, _polled) = (value, value as IPolledProbe);
    }

    internal IPolledProbe Polled => _polled!;

    /// <summary>Timestamp at which the current exchange or connect began.</summary>
    internal long Began { get; set; }

    /// <summary>Timestamp at which the awaited answer is overdue.</summary>
    internal long Deadline { get; set; }
}
