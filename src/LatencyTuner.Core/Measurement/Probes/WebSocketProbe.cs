using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Text;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>A WebSocket ping on one connection: every server must answer it with a pong of the same bytes (RFC 6455, section 5.5.3).</summary>
internal sealed class WebSocketProbe : PhasedProbe
{
    private const int PayloadBytes = 8;
    private const int MostSkipped = 1 << 20;
    private const int Ping = 0x9;
    private const int Pong = 0xA;
    private const int CloseFrame = 0x8;
    private readonly string _name;
    private readonly Socket _socket;
    private readonly Stream _stream;
    private readonly TimeSpan _timeout;
    private readonly MeasuringContext _context;
    private readonly byte[] _frame = new byte[2 + 4 + PayloadBytes];
    private readonly byte[] _buffer = new byte[4096];
    private readonly long[] _ns = new long[1];
    private ulong _sequence;

    private WebSocketProbe(string name, Socket socket, Stream stream, TimeSpan timeout, MeasuringContext context)
    {
        _name = name;
        _socket = socket;
        _stream = stream;
        _timeout = timeout;
        _context = context;
    }

    /// <inheritdoc/>
    public override IReadOnlyList<string> Phases { get; } = ["pong"];

    /// <inheritdoc/>
    public override ReadOnlySpan<long> PhaseNs => _ns;

    /// <summary>Connects and upgrades the connection to WebSocket.</summary>
    /// <param name="address">The URL of the target.</param>
    /// <param name="endpoint">The address that its host resolved to.</param>
    /// <param name="options">Certificates and timeout.</param>
    /// <param name="context">Clock and randomness.</param>
    /// <param name="cancellation">Ends the attempt.</param>
    /// <exception cref="PeerFailureException">The target is absent, refused the connection, or does not offer WebSocket.</exception>
    public static WebSocketProbe Open(
        ProbeAddress address, IPEndPoint endpoint, HttpProbeOptions options, MeasuringContext context, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(address);
        ArgumentNullException.ThrowIfNull(endpoint);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(context);
        Socket socket = new(endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        string? certificate = null;
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        limit.CancelAfter(options.Timeout);
        try
        {
            Stream stream = ConnectAsync(address, endpoint, socket, options, trouble => certificate = trouble, limit.Token).GetAwaiter().GetResult();
            WebSocketHandshake.RunAsync(stream, address, context.Random, limit.Token).GetAwaiter().GetResult();
            return new WebSocketProbe(address.Text, socket, stream, options.Timeout, context);
        }
        catch (Exception e) when (e is SocketException or AuthenticationException or IOException or OperationCanceledException or PeerFailureException)
        {
            socket.Dispose();
            cancellation.ThrowIfCancellationRequested();
            throw e switch
            {
                PeerFailureException known => known,
                SocketException reset => ProbeErrors.Of(address.Text, reset),
                AuthenticationException => ProbeErrors.Tls(address.Text, certificate, e),
                OperationCanceledException => ProbeErrors.Timeout(address.Text, "did not finish the WebSocket handshake", options.Timeout, e),
                _ => ProbeErrors.Find<SocketException>(e) is { } socketError ? ProbeErrors.Of(address.Text, socketError) : ProbeErrors.Closed(address.Text, e),
            };
        }
    }

    /// <inheritdoc/>
    public override void Exchange()
    {
        BinaryPrimitives.WriteUInt64BigEndian(_frame.AsSpan(6), ++_sequence);
        ulong wanted = _sequence;
        _frame[0] = 0x80 | Ping;
        _frame[1] = 0x80 | PayloadBytes;
        _context.Random.GetBytes(_frame.AsSpan(2, 4));
        for (int i = 0; i < PayloadBytes; i++)
        {
            _frame[6 + i] ^= _frame[2 + (i & 3)];
        }

        long start = _context.Time.GetTimestamp();
        try
        {
            _socket.SendTimeout = (int)_timeout.TotalMilliseconds;
            _stream.Write(_frame);
            _stream.Flush();
            AwaitPong(wanted, start);
        }
        catch (IOException e) when (ProbeErrors.Find<SocketException>(e) is { SocketErrorCode: SocketError.TimedOut or SocketError.WouldBlock })
        {
            throw Late(e);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            throw ProbeErrors.Closed(_name, e);
        }
        _ns[0] = (long)_context.Time.GetElapsedTime(start).TotalNanoseconds;
    }

    /// <inheritdoc/>
    public override void Interrupt() => _socket.Dispose();

    /// <inheritdoc/>
    protected override void Close()
    {
        _stream.Dispose();
        _socket.Dispose();
    }

    private static async Task<Stream> ConnectAsync(
        ProbeAddress address, IPEndPoint endpoint, Socket socket, HttpProbeOptions options, Action<string?> note, CancellationToken cancellation)
    {
        await socket.ConnectAsync(endpoint, cancellation).ConfigureAwait(false);
        NetworkStream plain = new(socket, ownsSocket: true);
        if (!address.Secure)
        {
            return plain;
        }

        SslStream secure = new(plain);
        await secure.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions
            {
                TargetHost = address.Host,
                RemoteCertificateValidationCallback = (_, _, chain, errors) =>
                {
                    string? trouble = options.AnyCertificate || errors == SslPolicyErrors.None ? null : CertificateTrouble.Describe(chain, errors);
                    note(trouble);
                    return trouble is null;
                },
            },
            cancellation).ConfigureAwait(false);
        return secure;
    }

    private PeerFailureException Late(Exception? e = null) => ProbeErrors.Timeout(_name, "did not answer a WebSocket ping", _timeout, e);

    private void AwaitPong(ulong wanted, long start)
    {
        for (long skipped = 0; skipped <= MostSkipped;)
        {
            ReadExactly(2, start);
            int opcode = _buffer[0] & 0xF;
            bool masked = (_buffer[1] & 0x80) != 0;
            ulong length = (ulong)(_buffer[1] & 0x7F);
            if (masked || (_buffer[0] & 0x70) != 0 || (opcode >= CloseFrame && length > 125))
            {
                throw ProbeErrors.Protocol(_name, "sent a WebSocket frame that RFC 6455 forbids");
            }

            if (length >= 126)
            {
                ReadExactly(length == 126 ? 2 : 8, start);
                length = length == 126 ? BinaryPrimitives.ReadUInt16BigEndian(_buffer) : BinaryPrimitives.ReadUInt64BigEndian(_buffer);
            }
            if (opcode == CloseFrame)
            {
                throw ProbeErrors.Closed(_name);
            }

            if (length > MostSkipped)
            {
                throw ProbeErrors.Protocol(_name, $"sent a WebSocket frame of {length} bytes instead of a pong");
            }

            for (ulong left = length; left > 0;)
            {
                int part = (int)Math.Min(left, (ulong)_buffer.Length);
                ReadExactly(part, start);
                left -= (ulong)part;
            }
            if (opcode == Pong && length == PayloadBytes && BinaryPrimitives.ReadUInt64BigEndian(_buffer) == wanted)
            {
                return;
            }

            skipped += (long)length + 2;
        }
        throw ProbeErrors.Protocol(_name, "sent more than 1 MiB of WebSocket frames and no pong");
    }

    private void ReadExactly(int count, long start)
    {
        for (int got = 0; got < count;)
        {
            TimeSpan left = _timeout - _context.Time.GetElapsedTime(start);
            if (left <= TimeSpan.Zero)
            {
                throw Late();
            }

            _socket.ReceiveTimeout = (int)Math.Max(1, left.TotalMilliseconds);
            int read = _stream.Read(_buffer, got, count - got);
            if (read == 0)
            {
                throw ProbeErrors.Closed(_name);
            }

            got += read;
        }
    }
}

/// <summary>The client's opening handshake of RFC 6455, section 4.1.</summary>
internal static class WebSocketHandshake
{
    private const int MostHeaders = 16384;

    internal static async Task RunAsync(Stream stream, ProbeAddress address, RandomNumberGenerator random, CancellationToken cancellation)
    {
        byte[] nonce = new byte[16];
        random.GetBytes(nonce);
        string key = Convert.ToBase64String(nonce);
        string request =
            $"GET {address.Path} HTTP/1.1\r\nHost: {address.Authority}\r\nUser-Agent: latencytuner\r\nUpgrade: websocket\r\nConnection: "
            + $"Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n";
        await stream.WriteAsync(Encoding.ASCII.GetBytes(request), cancellation).ConfigureAwait(false);
        string[] lines = await ReadHeadersAsync(stream, address.Text, cancellation).ConfigureAwait(false);
        if (!lines[0].StartsWith("HTTP/1.1 ", StringComparison.Ordinal) || lines[0].Length < 12
            || !int.TryParse(lines[0].AsSpan(9, 3), NumberStyles.None, CultureInfo.InvariantCulture, out int status))
        {
            throw ProbeErrors.Protocol(address.Text, "did not answer with HTTP/1.1");
        }

        if (status >= 500)
        {
            throw new PeerFailureException($"{address.Text} answered with HTTP status {status}.") { Reason = ProbeFailure.Status };
        }

        if (status != 101)
        {
            throw ProbeErrors.Protocol(address.Text, $"does not offer WebSocket there: it answered with HTTP status {status}");
        }

        string? accept = lines.Where(l => l.StartsWith("Sec-WebSocket-Accept:", StringComparison.OrdinalIgnoreCase))
            .Select(l => l[(l.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim()).FirstOrDefault();
        if (accept != Accept(key))
        {
            throw ProbeErrors.Protocol(address.Text, "answered the WebSocket handshake with a wrong Sec-WebSocket-Accept");
        }
    }

    /// <summary>The value that the server must answer a key with (RFC 6455, section 4.2.2).</summary>
    [SuppressMessage("Security", "CA5350:Do Not Use Weak Cryptographic Algorithms", Justification = "RFC 6455 requires SHA-1; nothing is protected by it.")]
    internal static string Accept(string key) => Convert.ToBase64String(SHA1.HashData(Encoding.ASCII.GetBytes(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")));

    private static async Task<string[]> ReadHeadersAsync(Stream stream, string target, CancellationToken cancellation)
    {
        // One byte at a time: what follows the headers belongs to the frames.
        byte[] text = new byte[MostHeaders];
        for (int length = 0; length < MostHeaders; length++)
        {
            if (await stream.ReadAsync(text.AsMemory(length, 1), cancellation).ConfigureAwait(false) == 0)
            {
                throw ProbeErrors.Closed(target);
            }

            if (text.AsSpan(0, length + 1).EndsWith("\r\n\r\n"u8))
            {
                return Encoding.Latin1.GetString(text, 0, length - 3).Split("\r\n");
            }
        }
        throw ProbeErrors.Protocol(target, "answered the WebSocket handshake with more than 16 KiB of headers");
    }
}
