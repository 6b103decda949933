namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>An open connection, or another means, to ask one target repeatedly. Not thread-safe, except for <see cref="Interrupt"/>.</summary>
public abstract class MonitorProbe : IDisposable
{
    /// <summary>Sends one request and waits for the answer.</summary>
    /// <exception cref="PeerFailureException">No answer arrived in time, or it was wrong; the probe can then not be used again.</exception>
    public abstract void Exchange();

    /// <summary>Makes a current exchange on another thread return with a failure.</summary>
    public abstract void Interrupt();

    /// <summary>Closes the probe.</summary>
    public void Dispose()
    {
        Close();
        GC.SuppressFinalize(this);
    }

    /// <summary>Releases the resources of the probe.</summary>
    protected abstract void Close();
}
