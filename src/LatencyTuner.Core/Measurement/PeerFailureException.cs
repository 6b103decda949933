namespace LatencyTuner.Core.Measurement;

/// <summary>The peer could not be measured; the message is a sentence for the user. Mapped to exit code 5.</summary>
internal sealed class PeerFailureException : Exception
{
    public PeerFailureException(string message)
        : base(message)
    {
    }

    public PeerFailureException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    /// <summary>The kind of failure, where it was looked at.</summary>
    public ProbeFailure Reason { get; init; }
}

/// <summary>Why an exchange failed, for counting.</summary>
public enum ProbeFailure
{
    /// <summary>Anything without a name here.</summary>
    Other,

    /// <summary>The port refused the connection.</summary>
    Refused,

    /// <summary>No route, or a router said so.</summary>
    Unreachable,

    /// <summary>Nothing came in time.</summary>
    Timeout,

    /// <summary>The peer closed or reset the connection before its answer was whole.</summary>
    Closed,

    /// <summary>The certificate is not trusted.</summary>
    Certificate,

    /// <summary>No TLS could be agreed on, or the peer speaks none.</summary>
    Tls,

    /// <summary>The peer speaks another protocol, or this one wrongly.</summary>
    Protocol,

    /// <summary>The version of HTTP asked for is not offered.</summary>
    Version,

    /// <summary>An HTTP status from 500 on.</summary>
    Status,
}
