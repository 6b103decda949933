using System.Buffers;
using System.IO.Pipelines;
using System.Text;
using Microsoft.AspNetCore.Connections;

namespace LatencyTuner.Http;

/// <summary>
/// Checks the first bytes of a connection: HTTP/2 with prior knowledge (RFC 9113, section 3.3) continues in its pipeline, any other in that
/// of HTTP/1.1. Kestrel itself accepts one of the two on a port without TLS, not both.
/// </summary>
/// <param name="patience">Longest wait for those bytes.</param>
internal sealed class ProtocolSwitch(TimeSpan patience)
{
    private static readonly byte[] Preface = Encoding.ASCII.GetBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    private ConnectionDelegate? _http1;

    /// <summary>Middleware of the endpoint for HTTP/1.1: stores its pipeline.</summary>
    internal ConnectionDelegate Keep(ConnectionDelegate next) => _http1 = next;

    /// <summary>Middleware of the endpoints that listen, whose own pipeline is that of HTTP/2.</summary>
    internal ConnectionDelegate Choose(ConnectionDelegate next) => async connection =>
    {
        if (await IsHttp2Async(connection).ConfigureAwait(false) is { } http2)
        {
            await (http2 ? next : _http1!)(connection).ConfigureAwait(false);
        }
    };

    /// <summary>Null when the connection ended, or sent nothing in time.</summary>
    private async Task<bool?> IsHttp2Async(ConnectionContext connection)
    {
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(connection.ConnectionClosed);
        limit.CancelAfter(patience);
        PipeReader input = connection.Transport.Input;
        try
        {
            while (true)
            {
                ReadResult read = await input.ReadAsync(limit.Token).ConfigureAwait(false);
                bool? http2 = Look(read.Buffer);
                // Nothing is consumed: the pipeline reads it again. Until the answer is known, only more bytes wake this up.
                input.AdvanceTo(read.Buffer.Start, http2 is null ? read.Buffer.End : read.Buffer.Start);
                if (http2 is not null || read.IsCompleted)
                {
                    return http2;
                }
            }
        }
        catch (Exception e) when (e is OperationCanceledException or IOException)
        {
            connection.Abort();
            return null;
        }
    }

    private static bool? Look(ReadOnlySequence<byte> begin)
    {
        Span<byte> first = stackalloc byte[Preface.Length];
        int count = (int)Math.Min(begin.Length, first.Length);
        begin.Slice(0, count).CopyTo(first);
        return !first[..count].SequenceEqual(Preface.AsSpan(0, count)) ? false : count == Preface.Length ? true : null;
    }
}
