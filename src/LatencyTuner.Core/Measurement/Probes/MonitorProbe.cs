namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>An open way to ask one target once and again. Not thread-safe but for <see cref="Interrupt"/>.</summary>
public abstract class MonitorProbe : IDisposable
{
    /// <summary>Asks once and waits for the answer.</summary>
    /// <exception cref="PeerFailureException">There was none in time, or it was wrong; the probe is then of no more use.</exception>
    public abstract void Exchange();

    /// <summary>Makes an exchange under way on another thread return with a failure.</summary>
    public abstract void Interrupt();

    /// <summary>Closes it.</summary>
    public void Dispose()
    {
        Close();
        GC.SuppressFinalize(this);
    }

    /// <summary>Gives back what it holds.</summary>
    protected abstract void Close();
}
