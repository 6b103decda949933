using System.Net.Sockets;
using System.Security.Authentication;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>The error messages for failures of sockets, TLS and HTTP.</summary>
internal static class ProbeErrors
{
    internal static PeerFailureException Timeout(string target, string what, TimeSpan limit, Exception? inner = null) =>
        new($"{target} {what} within {limit.TotalSeconds:0.###} s.", inner!) { Reason = ProbeFailure.Timeout };

    internal static PeerFailureException Of(string target, SocketException e) => e.SocketErrorCode switch
    {
        SocketError.ConnectionRefused =>
            new($"{target} refused the connection: nothing listens on that port, or a firewall rejects it.", e) { Reason = ProbeFailure.Refused },
        SocketError.HostUnreachable or SocketError.NetworkUnreachable or SocketError.HostDown or SocketError.NetworkDown =>
            new($"{target} is unreachable: there is no route to it, or a router on the path reported it unreachable.", e) { Reason = ProbeFailure.Unreachable },
        SocketError.TimedOut => new($"{target} did not answer: TCP gave up retransmitting.", e) { Reason = ProbeFailure.Timeout },
        SocketError.ConnectionReset or SocketError.ConnectionAborted or SocketError.Shutdown =>
            new($"{target} closed the connection before it answered.", e) { Reason = ProbeFailure.Closed },
        _ => new($"{target} cannot be reached: socket error {e.SocketErrorCode}.", e) { Reason = ProbeFailure.Other },
    };

    /// <summary>Why one of several targets failed, also where this program did not foresee it: the failure counts there, and the others go on.</summary>
    internal static string Told(string target, Exception e) =>
        e is PeerFailureException or ExpectedFailureException or OperationCanceledException
            ? e.Message
            : $"{target} was not measured, by a fault of this program; please report it: {e.GetType().Name}: {e.Message}";

    internal static PeerFailureException Closed(string target, Exception? inner = null) =>
        new($"{target} closed the connection before its answer was complete.", inner!) { Reason = ProbeFailure.Closed };

    internal static PeerFailureException Protocol(string target, string what, Exception? inner = null) =>
        new($"{target} {what}.", inner!) { Reason = ProbeFailure.Protocol };

    /// <summary>A failed TLS handshake; the certificate problem is null when the validation found none.</summary>
    internal static PeerFailureException Tls(string target, string? certificate, Exception e) =>
        certificate is not null
            ? new($"The certificate of {target} is not trusted ({certificate}); --insecure measures it anyway.", e) { Reason = ProbeFailure.Certificate }
            : Find<SocketException>(e) is { } socket ? Of(target, socket)
            : new($"{target} did not complete the TLS handshake. Possible causes: no TLS on this port, or no TLS version that this machine allows.", e)
            {
                Reason = ProbeFailure.Tls,
            };

    /// <summary>The names of the error codes of HTTP/2 (RFC 9113, section 7).</summary>
    private static readonly string[] Http2Errors =
    [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM",
        "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ];

    private const int Http2ProtocolError = 1;
    private const int Http11Required = 13;

    /// <summary>A stream or connection of HTTP/2 that ended with an error.</summary>
    internal static PeerFailureException Ended(string target, HttpProtocolException e) => new(
        $"The HTTP/2 stream or connection to {target} ended with error "
        + $"{(e.ErrorCode is >= 0 and var code && code < Http2Errors.Length ? Http2Errors[code] : $"0x{e.ErrorCode:x}")} before the answer was complete.", e)
    { Reason = ProbeFailure.Closed };

    /// <summary>A failed request.</summary>
    /// <param name="target">The target as the user gave it.</param>
    /// <param name="e">The exception of HttpClient.</param>
    /// <param name="version">The requested version of HTTP.</param>
    /// <param name="certificate">The problem with the certificate, a phrase; null for none.</param>
    /// <param name="answeredBefore">True when the target has answered in this version before, so that it offers it.</param>
    internal static PeerFailureException Of(string target, HttpRequestException e, Version version, string? certificate, bool answeredBefore)
    {
        if (Find<SocketException>(e) is { } socket)
        {
            return Of(target, socket);
        }

        if (certificate is not null || Find<AuthenticationException>(e) is not null)
        {
            return Tls(target, certificate, e);
        }

        if (Find<HttpProtocolException>(e) is { } ended && (answeredBefore || ended.ErrorCode is not (Http2ProtocolError or Http11Required)))
        {
            return Ended(target, ended);
        }

        bool refused = version.Major >= 2 && !answeredBefore;
        return e.HttpRequestError switch
        {
            HttpRequestError.VersionNegotiationError => NoVersion(target, version, e, sure: true),
            HttpRequestError.HttpProtocolError when Find<HttpProtocolException>(e)?.ErrorCode == Http11Required => NoVersion(target, version, e, sure: true),
            HttpRequestError.HttpProtocolError or HttpRequestError.ExtendedConnectNotSupported or HttpRequestError.InvalidResponse when refused =>
                NoVersion(target, version, e, sure: false),
            HttpRequestError.SecureConnectionError => Tls(target, null, e),
            HttpRequestError.ResponseEnded or HttpRequestError.ConnectionError => Closed(target, e),
            HttpRequestError.InvalidResponse or HttpRequestError.HttpProtocolError => Protocol(target, "did not answer with HTTP", e),
            HttpRequestError.ConfigurationLimitExceeded => Protocol(target, "answered with headers of more than 64 KiB", e),
            // .NET reports HTTP/2 data that it cannot parse without an error kind.
            _ when refused => NoVersion(target, version, e, sure: false),
            _ => Closed(target, e),
        };
    }

    private static PeerFailureException NoVersion(string target, Version version, Exception e, bool sure) =>
        new($"{target} does not offer HTTP/{(version.Major >= 2 ? version.ToString(1) : version.ToString(2))}{(sure ? "" : ", or violates the protocol")}.", e)
        {
            Reason = ProbeFailure.Version,
        };

    internal static T? Find<T>(Exception? e)
        where T : Exception
    {
        for (; e is not null; e = e.InnerException)
        {
            if (e is T found)
            {
                return found;
            }
        }
        return null;
    }
}
