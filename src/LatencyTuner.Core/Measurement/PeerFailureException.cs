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

    /// <summary>The kind of failure; <see cref="ProbeFailure.Other"/> when it was not classified.</summary>
    public ProbeFailure Reason { get; init; }

    /// <summary>The option without which the peer refuses this end; null for other failures.</summary>
    public string? Missing { get; init; }

    /// <summary>The responder asks for a token, and none was given.</summary>
    /// <param name="target">The target by name.</param>
    public static PeerFailureException NeedsToken(string target) =>
        new($"{target} requires a token: give the same token with --token-file FILE.") { Missing = "--token-file" };

    /// <summary>The responder has no token, and one was given.</summary>
    /// <param name="target">The target by name.</param>
    public static PeerFailureException NoToken(string target) => new(
        $"{target} uses no token, so it cannot prove its identity: omit --token-file, or start the responder with --token-file FILE.");

    /// <summary>The token of this end is not the responder's.</summary>
    /// <param name="target">The target by name.</param>
    public static PeerFailureException OtherToken(string target) => new(
        $"{target} did not prove that it knows the token in --token-file: it was started with another token, it is not the responder you started, or the "
        + "connection is intercepted.");
}

/// <summary>Why an exchange failed, for counting.</summary>
public enum ProbeFailure
{
    /// <summary>Any other failure.</summary>
    Other,

    /// <summary>The port refused the connection.</summary>
    Refused,

    /// <summary>There is no route to the target, or a router reported it unreachable.</summary>
    Unreachable,

    /// <summary>No answer arrived within the timeout.</summary>
    Timeout,

    /// <summary>The peer closed or reset the connection before its answer was complete.</summary>
    Closed,

    /// <summary>The certificate is not trusted.</summary>
    Certificate,

    /// <summary>The TLS handshake failed, or the peer does not use TLS.</summary>
    Tls,

    /// <summary>The peer speaks another protocol, or violates this one.</summary>
    Protocol,

    /// <summary>The requested version of HTTP is not offered.</summary>
    Version,

    /// <summary>HTTP status 500 or above.</summary>
    Status,
}
