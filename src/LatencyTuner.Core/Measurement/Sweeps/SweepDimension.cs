namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>What a sweep varies.</summary>
public enum SweepDimension
{
    /// <summary>Planned requests per second of an open loop.</summary>
    Rate,

    /// <summary>Size of a message in bytes.</summary>
    Size,

    /// <summary>Connections that work at the same time.</summary>
    Connections,

    /// <summary>SO_RCVBUF of the end that receives the requests, the responder's, in bytes.</summary>
    ReceiveBuffer,

    /// <summary>SO_SNDBUF of the end that sends the requests, this one, in bytes.</summary>
    SendBuffer,

    /// <summary>
    /// The receive window the responder may offer in bytes: its SO_RCVBUF, set before it listens so that the window scale fits (RFC 7323 2.2).
    /// </summary>
    Window,

    /// <summary>Messages handed to the system in one write.</summary>
    Batch,
}
