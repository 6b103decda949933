using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Measurement.Http;

/// <summary>One HTTP/2 connection to the HTTP responder through HttpClient's own handler, with a stream window that is fixed or set by .NET.</summary>
internal sealed class StreamClient : IDisposable
{
    private const int MostSentence = 300;
    private readonly MeasurementTarget _target;
    private readonly MeasurementPlan _plan;
    private readonly MeasuringContext _context;
    private readonly SocketsHttpHandler _handler;
    private readonly HttpMessageInvoker _invoker;
    private readonly Socket _socket;
    private readonly Uri _base;
    private readonly int _window;
    private readonly bool _fixed;
    private StreamWindowMeter? _meter;
    private string _nonce = "";
    private bool _connected;
    private long _connectedAt;

    /// <summary>Creates a client; nothing is sent yet. Its socket belongs to the network namespace of the calling thread.</summary>
    /// <param name="target">The responder, with its HTTP port.</param>
    /// <param name="window">The stream window in bytes; null lets .NET choose it and let it grow.</param>
    /// <param name="plan">The timeouts.</param>
    /// <param name="context">Clock and randomness.</param>
    internal StreamClient(MeasurementTarget target, int? window, MeasurementPlan plan, MeasuringContext context)
    {
        _target = target;
        _plan = plan;
        _context = context;
        // The connect callback knows the address; a URL cannot contain a scope id.
        string host = target.Endpoint.Address.ToString().Split('%')[0];
        _base = new Uri($"http://{(host.Contains(':', StringComparison.Ordinal) ? $"[{host}]" : host)}:{target.Endpoint.Port}");
        _fixed = window is not null;
        _window = window ?? StreamRequest.LeastWindow;
        _handler = new SocketsHttpHandler
        {
            AllowAutoRedirect = false,
            UseCookies = false,
            UseProxy = false,
            PooledConnectionIdleTimeout = Timeout.InfiniteTimeSpan,
            ConnectTimeout = Timeout.InfiniteTimeSpan,
            InitialHttp2StreamWindowSize = _window,
            ConnectCallback = ConnectAsync,
        };
        _invoker = new HttpMessageInvoker(_handler);
        _socket = new Socket(target.Endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    }

    /// <summary>Name and version of the responder's software, as it reports them.</summary>
    internal string? Software { get; private set; }

    /// <summary>The responder's operating system, as it reports it.</summary>
    internal string? Os { get; private set; }

    /// <summary>The shortest exchange seen without a stream, nanoseconds: about one round trip.</summary>
    internal long RoundTripNs { get; private set; } = long.MaxValue;

    /// <summary>The largest window a stream had, bytes.</summary>
    internal long LargestWindow => _meter?.Largest ?? _window;

    public void Dispose()
    {
        _invoker.Dispose();
        _handler.Dispose();
        _socket.Dispose();
    }

    /// <summary>Connects and sends greetings: the first one includes the connect, the others show the round trip.</summary>
    /// <exception cref="PeerFailureException">The target does not offer HTTP/2, or is not a latencytuner responder.</exception>
    internal async Task OpenAsync(CancellationToken cancellation)
    {
        for (int i = 0; i < 3; i++)
        {
            await GreetAsync(cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>Requests a stream and reads it to its end.</summary>
    /// <exception cref="PeerFailureException">The request was refused, the stream ended early, or it does not match the request.</exception>
    internal async Task<StreamSample> FetchAsync(StreamRequest asked, CancellationToken cancellation)
    {
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        limit.CancelAfter(_plan.ReplyTimeout);
        using HttpRequestMessage request = Request(asked.Target);
        string clientNonce = Sign(request, asked.Target);
        StreamCheck check = new(asked);
        try
        {
            long start = _context.Time.GetTimestamp();
            using HttpResponseMessage response = await _invoker.SendAsync(request, limit.Token).ConfigureAwait(false);
            if ((int)response.StatusCode != 200)
            {
                throw new PeerFailureException($"{_target.Name} refused the request: {await SentenceAsync(response, limit.Token).ConfigureAwait(false)}");
            }

            Verify(response, clientNonce, asked.Target);
            long first = 0;
            using Stream body = await response.Content.ReadAsStreamAsync(limit.Token).ConfigureAwait(false);
            byte[] buffer = System.Buffers.ArrayPool<byte>.Shared.Rent(64 * 1024);
            try
            {
                for (int count; (count = await body.ReadAsync(buffer, limit.Token).ConfigureAwait(false)) > 0;)
                {
                    first = first == 0 ? Ns(start) : first;
                    if (!check.Take(buffer.AsSpan(0, count)))
                    {
                        throw new PeerFailureException($"{_target.Name} sent a stream that does not match the request, at message {check.Messages}.");
                    }

                    limit.CancelAfter(_plan.ReplyTimeout);
                }
            }
            finally
            {
                System.Buffers.ArrayPool<byte>.Shared.Return(buffer);
            }

            long done = Ns(start);
            if (!check.Whole)
            {
                throw new PeerFailureException($"{_target.Name} ended a stream after {check.Messages} of {Counted.Of(asked.Messages, "message")}.");
            }

            string? trailer = response.TrailingHeaders.TryGetValues(StreamRequest.TimesTrailer, out IEnumerable<string>? values) ? values.FirstOrDefault()
                : null;
            StreamTimes? times = StreamTimes.Read(trailer);
            bool refused = trailer is not null && times?.Possible(done, _context.Time.GetElapsedTime(_connectedAt)) != true;
            return new StreamSample(done, first, refused ? null : times, refused);
        }
        catch (Exception e) when (Failure(
            e, $"sent nothing for {_plan.ReplyTimeout.TotalSeconds:0.###} s after {check.Messages} of "
                + $"{Counted.Of(asked.Messages, "message")}", cancellation) is { } failure)
        {
            throw failure;
        }
    }

    private async Task GreetAsync(CancellationToken cancellation)
    {
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        limit.CancelAfter(_plan.ConnectTimeout);
        using HttpRequestMessage request = Request(StreamRequest.HelloPath);
        // The responder's greeting proves that it knows the token; the client's next ones prove it too, for a place of its own and to hear what answers.
        string clientNonce = Sign(request, StreamRequest.HelloPath);
        try
        {
            bool kept = _connected;
            long start = _context.Time.GetTimestamp();
            using HttpResponseMessage response = await _invoker.SendAsync(request, limit.Token).ConfigureAwait(false);
            RoundTripNs = kept ? Math.Min(RoundTripNs, Ns(start)) : RoundTripNs;
            string Header(string name) => response.Headers.TryGetValues(name, out IEnumerable<string>? values) ? Harmless(values.FirstOrDefault() ?? "") : "";
            _nonce = Header(StreamRequest.NonceHeader);
            string token = Header(StreamRequest.TokenHeader);
            if ((int)response.StatusCode != 200 || _nonce.Length < 2 * StreamProof.NonceSize || token is not ("needed" or "none"))
            {
                throw new PeerFailureException(
                    $"{_target.Name} speaks HTTP/2 but is not a latencytuner responder. Start one on that host with 'latencytuner serve --http-port "
                    + "PORT --bind ADDRESS --token-file FILE'.");
            }

            if ((token == "needed") != _target.Token is not null)
            {
                throw token == "needed" ? PeerFailureException.NeedsToken(_target.Name) : PeerFailureException.NoToken(_target.Name);
            }

            if (Header(StreamRequest.ProtocolHeader) is var version && version != StreamRequest.Protocol)
            {
                throw new PeerFailureException(
                    $"{_target.Name} speaks protocol version {(version.Length > 0 ? version : "1")}, this program speaks version {StreamRequest.Protocol}: use "
                    + "the same release of latencytuner at both ends.");
            }

            Verify(response, clientNonce, StreamRequest.HelloPath);
            (Software, Os) = (Header(StreamRequest.SoftwareHeader), Header(StreamRequest.OsHeader));
        }
        catch (Exception e) when (Failure(e, _connected
            ? $"accepted the connection but did not answer within {_plan.ConnectTimeout.TotalSeconds:0.###} s: it may not offer HTTP/2 on this port"
            : $"did not accept a connection within {_plan.ConnectTimeout.TotalSeconds:0.###} s", cancellation) is { } failure)
        {
            throw failure;
        }
    }

    private PeerFailureException? Failure(Exception e, string late, CancellationToken cancellation) => e switch
    {
        HttpRequestException http when ProbeErrors.Find<SocketException>(http) is { SocketErrorCode: SocketError.ConnectionRefused } =>
            new PeerFailureException(
            $"{_target.Name} ({_target.Endpoint}) refused the connection: nothing listens on that port, or a firewall rejects it. "
            + $"Start a responder on that host with 'latencytuner serve --http-port {_target.Endpoint.Port} --bind {_target.Endpoint.Address} "
            + "--token-file FILE'.", e),
        // After the connection was accepted, an HTTP/2 error at the greeting means that the other end speaks another protocol.
        HttpRequestException or HttpProtocolException or IOException when _connected && _nonce.Length == 0 => new PeerFailureException(
            $"{_target.Name} ({_target.Endpoint}) does not offer HTTP/2 with prior knowledge: it speaks another protocol on this port.", e)
        { Reason = ProbeFailure.Version },
        HttpRequestException http => ProbeErrors.Of(_target.Name, http, new Version(2, 0), null, _nonce.Length > 0),
        HttpProtocolException ended => ProbeErrors.Ended(_target.Name, ended),
        IOException or SocketException => ProbeErrors.Closed(_target.Name, e),
        OperationCanceledException when !cancellation.IsCancellationRequested =>
            new PeerFailureException($"{_target.Name} ({_target.Endpoint}) {late}.", e) { Reason = ProbeFailure.Timeout },
        _ => null,
    };

    private HttpRequestMessage Request(string target) =>
        new(HttpMethod.Get, new Uri(_base, target)) { Version = new Version(2, 0), VersionPolicy = HttpVersionPolicy.RequestVersionExact };

    private string Sign(HttpRequestMessage request, string target)
    {
        byte[] nonce = new byte[StreamProof.NonceSize];
        _context.Random.GetBytes(nonce);
        string text = Convert.ToHexString(nonce);
        if (_target.Token is { } token)
        {
            request.Headers.TryAddWithoutValidation(StreamRequest.ClientNonceHeader, text);
            if (_nonce.Length > 0)
            {
                request.Headers.TryAddWithoutValidation(StreamRequest.ClientProofHeader, StreamProof.OfClient(token, _nonce, text, target));
            }
        }

        return text;
    }

    private void Verify(HttpResponseMessage response, string clientNonce, string target)
    {
        string proof = response.Headers.TryGetValues(StreamRequest.ServerProofHeader, out IEnumerable<string>? values) ? values.FirstOrDefault() ?? "" : "";
        if (_target.Token is { } token && !StreamProof.Same(proof, StreamProof.OfServer(token, _nonce, clientNonce, target)))
        {
            throw PeerFailureException.OtherToken(_target.Name);
        }
    }

    private static async Task<string> SentenceAsync(HttpResponseMessage response, CancellationToken cancellation)
    {
        byte[] text = new byte[MostSentence];
        using Stream body = await response.Content.ReadAsStreamAsync(cancellation).ConfigureAwait(false);
        int count = await body.ReadAtLeastAsync(text, text.Length, throwOnEndOfStream: false, cancellation).ConfigureAwait(false);
        string said = Harmless(System.Text.Encoding.ASCII.GetString(text, 0, count)).Trim().TrimEnd('.');
        return $"HTTP status {(int)response.StatusCode}, {(said.Length > 0 ? said : "without an explanation")}.";
    }

    private static string Harmless(string text) => string.Concat(text.Take(MostSentence).Select(c => c is >= ' ' and <= '~' ? c : ' '));

    private long Ns(long start) => (long)_context.Time.GetElapsedTime(start).TotalNanoseconds;

    private async ValueTask<Stream> ConnectAsync(SocketsHttpConnectionContext context, CancellationToken cancellation)
    {
        if (_connected)
        {
            // A new connection would have another nonce and other counters.
            throw new PeerFailureException($"{_target.Name} closed the connection during the measurement.");
        }

        _connectedAt = _context.Time.GetTimestamp();
        await _socket.ConnectAsync(_target.Endpoint, cancellation).ConfigureAwait(false);
        _connected = true;
        Stream connection = new NetworkStream(_socket, ownsSocket: true);
        return _meter = new StreamWindowMeter(_fixed ? new SettingsAckFilter(connection) : connection, _window);
    }
}
