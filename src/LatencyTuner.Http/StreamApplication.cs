using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Core.Text;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace LatencyTuner.Http;

/// <summary>The answers of the responder: a greeting with a nonce to anyone, streams of messages to clients that know the token.</summary>
internal sealed class StreamApplication(ResponderOptions options, Visitors visitors, TimeProvider time, RandomNumberGenerator random)
    : IHttpApplication<HttpContext>, IDisposable
{
    // What Kestrel holds for one stream besides the bytes between two flushes.
    private const long FixedBytes = 256 * 1024;

    private readonly ClientBudget _budget = options.Budget ?? new ClientBudget(options.Limits);
    private readonly CancellationTokenSource _stop = new();
    private readonly object _nonce = new();
    private int _active;
    private long _served;
    private long _refused;

    internal long Served => Interlocked.Read(ref _served);

    internal long Refused => Interlocked.Read(ref _refused) + visitors.Dropped;

    public void Dispose()
    {
        _stop.Dispose();
        visitors.Dispose();
    }

    public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

    public void DisposeContext(HttpContext context, Exception? exception)
    {
        if (exception is not null and not (OperationCanceledException or IOException))
        {
            options.Log?.Invoke(new(context.Connection.RemoteIpAddress, null, $"a stream ended with an error, {exception.Message.TrimEnd('.')}"));
        }
    }

    public async Task ProcessRequestAsync(HttpContext context)
    {
        context.Response.Headers["cache-control"] = "no-store";
        // Dual-mode sockets show IPv4 as a part of IPv6.
        if (options.Lease is { } lease
            && !(context.Connection.RemoteIpAddress is { } peer && lease.Admits(peer.IsIPv4MappedToIPv6 ? peer.MapToIPv4() : peer)))
        {
            await RefuseAsync(context, StatusCodes.Status503ServiceUnavailable, "Busy: this responder serves the one client that holds its lease.")
                .ConfigureAwait(false);
            return;
        }

        string path = context.Request.Path.Value ?? "";
        if (path == StreamRequest.HelloPath)
        {
            Greet(context);
            return;
        }

        if (!Knows(context))
        {
            await RefuseAsync(
                context, StatusCodes.Status401Unauthorized,
                "This responder requires its token: use a latencytuner client of the same release with --token-file FILE.").ConfigureAwait(false);
            return;
        }

        if (path == "/")
        {
            await context.Response.WriteAsync("latencytuner responder\n", context.RequestAborted).ConfigureAwait(false);
        }
        else if (path != StreamRequest.Path)
        {
            await RefuseAsync(context, StatusCodes.Status404NotFound, $"Only {StreamRequest.Path} and {StreamRequest.HelloPath} exist.").ConfigureAwait(
                false);
        }
        else if (StreamRequest.Parse(context.Request.QueryString.Value ?? "", options.Limits.StreamBytes, out string problem) is not { } asked)
        {
            await RefuseAsync(context, StatusCodes.Status400BadRequest, problem).ConfigureAwait(false);
        }
        else
        {
            await StreamAsync(context, asked).ConfigureAwait(false);
        }
    }

    /// <summary>Ends the streams that are in progress.</summary>
    internal void Stop() => _stop.Cancel();

    private async Task StreamAsync(HttpContext context, StreamRequest asked)
    {
        IPAddress client = context.Connection.RemoteIpAddress ?? IPAddress.None;
        long bytes = FixedBytes + ((asked.Ahead ? 2L : 1L) * asked.PerWrite * asked.MessageBytes);
        int active = Interlocked.Increment(ref _active);
        try
        {
            string? full = active > options.Limits.Connections || !visitors.Admit(Items(context))
                ? $"all {Counted.Of(options.Limits.Connections, "connection")} or streams of this responder are in use (--max-connections)"
                : _budget.Take(client, bytes);
            if (full is not null)
            {
                await RefuseAsync(context, StatusCodes.Status503ServiceUnavailable, $"Busy: {full}.").ConfigureAwait(false);
                return;
            }

            try
            {
                await SendAsync(context, asked).ConfigureAwait(false);
            }
            finally
            {
                _budget.Give(client, bytes);
            }
        }
        finally
        {
            Interlocked.Decrement(ref _active);
        }
    }

    private async Task SendAsync(HttpContext context, StreamRequest asked)
    {
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted, _stop.Token);
        limit.CancelAfter(options.Limits.Stream);
        Socket? socket = context.Features.Get<IConnectionSocketFeature>()?.Socket;
        try
        {
            await new StreamSender(context.Response, asked, socket, time).SendAsync(limit.Token).ConfigureAwait(false);
            Interlocked.Increment(ref _served);
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested)
        {
            // The client disconnected, the time limit passed, or the responder stops: an incomplete answer must not look complete.
            context.Abort();
        }
    }

    private void Greet(HttpContext context)
    {
        IHeaderDictionary headers = context.Response.Headers;
        headers[StreamRequest.NonceHeader] = NonceOf(context, make: true);
        headers[StreamRequest.ProtocolHeader] = StreamRequest.Protocol;
        headers[StreamRequest.TokenHeader] = options.Token is null ? "none" : "needed";
        // What a stranger could look up weaknesses by is told to those who know the token.
        if (Knows(context))
        {
            headers[StreamRequest.SoftwareHeader] = Ascii(options.Software);
            headers[StreamRequest.OsHeader] = Ascii(options.Os);
            if (options.Token is not null)
            {
                _ = visitors.Admit(Items(context));
            }
        }
    }

    /// <summary>True where no token is needed, or when the client's proof is valid; this end's own proof is then part of the answer.</summary>
    private bool Knows(HttpContext context)
    {
        if (options.Token is not { } token)
        {
            return true;
        }

        IHeaderDictionary asked = context.Request.Headers;
        (string clientNonce, string proof) = (asked[StreamRequest.ClientNonceHeader].ToString(), asked[StreamRequest.ClientProofHeader].ToString());
        string target = $"{context.Request.Path}{context.Request.QueryString}";
        if (NonceOf(context, make: false) is not { } nonce || clientNonce.Length < 2 * StreamProof.NonceSize)
        {
            return false;
        }

        bool knows = StreamProof.Same(proof, StreamProof.OfClient(token, nonce, clientNonce, target));
        if (knows || target == StreamRequest.HelloPath)
        {
            context.Response.Headers[StreamRequest.ServerProofHeader] = StreamProof.OfServer(token, nonce, clientNonce, target);
        }

        return knows;
    }

    /// <summary>The nonce of a connection: one for its whole lifetime.</summary>
    private string? NonceOf(HttpContext context, bool make)
    {
        IDictionary<object, object?> items = Items(context);
        lock (items)
        {
            if (!items.TryGetValue(_nonce, out object? nonce) && make)
            {
                byte[] bytes = new byte[StreamProof.NonceSize];
                random.GetBytes(bytes);
                items[_nonce] = nonce = Convert.ToHexString(bytes);
            }

            return (string?)nonce;
        }
    }

    private async Task RefuseAsync(HttpContext context, int status, string sentence)
    {
        Interlocked.Increment(ref _refused);
        options.Log?.Invoke(new(context.Connection.RemoteIpAddress, null, $"HTTP status {status}, {sentence}"));
        context.Response.StatusCode = status;
        await context.Response.WriteAsync(sentence + "\n", context.RequestAborted).ConfigureAwait(false);
    }

    private static IDictionary<object, object?> Items(HttpContext context) => context.Features.Get<IConnectionItemsFeature>()!.Items;

    private static string Ascii(string text)
    {
        StringBuilder plain = new(text.Length);
        foreach (char c in text)
        {
            plain.Append(c is >= ' ' and <= '~' ? c : '?');
        }

        return plain.ToString();
    }
}
