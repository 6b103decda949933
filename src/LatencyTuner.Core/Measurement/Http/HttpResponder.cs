using System.Net;

namespace LatencyTuner.Core.Measurement.Http;

/// <summary>The HTTP side of a responder. The implementation is a separate assembly, which is loaded only when a responder is started.</summary>
public abstract class HttpResponder : IDisposable
{
    /// <summary>The endpoints it listens on, with the actual port.</summary>
    public abstract IReadOnlyList<IPEndPoint> Endpoints { get; }

    /// <summary>Number of streams sent completely.</summary>
    public abstract long Served { get; }

    /// <summary>Number of refused requests.</summary>
    public abstract long Refused { get; }

    /// <summary>Stops listening and ends every connection.</summary>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Stops listening and ends every connection.</summary>
    /// <param name="disposing">True when called by <see cref="Dispose()"/>.</param>
    protected abstract void Dispose(bool disposing);
}
