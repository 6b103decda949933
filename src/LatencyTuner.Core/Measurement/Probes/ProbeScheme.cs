namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>What a target is asked with.</summary>
public enum ProbeScheme
{
    /// <summary>A request of this program's own protocol to its responder.</summary>
    Responder,

    /// <summary>A TCP connection that is opened and closed.</summary>
    Tcp,

    /// <summary>An HTTP GET in clear text.</summary>
    Http,

    /// <summary>An HTTP GET over TLS.</summary>
    Https,

    /// <summary>A WebSocket ping in clear text (RFC 6455, section 5.5.2).</summary>
    Ws,

    /// <summary>A WebSocket ping over TLS.</summary>
    Wss,

    /// <summary>An ICMP echo (RFC 792, RFC 4443).</summary>
    Icmp,
}
