using System.Net.Sockets;
using System.Security.Authentication;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>What failures of sockets, TLS and HTTP mean, as sentences.</summary>
internal static class ProbeErrors
{
    internal static PeerFailureException Timeout(string target, string what, TimeSpan limit, Exception? inner = null) =>
        new($"{target} {what} within {limit.TotalSeconds:0.###} s.", inner!) { Reason = ProbeFailure.Timeout };

    internal static PeerFailureException Of(string target, SocketException e) => e.SocketErrorCode switch
    {
        SocketError.ConnectionRefused =>
            new($"{target} refused the connection: nothing listens on that port, or a firewall rejects it.", e) { Reason = ProbeFailure.Refused },
        SocketError.HostUnreachable or SocketError.NetworkUnreachable or SocketError.HostDown or SocketError.NetworkDown =>
            new($"{target} is unreachable: there is no route to it, or a router on the way says so.", e) { Reason = ProbeFailure.Unreachable },
        SocketError.TimedOut => new($"{target} did not answer: TCP gave up.", e) { Reason = ProbeFailure.Timeout },
        SocketError.ConnectionReset or SocketError.ConnectionAborted or SocketError.Shutdown =>
            new($"{target} closed the connection before it answered.", e) { Reason = ProbeFailure.Closed },
        _ => new($"{target} cannot be reached: socket error {e.SocketErrorCode}.", e) { Reason = ProbeFailure.Other },
    };

    internal static PeerFailureException Closed(string target, Exception? inner = null) =>
        new($"{target} closed the connection before its answer was whole.", inner!) { Reason = ProbeFailure.Closed };

    internal static PeerFailureException Protocol(string target, string what, Exception? inner = null) =>
        new($"{target} {what}.", inner!) { Reason = ProbeFailure.Protocol };

    /// <summary>A failed TLS handshake; the trouble with the certificate is what the validation noted, null when it had none.</summary>
    internal static PeerFailureException Tls(string target, string? certificate, Exception e) =>
        certificate is not null
            ? new($"{target} has a certificate that is not trusted ({certificate}): --insecure measures all the same.", e) { Reason = ProbeFailure.Certificate }
            : Find<SocketException>(e) is { } socket ? Of(target, socket)
            : new($"{target} agrees on no TLS: it speaks another protocol on this port, or no version that this machine allows.", e)
            {
                Reason = ProbeFailure.Tls,
            };

    /// <summary>What the error codes of HTTP/2 are called (RFC 9113, section 7).</summary>
    private static readonly string[] Http2Errors =
    [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM",
        "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ];

    private const int Http2ProtocolError = 1;
    private const int Http11Required = 13;

    /// <summary>A stream or connection of HTTP/2 that ended with an error.</summary>
    internal static PeerFailureException Ended(string target, HttpProtocolException e) => new(
        $"{target} speaks HTTP/2, which ended with the error "
        + $"{(e.ErrorCode is >= 0 and var code && code < Http2Errors.Length ? Http2Errors[code] : $"0x{e.ErrorCode:x}")} before the answer was whole.", e)
    { Reason = ProbeFailure.Closed };

    /// <summary>A failed request.</summary>
    /// <param name="target">The target as the user gave it.</param>
    /// <param name="e">What HttpClient says.</param>
    /// <param name="version">The version of HTTP that was asked for.</param>
    /// <param name="certificate">The trouble with the certificate; null for none.</param>
    /// <param name="answeredBefore">True when an answer in this version came from there before, so that it is offered.</param>
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
            HttpRequestError.InvalidResponse or HttpRequestError.HttpProtocolError => Protocol(target, "does not answer in HTTP", e),
            HttpRequestError.ConfigurationLimitExceeded => Protocol(target, "answers with headers of more than 64 KiB", e),
            // What .NET cannot read of HTTP/2 comes without a kind.
            _ when refused => NoVersion(target, version, e, sure: false),
            _ => Closed(target, e),
        };
    }

    private static PeerFailureException NoVersion(string target, Version version, Exception e, bool sure) =>
        new($"{target} does not offer HTTP/{(version.Major >= 2 ? version.ToString(1) : version.ToString(2))}{(sure ? "" : ", or breaks its rules")}.", e)
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
