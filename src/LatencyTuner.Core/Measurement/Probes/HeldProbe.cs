namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>A probe that one thread opens, uses and drops while another may interrupt it.</summary>
internal sealed class HeldProbe(Func<CancellationToken, MonitorProbe> open, CancellationToken cancellation)
{
    private readonly object _gate = new();
    private MonitorProbe? _probe;

    /// <summary>The open probe; null when there is none.</summary>
    internal MonitorProbe? Current => _probe;

    /// <summary>Returns the open probe, or opens a new one.</summary>
    internal MonitorProbe Open()
    {
        if (_probe is { } held)
        {
            return held;
        }

        MonitorProbe opened = open(cancellation);
        lock (_gate)
        {
            _probe = opened;
        }
        return opened;
    }

    /// <summary>Makes the thread that uses it return soon, after the cancellation.</summary>
    internal void Interrupt()
    {
        lock (_gate)
        {
            _probe?.Interrupt();
        }
    }

    /// <summary>Closes the probe; the next use opens a new one.</summary>
    internal void Drop()
    {
        lock (_gate)
        {
            _probe?.Dispose();
            _probe = null;
        }
    }
}
