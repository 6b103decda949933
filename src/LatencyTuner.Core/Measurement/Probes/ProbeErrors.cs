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
        SocketError.ConnectionRefused => new($"{target} refused the connection: nothing listens on that port, or a firewall rejects it.", e) { Reason = ProbeFailure.Refused },
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
            : new($"{target} agrees on no TLS: it speaks another protocol on this port, or no version that this machine allows.", e) { Reason = ProbeFailure.Tls };

    internal static PeerFailureException Of(string target, HttpRequestException e, Version version, string? certificate)
    {
        if (Find<SocketException>(e) is { } socket)
            return Of(target, socket);
        if (certificate is not null || Find<AuthenticationException>(e) is not null)
            return Tls(target, certificate, e);
        return e.HttpRequestError switch
        {
            HttpRequestError.VersionNegotiationError => NoVersion(target, version, e),
            HttpRequestError.HttpProtocolError or HttpRequestError.ExtendedConnectNotSupported when version.Major >= 2 => NoVersion(target, version, e),
            HttpRequestError.SecureConnectionError => Tls(target, null, e),
            HttpRequestError.ResponseEnded or HttpRequestError.ConnectionError => Closed(target, e),
            HttpRequestError.InvalidResponse or HttpRequestError.HttpProtocolError => Protocol(target, "does not answer in HTTP", e),
            HttpRequestError.ConfigurationLimitExceeded => Protocol(target, "answers with headers of more than 64 KiB", e),
            _ => version.Major >= 2 && Find<IOException>(e) is not null ? NoVersion(target, version, e) : Closed(target, e),
        };
    }

    private static PeerFailureException NoVersion(string target, Version version, Exception e) =>
        new($"{target} does not offer HTTP/{(version.Major >= 2 ? version.ToString(1) : version.ToString(2))}.", e) { Reason = ProbeFailure.Version };

    internal static T? Find<T>(Exception? e)
        where T : Exception
    {
        for (; e is not null; e = e.InnerException)
        {
            if (e is T found)
                return found;
        }
        return null;
    }
}
