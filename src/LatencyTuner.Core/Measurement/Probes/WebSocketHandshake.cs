using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace LatencyTuner.Core.Measurement.Probes;

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
            throw ProbeErrors.Protocol(address.Text, "does not answer in HTTP/1.1");
        }

        if (status >= 500)
        {
            throw new PeerFailureException($"{address.Text} answered with HTTP status {status}.") { Reason = ProbeFailure.Status };
        }

        if (status != 101)
        {
            throw ProbeErrors.Protocol(address.Text, $"offers no WebSocket there: it answered with HTTP status {status}");
        }

        string? accept = lines.Where(l => l.StartsWith("Sec-WebSocket-Accept:", StringComparison.OrdinalIgnoreCase))
            .Select(l => l[(l.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim()).FirstOrDefault();
        if (accept != Accept(key))
        {
            throw ProbeErrors.Protocol(address.Text, "answered the WebSocket handshake with a wrong Sec-WebSocket-Accept");
        }
    }

    /// <summary>What the server must answer a key with (RFC 6455, section 4.2.2).</summary>
    [SuppressMessage("Security", "CA5350:Do Not Use Weak Cryptographic Algorithms", Justification = "RFC 6455 demands SHA-1; nothing is protected by it.")]
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
