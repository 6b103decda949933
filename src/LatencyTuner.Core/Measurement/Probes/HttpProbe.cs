using System.Net;
using System.Net.Http.Headers;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>
/// An HTTP GET: the time to the first byte (the headers of the answer) and to the last byte; on new connections also the connect and the TLS
/// handshake.
/// </summary>
internal sealed class HttpProbe : PhasedProbe
{
    /// <summary>The most bytes of a body that are read; the end of a longer body is not timed.</summary>
    internal const int MostBody = 1 << 20;

    private static readonly string[] KeptPhases = ["first byte", "whole reply"];
    private readonly ProbeAddress _address;
    private readonly IPEndPoint _endpoint;
    private readonly HttpProbeOptions _options;
    private readonly TimeProvider _time;
    private readonly Uri _uri;
    private readonly byte[] _body = new byte[16384];
    private readonly long[] _ns;
    private readonly CancellationTokenSource _interrupt = new();
    private HttpMessageInvoker _client;
    private string? _certificate;
    private long _start;
    private long _connected;
    private long _secured;
    private int _connections;
    private bool _asked;

    /// <summary>Creates a probe; nothing is sent yet.</summary>
    /// <param name="address">The URL that is requested.</param>
    /// <param name="endpoint">The address that its host resolved to.</param>
    /// <param name="options">Version, connections, certificates, timeout.</param>
    /// <param name="time">The clock.</param>
    public HttpProbe(ProbeAddress address, IPEndPoint endpoint, HttpProbeOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(address);
        ArgumentNullException.ThrowIfNull(options);
        _address = address;
        _endpoint = endpoint;
        _options = options;
        _time = time;
        _uri = new Uri(address.Text);
        Phases = options.Kept ? KeptPhases : address.Secure ? ["connect", "TLS", .. KeptPhases] : ["connect", .. KeptPhases];
        _ns = new long[Phases.Count];
        _client = Client();
    }

    /// <inheritdoc/>
    public override IReadOnlyList<string> Phases { get; }

    /// <inheritdoc/>
    public override ReadOnlySpan<long> PhaseNs => _ns;

    /// <inheritdoc/>
    public override void Exchange()
    {
        if (!_options.Kept && _asked)
        {
            _client.Dispose();
            _client = Client();
        }
        bool first = !_asked;
        _asked = true;
        _connections = 0;
        using HttpRequestMessage request = new(HttpMethod.Get, _uri) { Version = _options.Version, VersionPolicy = HttpVersionPolicy.RequestVersionExact };
        request.Headers.TryAddWithoutValidation("User-Agent", "latencytuner");
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(_interrupt.Token);
        limit.CancelAfter(_options.Timeout);
        try
        {
            _start = _time.GetTimestamp();
            AskAsync(request, limit.Token).GetAwaiter().GetResult();
        }
        catch (HttpRequestException e)
        {
            throw ProbeErrors.Of(_address.Text, e, _options.Version, _certificate, Status > 0);
        }
        catch (OperationCanceledException e)
        {
            throw ProbeErrors.Timeout(_address.Text, Late, _options.Timeout, e);
        }
        catch (HttpProtocolException e)
        {
            throw ProbeErrors.Ended(_address.Text, e);
        }
        catch (HttpIOException e) when (e.HttpRequestError == HttpRequestError.InvalidResponse)
        {
            throw ProbeErrors.Protocol(_address.Text, "sent a body that violates HTTP", e);
        }
        catch (Exception e) when (e is IOException or SocketException)
        {
            // A SocketException of its own: the peer reset the connection before its stream was made.
            throw ProbeErrors.Closed(_address.Text, e);
        }
        Reconnected = _options.Kept && !first && _connections > 0;
        if (Status >= 500)
        {
            throw new PeerFailureException($"{_address.Text} answered with HTTP status {Status}.") { Reason = ProbeFailure.Status };
        }
    }

    /// <inheritdoc/>
    public override void Interrupt() => _interrupt.Cancel();

    /// <inheritdoc/>
    protected override void Close()
    {
        _client.Dispose();
        _interrupt.Dispose();
    }

    /// <summary>The step at which an exchange timed out, as a phrase.</summary>
    private string Late => _connections > 0 && _connected == 0 ? "did not accept the connection"
        : _address.Secure && _connected != 0 && _secured == 0 ? "accepted the connection, but did not finish the TLS handshake"
        : "sent no complete answer";

    private async Task AskAsync(HttpRequestMessage request, CancellationToken cancellation)
    {
        using HttpResponseMessage response = await _client.SendAsync(request, cancellation).ConfigureAwait(false);
        long firstByte = Since(_time.GetTimestamp());
        Status = (int)response.StatusCode;
        RefuseEndless(response);
        using Stream body = await response.Content.ReadAsStreamAsync(cancellation).ConfigureAwait(false);
        int total = 0;
        int read = 1;
        while (total < MostBody && (read = await body.ReadAsync(_body, cancellation).ConfigureAwait(false)) > 0)
        {
            total += read;
        }

        int at = 0;
        if (!_options.Kept)
        {
            _ns[at++] = Since(_connected);
            if (_address.Secure)
            {
                _ns[at++] = Since(_secured);
            }
        }
        _ns[at++] = firstByte;
        // A body above the limit is not read to its end.
        _ns[at] = read == 0 ? Since(_time.GetTimestamp()) : -1;
    }

    /// <summary>Refuses an answer whose end cannot be known at once, instead of reading until the timeout.</summary>
    private void RefuseEndless(HttpResponseMessage response)
    {
        if (response.StatusCode == HttpStatusCode.SwitchingProtocols)
        {
            throw ProbeErrors.Protocol(_address.Text, "switched to another protocol without a request to do so (HTTP status 101)");
        }

        if (response.Content.Headers.ContentLength is null
            && response.Content.Headers.NonValidated.TryGetValues("Content-Length", out HeaderStringValues length))
        {
            throw ProbeErrors.Protocol(_address.Text, $"sent Content-Length {Quoting.Quote(length.ToString())}, which is not a number of bytes");
        }
    }

    private long Since(long timestamp) => timestamp == 0 ? -1 : (long)_time.GetElapsedTime(_start, timestamp).TotalNanoseconds;

    private HttpMessageInvoker Client()
    {
        _connected = _secured = 0;
        SocketsHttpHandler handler = new()
        {
            AllowAutoRedirect = false,
            UseCookies = false,
            UseProxy = false,
            PooledConnectionIdleTimeout = Timeout.InfiniteTimeSpan,
            ConnectTimeout = Timeout.InfiniteTimeSpan,
            ConnectCallback = ConnectAsync,
            PlaintextStreamFilter = (context, _) =>
            {
                _secured = _time.GetTimestamp();
                return ValueTask.FromResult(context.PlaintextStream);
            },
        };
        handler.SslOptions.RemoteCertificateValidationCallback = (_, _, chain, errors) =>
        {
            _certificate = _options.AnyCertificate || errors == SslPolicyErrors.None ? null : CertificateTrouble.Describe(chain, errors);
            return _certificate is null;
        };
        return new HttpMessageInvoker(handler);
    }

    private async ValueTask<Stream> ConnectAsync(SocketsHttpConnectionContext context, CancellationToken cancellation)
    {
        _connections++;
        Socket socket = new(_endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(_endpoint, cancellation).ConfigureAwait(false);
            _connected = _time.GetTimestamp();
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}

/// <summary>What is wrong with a certificate, in a phrase.</summary>
internal static class CertificateTrouble
{
    internal static string Describe(X509Chain? chain, SslPolicyErrors errors)
    {
        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable))
        {
            return "the server sent none";
        }

        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch))
        {
            return "it is issued for another name";
        }

        X509ChainStatusFlags all = chain?.ChainStatus.Aggregate(X509ChainStatusFlags.NoError, (sum, s) => sum | s.Status) ?? X509ChainStatusFlags.NoError;
        return all.HasFlag(X509ChainStatusFlags.NotTimeValid) ? "it has expired or is not valid yet"
            : all.HasFlag(X509ChainStatusFlags.Revoked) ? "it was revoked"
            : all.HasFlag(X509ChainStatusFlags.UntrustedRoot) ? "it is self-signed, or this machine does not trust its issuer"
            : all.HasFlag(X509ChainStatusFlags.PartialChain) ? "its certificate chain is incomplete"
            : "this machine does not trust it";
    }
}

/// <summary>The settings for HTTP and WebSocket targets.</summary>
public sealed record HttpProbeOptions
{
    /// <summary>1.1 or 2.0; no other is accepted from the server.</summary>
    public Version Version { get; init; } = new(1, 1);

    /// <summary>True: one connection for all requests; false: a new one for each.</summary>
    public bool Kept { get; init; } = true;

    /// <summary>True: any certificate is accepted.</summary>
    public bool AnyCertificate { get; init; }

    /// <summary>Longest wait for a complete answer.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(10);
}
