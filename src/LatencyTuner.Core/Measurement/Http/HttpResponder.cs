using System.Net;

namespace LatencyTuner.Core.Measurement.Http;

/// <summary>The HTTP side of a responder. Its implementation is an assembly of its own, which is loaded where one is started and nowhere else.</summary>
public abstract class HttpResponder : IDisposable
{
    /// <summary>Where it listens, with the real port.</summary>
    public abstract IReadOnlyList<IPEndPoint> Endpoints { get; }

    /// <summary>Streams sent to their end.</summary>
    public abstract long Served { get; }

    /// <summary>Requests refused.</summary>
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
